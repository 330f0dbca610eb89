import type { ShownNote, ShownSeries } from '@sinebar/charts';
import type { Alarm } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFormats, useTexts } from '../../../design/language/language';
import { beginOf } from '../../../quality/alarms/alarm-facts';
import { texts } from '../../../quality/alarms/texts';
import { useAlarmWords } from '../../../quality/alarms/use-alarm-words';
import { alarmsOfItemQuery } from '../../../server/queries/alarm-queries';
import { useServer } from '../../../server/server';
import { positionOf } from './note-positions';

const NONE: readonly Alarm[] = [];

/** Alarms of a characteristic, and their flags among the points in view. */
export function useAlarmMarks(characteristicUuid: string, shown: ShownSeries | undefined) {
  const t = useTexts(texts);
  const formats = useFormats();
  const words = useAlarmWords();
  const query = useQuery(alarmsOfItemQuery(useServer(), characteristicUuid));
  const alarms = query.data ?? NONE;
  const marks = useMemo(() => {
    const write = (alarm: Alarm) => `${t.alarm}: ${words.what(alarm)}, ${formats.dayTime(beginOf(alarm))}, ${t[`state_${alarm.state}`]}`;
    return shown ? flagsOf(alarms, shown, write) : [];
  }, [alarms, shown, t, formats, words]);
  return { query, marks };
}

/** Finds the positions of alarms; those at the same position are one flag, which leads to the newest. @param alarms the newest first */
export function flagsOf(
  alarms: readonly Alarm[],
  shown: Pick<ShownSeries, 'entries' | 'count'>,
  write: (alarm: Alarm) => string,
): ShownNote[] {
  const byPosition = new Map<string, ShownNote>();
  for (const alarm of alarms) {
    const found = flagPosition(alarm, shown);
    if (!found) continue;
    const key = `${found.position} ${found.end ?? ''}`;
    const known = byPosition.get(key);
    if (known) byPosition.set(key, { ...known, label: `${known.label}\n${write(alarm)}` });
    else byPosition.set(key, { ...found, label: write(alarm), alarm: alarm.uuid });
  }
  return [...byPosition.values()].sort((a, b) => a.position - b.position);
}

/** An alarm of one point stands at its measurement, others at the stretch of their points. */
function flagPosition({ measurementUuid, since, last, points, kind }: Alarm, shown: Pick<ShownSeries, 'entries' | 'count'>) {
  // Nothing was measured, so there is no point.
  if (kind === 'silence') return undefined;
  if (points > 1 && since !== undefined && last !== undefined && since !== last)
    return positionOf({ from: since, to: last }, shown, new Map());
  if (measurementUuid === undefined) return undefined;
  return positionOf({ measurementUuid }, shown, new Map(last === undefined ? [] : [[measurementUuid, last]]));
}
