import { ALARM_KINDS, ALARM_STATES, type AlarmKind } from '@sinebar/client';
import { list, oneOf, searchParameters, text, time } from '../../server/search-parameters';

/** States that the inbox is filtered by; `open`: raised or acknowledged. */
export const STATE_FILTERS = ['open', ...ALARM_STATES, 'all'] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

/** Stretches of time up to now, hours. */
export const SPANS = { '1h': 1, '8h': 8, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type Span = keyof typeof SPANS;

/** Whether alarms are listed that subscribers were told of, as usual; those that nobody was told of; or all. */
export const TOLD_FILTERS = ['told', 'untold', 'all'] as const;
export type ToldFilter = (typeof TOLD_FILTERS)[number];

function kinds(value: unknown): readonly AlarmKind[] | undefined {
  const known = ALARM_KINDS.filter((kind) => list(value)?.includes(kind));
  return known.length > 0 ? known : undefined;
}

/** Parameters in the address of the inbox. */
export interface AlarmsAddress {
  state: StateFilter;
  kind: readonly AlarmKind[];
  /** Path of a part without type marker; alarms at and below it. */
  below: string;
  /** Times at which alarms were raised. */
  within: Span;
  from: string;
  to: string;
  told: ToldFilter;
  /** Uuid of the alarm at the side. */
  selected: string;
}

/** Everything that defines the view. */
export const search = searchParameters({
  state: oneOf(STATE_FILTERS),
  kind: kinds,
  below: text,
  within: oneOf(Object.keys(SPANS) as Span[]),
  from: time,
  to: time,
  told: oneOf(TOLD_FILTERS),
  selected: text,
});
