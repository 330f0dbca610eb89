import type { CharacteristicGroups } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import type { Group } from './grouping';
import { texts } from './texts';
import { useGroupWords } from './use-group-words';

/** Chance below which a difference is said to be one. */
const SIGNIFICANT = 0.05;
const SMALLEST_P = 0.001;
/** Values below which a test of a group is rough. */
const FEW = 5;

/** Returns a function that says what the tests of groups mean, as a quality engineer would. */
export function useGroupSentences(): (answer: CharacteristicGroups, decimals: number, unit: string) => string[] {
  const t = useTexts(texts);
  const formats = useFormats();
  const { groupName } = useGroupWords();
  const pText = (p: number) => (p < SMALLEST_P ? t.pBelow(formats.number(SMALLEST_P, 3)) : t.p(formats.number(p, p < 0.1 ? 3 : 2)));
  return ({ by, groups, tests }, decimals, unit) => {
    if (groups.length === 0) return [t.noGroups];
    if (groups.length === 1) return [t.oneGroup];
    const name = (group: Group) => groupName(by, group);
    const { welch, brownForsythe, rates } = tests;
    const sentences: string[] = [];
    if (rates) {
      const [low, high] = extremes(groups, ({ rate }) => rate?.value);
      const differ = rates.pValue < SIGNIFICANT && low && high;
      return [differ ? t.ratesDiffer(pText(rates.pValue), name(high), name(low)) : t.ratesAlike(pText(rates.pValue))];
    }
    if (welch && welch.pValue < SIGNIFICANT) {
      sentences.push(t.meansDiffer(pText(welch.pValue), formats.percent(welch.explained)));
      const [low, high] = extremes(groups, ({ count, mean }) => (count > 1 ? mean : undefined));
      const difference = `${formats.number((high?.mean ?? 0) - (low?.mean ?? 0), decimals + 1)}${unit === '' ? '' : ` ${unit}`}`;
      if (low && high) sentences.push(t.meansExtremes(name(high), name(low), difference));
    } else if (welch) sentences.push(t.meansAlike(pText(welch.pValue)));
    if (brownForsythe && brownForsythe.pValue < SIGNIFICANT) {
      const [low, high] = extremes(groups, ({ count, standardDeviation }) => (count >= FEW ? standardDeviation : undefined));
      const ratio = (high?.standardDeviation ?? 0) / (low?.standardDeviation ?? 0);
      const p = pText(brownForsythe.pValue);
      const canBeNamed = low && high && Number.isFinite(ratio) && ratio > 1;
      sentences.push(canBeNamed ? t.spreadsDiffer(p, name(high), name(low), formats.number(ratio, 1)) : t.spreadsUnequal(p));
    } else if (brownForsythe) sentences.push(t.spreadsAlike(pText(brownForsythe.pValue)));
    if (sentences.length === 0) return [t.noTest];
    return groups.some(({ count }) => count < FEW) ? [...sentences, t.few] : sentences;
  };
}

/** The groups with the smallest and the largest figure; those joined by the server are no group. */
function extremes(groups: readonly Group[], figure: (group: Group) => number | undefined): [Group?, Group?] {
  const sorted = groups
    .filter((group) => group.others === undefined && figure(group) !== undefined)
    .sort((a, b) => figure(a)! - figure(b)!);
  return [sorted[0], sorted.at(-1)];
}
