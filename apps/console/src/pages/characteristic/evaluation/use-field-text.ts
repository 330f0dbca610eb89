import type { Evaluation } from '@sinebar/client';
import { useFormats, useTexts } from '../../../design/language/language';
import { useChartText, useRulesText, useSubgroupsText } from '../options/evaluated-texts';
import { texts as optionTexts } from '../options/texts';
import { texts as pageTexts } from '../texts';
import { readDuration } from '../../../quality/values/duration';
import { excludedMeasurement, type Member } from './evaluation-fields';
import { texts } from './texts';

type Stage = NonNullable<Evaluation['stages']>[number];

/** Says where a stage begins, and what its limits follow from. */
function useStageText(): (stage: Stage) => string {
  const t = useTexts(texts);
  const formats = useFormats();
  return ({ from, reason, limits }) => {
    const begins = from === undefined ? t.fromFirst : t.stageFrom(formats.dateTime(from));
    const follows =
      limits.kind === 'computed'
        ? t.computed
        : limits.kind === 'baseline'
          ? t.baselineOf(formats.dateTime(limits.from), formats.dateTime(limits.to))
          : t.givenAs(
              [limits.lower, limits.centerLine, limits.upper]
                .flatMap((value) => (value === undefined ? [] : [formats.number(value)]))
                .join(' / '),
              limits.sigma === undefined ? '' : formats.number(limits.sigma),
            );
    return [begins, follows, reason ?? ''].filter((text) => text !== '').join(', ');
  };
}

/** Returns functions that name a field of an evaluation, and write its text as a reader knows it. */
export function useFieldText(describeMeasurement: (measurementUuid: string) => string) {
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const options = useTexts(optionTexts);
  const formats = useFormats();
  const [chartText, rulesText, subgroupsText, stageText] = [useChartText(), useRulesText(), useSubgroupsText(), useStageText()];
  const nameOf = (field: string) => {
    const measurementUuid = excludedMeasurement(field);
    return measurementUuid === undefined ? t[`name_${field as Member}`] : t.excludedOf(describeMeasurement(measurementUuid));
  };
  const textOf = (field: string, text: string): string => {
    if (excludedMeasurement(field) !== undefined || text === '') return text;
    const value: unknown = JSON.parse(text);
    switch (field as Member) {
      case 'subgroups':
        return subgroupsText({ subgroups: value as NonNullable<Evaluation['subgroups']> }) || options.singleValues;
      case 'chart':
        return chartText({ chart: value as NonNullable<Evaluation['chart']>, subgroups: { size: 1 } });
      case 'rules':
        return rulesText(value as string[]);
      case 'model':
        return words[`model_${value as NonNullable<Evaluation['model']>}`];
      case 'stages':
        return (value as Stage[]).map(stageText).join('; ') || t.noStages;
      case 'required':
      case 'target':
        return typeof value === 'number' ? formats.number(value) : String(value);
      case 'owner':
      case 'reaction':
        return String(value);
      case 'silence': {
        const said = readDuration(String(value));
        return said ? t[`in_${said.unit}`](formats.count(said.count), said.count === 1) : String(value);
      }
      case 'autoClose':
        return typeof value === 'number' ? t.afterPoints(formats.count(value), value === 1) : String(value);
      case 'ewma':
      case 'cusum':
        return Object.entries(value as Record<string, number>)
          .map(([name, number]) => `${t[`parameter_${name as 'k'}`]} ${formats.number(number)}`)
          .join(', ');
    }
  };
  return { nameOf, textOf };
}
