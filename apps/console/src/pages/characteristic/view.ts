import type { ViewTimes } from '@sinebar/charts';
import type { AnalysisChoice } from '../../server/queries/analysis-queries';
import type { CharacteristicSearch } from './search';

/** A measurement whose value is in no limit and no figure, and why. */
export interface Exclusion {
  readonly measurementUuid: string;
  readonly reason: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function exclusionsOf({ exclude }: Pick<CharacteristicSearch, 'exclude'>): Exclusion[] {
  return (exclude ?? '').split(',').flatMap((entry) => {
    const [measurementUuid = '', reason = ''] = entry.split(':');
    return UUID.test(measurementUuid) ? [{ measurementUuid, reason: decoded(reason) }] : [];
  });
}

export function writtenExclusions(exclusions: readonly Exclusion[]): string | undefined {
  const written = exclusions.map(({ measurementUuid, reason }) =>
    reason === '' ? measurementUuid : `${measurementUuid}:${encodeURIComponent(reason)}`,
  );
  return written.length === 0 ? undefined : written.join(',');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns undefined where nobody has chosen rules */
export function rulesOf({ rules }: Pick<CharacteristicSearch, 'rules'>): readonly string[] | undefined {
  if (rules === undefined) return undefined;
  return rules === 'none' ? [] : rules.split(',').map((rule) => rule.trim());
}

/** Selection and control chart as the server takes them: only what is chosen, the rest follows from the evaluation. */
export function choiceOf(search: CharacteristicSearch): AnalysisChoice {
  const { subgroup, by, chart, model, baselineFrom, baselineTo, convention, sigma, confidence } = search;
  const rules = rulesOf(search);
  return {
    ...selectionOf(search),
    ...(by === undefined ? subgroup !== undefined && { subgroup } : { subgroupBy: by }),
    ...(chart !== undefined && { chart }),
    ...(sigma !== undefined && { sigma }),
    ...(baselineFrom !== undefined && { baselineFrom }),
    ...(baselineTo !== undefined && { baselineTo }),
    ...(convention !== undefined && { convention }),
    ...(confidence !== undefined && { confidence: Number(confidence) }),
    ...(model !== undefined && { model }),
    ...(rules !== undefined && { rules }),
  };
}

/** The choice of values, without the chart. */
export function selectionOf(search: CharacteristicSearch) {
  const { from, to, newest, condition } = search;
  const exclude = exclusionsOf(search).map(({ measurementUuid }) => measurementUuid);
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(newest !== undefined && { limitResult: newest }),
    ...(condition !== undefined && { searchCondition: condition }),
    ...(exclude.length > 0 && { exclude }),
  };
}

/** Selection of the values of a file: also those that the view leaves out of its figures. */
export function savedSelectionOf({ exclude: _, ...search }: CharacteristicSearch) {
  return selectionOf(search);
}

/** The stretch of the chart in view, ms since 1970. */
export function viewTimesOf({ viewFrom, viewTo }: Pick<CharacteristicSearch, 'viewFrom' | 'viewTo'>): ViewTimes {
  return {
    ...(viewFrom !== undefined && { from: Date.parse(viewFrom) }),
    ...(viewTo !== undefined && { to: Date.parse(viewTo) }),
  };
}
