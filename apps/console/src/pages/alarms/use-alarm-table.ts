import type { CsvTable } from '../../design/export/csv';
import { useLanguage, useTexts } from '../../design/language/language';
import { beginOf, alarmNames } from '../../quality/alarms/alarm-facts';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { useAlarmWords } from '../../quality/alarms/use-alarm-words';
import { actionText, causeText } from '../../quality/notes/causes';
import type { ShownAlarm } from './shown-alarms';
import { texts } from './texts';

/** Returns a function that writes the rows as a table for other programs: times and numbers as the interface has them. */
export function useAlarmTable(rows: readonly ShownAlarm[], units: ReadonlyMap<string, string>): () => CsvTable {
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  const language = useLanguage();
  const say = useAlarmWords();
  return () => ({
    head: [
      ...[t.state, t.begin, t.headPath, t.headName, t.what, t.rule, t.points, t.headValue, t.headUnit, t.headLower, t.headUpper],
      ...[t.owner, t.reaction, t.cause, t.action, t.note, t.headClosed],
    ],
    rows: rows.map(({ alarm }) => {
      const { name, above } = alarmNames(alarm);
      const { state, points, value, limits, owner, reaction, causeText: cause, actionText: action, note, closed } = alarm;
      return [
        ...[words[`state_${state}`], beginOf(alarm), above, name, say.what(alarm), alarm.rule, points, value],
        ...[units.get(alarm.characteristicUuid ?? ''), limits?.lower, limits?.upper, owner, reaction],
        ...[cause && causeText(cause, language), action && actionText(action, language), note, closed],
      ];
    }),
  });
}
