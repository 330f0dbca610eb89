import { Cron } from 'croner';

/** Times of a schedule. */
export interface ScheduleTimes {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: string;
  zone: string;
}

/** Finds the first time after `after` that a cron line names. @returns undefined where there is none */
export function nextTime({ cron, zone }: ScheduleTimes, after: Date): Date | undefined {
  return new Cron(cron, { timezone: zone, paused: true, mode: '5-part' }).nextRun(after) ?? undefined;
}

/** Says why a text is no cron line whose times come. @returns undefined for one that is */
export function cronProblem(cron: string): string | undefined {
  if (cron.trim().split(/\s+/).length !== 5)
    return 'must have five fields: minute, hour, day of the month, month, day of the week, such as 0 6 * * 1';
  try {
    return nextTime({ cron, zone: 'UTC' }, new Date()) === undefined ? 'names no time that ever comes' : undefined;
  } catch (error) {
    return `is no cron line: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
}
