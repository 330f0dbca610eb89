import { useLanguage, useTexts } from '../../design/language/language';
import { timesOf } from './schedule-draft';
import { texts } from './schedule-texts';

/** A Sunday. */
const SUNDAY = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;
const WEEKDAYS = ['0', '1', '2', '3', '4', '5', '6'] as const;
/** Monday first. */
const IN_ORDER = [...WEEKDAYS.slice(1), WEEKDAYS[0]];

/** Words for the times of a schedule. */
export function useScheduleWords() {
  const t = useTexts(texts);
  const weekday = new Intl.DateTimeFormat(useLanguage(), { weekday: 'long', timeZone: 'UTC' });
  const dayName = (day: string) => weekday.format(SUNDAY + Number(day) * DAY_MS);
  return {
    /** Days of the week with their names. */
    weekdays: IN_ORDER.map((day) => [day, dayName(day)] as const),
    /** Says when a report is made; a cron line that is not one of the usual ones stays as it is. */
    when: (cron: string): string => {
      const { frequency, weekday: day = '', dayOfMonth = '', time = '' } = timesOf(cron);
      if (frequency === 'daily') return t.everyDay(time);
      if (frequency === 'weekly') return t.everyWeek(dayName(day), time);
      return frequency === 'monthly' ? t.everyMonth(dayOfMonth, time) : cron;
    },
  };
}
