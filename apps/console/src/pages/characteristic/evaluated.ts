import type { Evaluation } from '@sinebar/client';
import type { CharacteristicSearch } from './search';
import { exclusionsOf, rulesOf } from './view';

/** What is left to the evaluation when the address names it. */
const CHOSEN_MEMBERS = ['subgroup', 'by', 'chart', 'rules', 'model', 'baselineFrom', 'baselineTo', 'sigma'] as const;

/** A measurement whose value is in no limit and no figure, and why. */
export interface LeftOut {
  readonly measurementUuid: string;
  readonly reason: string;
  /** Whether everybody leaves it out; else it is only this view. */
  readonly isKept: boolean;
}

/** How the values are judged: as the reader chose, else as the evaluation says. */
export interface Evaluated {
  readonly rules: readonly string[];
  readonly chart: NonNullable<Evaluation['chart']>;
  readonly subgroups: NonNullable<Evaluation['subgroups']>;
  readonly model: NonNullable<Evaluation['model']>;
  /** Limits of the newest stage; of the address, a baseline whose ends may be open. */
  readonly limits: StageLimits | { readonly kind: 'baseline'; readonly from?: string; readonly to?: string };
  /** Beginning of the newest stage. */
  readonly stageFrom?: string;
  readonly leftOut: readonly LeftOut[];
  /** Whether the address says something else than the evaluation. */
  readonly isChosen: boolean;
}

/** Largest subgroup whose range is worth as much as its standard deviation. */
const MAX_RANGE_SUBGROUP = 10;

/** Whether a chart shows such subgroups. */
export function fitsSubgroups(chart: Evaluated['chart'], { by, size = 1 }: Evaluated['subgroups']): boolean {
  if (chart === 'ewma' || chart === 'cusum') return true;
  const isGrouped = by !== undefined || size > 1;
  if (chart === 'xbarS') return isGrouped;
  return chart === 'xbarR' ? isGrouped && (by !== undefined || size <= MAX_RANGE_SUBGROUP) : !isGrouped;
}

type StageLimits = NonNullable<Evaluation['stages']>[number]['limits'];

/** @param evaluation is absent until it has been read; what it says is then what a server says that nobody has told anything */
export function evaluatedOf(search: CharacteristicSearch, evaluation: Evaluation | undefined): Evaluated {
  const { subgroup, by, baselineFrom, baselineTo } = search;
  const kept = evaluation?.subgroups ?? { size: 1 };
  const subgroups = by === undefined ? (subgroup === undefined ? kept : { size: subgroup }) : { by };
  const charts = [search.chart ?? evaluation?.chart ?? 'individuals', 'individuals', 'xbarR', 'xbarS'] as const;
  const stage = evaluation?.stages?.at(-1);
  const hasBaseline = (baselineFrom ?? baselineTo) !== undefined;
  const everybodys = (evaluation?.exclusions ?? []).map(({ measurementUuid, reason }) => ({ measurementUuid, reason, isKept: true }));
  const known = new Set(everybodys.map(({ measurementUuid }) => measurementUuid));
  return {
    rules: rulesOf(search) ?? evaluation?.rules ?? ['nelson1'],
    // The server takes the usual chart where another does not go with the subgroups.
    chart: charts.find((chart) => fitsSubgroups(chart, subgroups)) ?? 'xbarS',
    subgroups,
    model: search.model ?? evaluation?.model ?? 'auto',
    limits: hasBaseline
      ? {
          kind: 'baseline',
          ...(baselineFrom !== undefined && { from: baselineFrom }),
          ...(baselineTo !== undefined && { to: baselineTo }),
        }
      : (stage?.limits ?? { kind: 'computed' }),
    ...(!hasBaseline && stage?.from !== undefined && { stageFrom: stage.from }),
    leftOut: [
      ...everybodys,
      ...exclusionsOf(search).flatMap((each) => (known.has(each.measurementUuid) ? [] : [{ ...each, isKept: false }])),
    ],
    isChosen: CHOSEN_MEMBERS.some((member) => search[member] !== undefined),
  };
}

/** Leaves chart, rules, model and limits to the evaluation. */
export function asEvaluated(search: CharacteristicSearch): CharacteristicSearch {
  const chosen: ReadonlySet<string> = new Set(CHOSEN_MEMBERS);
  return Object.fromEntries(Object.entries(search).filter(([name]) => !chosen.has(name)));
}
