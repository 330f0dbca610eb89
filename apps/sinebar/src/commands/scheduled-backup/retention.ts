/** Numbers of scheduled backups that are kept. */
export interface Retention {
  /** Days, and of each its newest backup. */
  daily: number;
  /** Weeks from Monday on, in UTC, and of each its newest backup. */
  weekly: number;
}

const DAY_MS = 86_400_000;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z$/;

/** Names a scheduled backup by its time in UTC: `2026-01-31T0200Z`. Other folders are never removed. */
export function backupName(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace(/:/g, '')}Z`;
}

/** @returns `undefined` for a folder that no schedule has made */
export function timeOfName(name: string): Date | undefined {
  const [, day, hours, minutes] = NAME.exec(name) ?? [];
  if (day === undefined) return undefined;
  const time = new Date(`${day}T${hours}:${minutes}:00Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Chooses the scheduled backups that are no longer kept; never the newest one. */
export function expiredNames(names: readonly string[], { daily, weekly }: Retention): string[] {
  const backups = names.flatMap((name) => {
    const at = timeOfName(name)?.getTime();
    return at === undefined ? [] : [{ name, at }];
  });
  const newestFirst = backups.sort((a, b) => b.at - a.at);
  const kept = new Set([
    ...newestFirst.slice(0, 1),
    ...newestOfEach(newestFirst, daily, ({ at }) => Math.floor(at / DAY_MS)),
    ...newestOfEach(newestFirst, weekly, ({ at }) => Math.floor((at - FIRST_MONDAY_MS) / (7 * DAY_MS))),
  ]);
  return newestFirst.filter((backup) => !kept.has(backup)).map(({ name }) => name);
}

/** Returns the first backup of each period, for the first periods that have one. */
function newestOfEach<T>(newestFirst: readonly T[], count: number, periodOf: (backup: T) => number): T[] {
  const found = new Map<number, T>();
  for (const backup of newestFirst) if (!found.has(periodOf(backup))) found.set(periodOf(backup), backup);
  return [...found.values()].slice(0, count);
}
