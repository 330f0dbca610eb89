import { OTHERS, SLOTS } from '@sinebar/charts';
import type { CharacteristicGroups, GroupedBy } from '@sinebar/client';

export type Group = CharacteristicGroups['groups'][number];

/** What names a group, in tables and in charts. */
export type GroupName = Pick<Group, 'value' | 'text' | 'others'>;

/** Whether groups follow from the time of the measurement. */
export function isOfTime(by: GroupedBy): boolean {
  return by === 'day' || by === 'week';
}

/** Identifies a group among all groups of one split. */
export function groupKey({ value, others }: GroupName): string {
  if (others !== undefined) return 'others';
  return value === undefined ? 'none' : `value ${value}`;
}

/** Groups of a table: those with a colour of their own, in their order, and the others. */
export interface DividedGroups {
  readonly told: readonly Group[];
  readonly others: readonly Group[];
  /** Slots by key. */
  readonly slots: ReadonlyMap<string, number>;
}

/**
 * Tells the largest groups apart, of days and weeks the newest; the server may have joined further ones.
 * @param known slots of the groups of another characteristic, which groups of the same name keep
 */
export function divideGroups(
  { by, groups }: Pick<CharacteristicGroups, 'by' | 'groups'>,
  known: DividedGroups['slots'] = new Map(),
): DividedGroups {
  const named = groups.filter(({ others }) => others === undefined);
  const largest = isOfTime(by) ? named.slice(-SLOTS) : named.toSorted((a, b) => b.count - a.count).slice(0, SLOTS);
  const chosen = new Set<Group>(largest);
  const told = groups.filter((group) => chosen.has(group));
  const keys = told.map(groupKey);
  const slots = new Map([...known].filter(([key]) => keys.includes(key)));
  const taken = new Set(slots.values());
  const free = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  for (const key of keys) if (!slots.has(key)) slots.set(key, free.shift() ?? OTHERS);
  return { told, others: groups.filter((group) => !chosen.has(group)), slots };
}

/** Slots by the index that points of a series have. */
export function slotsOf({ slots }: Pick<DividedGroups, 'slots'>, names: readonly GroupName[]): number[] {
  return names.map((name) => slots.get(groupKey(name)) ?? OTHERS);
}

/** Number of groups that entries stand for. */
export function numberOfGroups(groups: readonly Group[]): number {
  return groups.reduce((sum, { others = 1 }) => sum + others, 0);
}

/** Count, mean and spread of several groups together, exactly as of their values. */
export function joined(groups: readonly Group[]): Pick<Group, 'count' | 'mean' | 'standardDeviation' | 'outOfTolerance'> | undefined {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  if (count === 0) return undefined;
  const mean = groups.reduce((sum, group) => sum + (group.count / count) * group.mean, 0);
  const squares = groups.reduce(
    (sum, { count: n, mean: own, standardDeviation = 0 }) => sum + (n - 1) * standardDeviation ** 2 + n * (own - mean) ** 2,
    0,
  );
  return {
    count,
    mean,
    ...(count > 1 && { standardDeviation: Math.sqrt(squares / (count - 1)) }),
    outOfTolerance: groups.reduce((sum, { outOfTolerance }) => sum + outOfTolerance, 0),
  };
}
