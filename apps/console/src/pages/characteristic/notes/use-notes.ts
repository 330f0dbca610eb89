import type { ShownEntry, ShownSeries } from '@sinebar/charts';
import type { CharacteristicSummary, Note } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormats, useLanguage } from '../../../design/language/language';
import { causeText } from '../../../quality/notes/causes';
import { useExtentText } from '../../../quality/notes/extent-fields';
import { valuesOfMeasurementsQuery, type MeasuredValue } from '../../../server/queries/analysis-queries';
import { notesQuery } from '../../../server/queries/note-queries';
import { ownerPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import { useMay } from '../../../server/session/use-session';
import { positionNotes } from './note-positions';

/** Most measurements whose values are read for their notes. */
const MAX_MEASUREMENTS = 200;
const NONE: readonly Note[] = [];
const NO_VALUES: readonly MeasuredValue[] = [];

/** Notes about a characteristic, and those about measurements and times of its part. @param shown the points in view */
export function useNotes(
  { partUuid, characteristicUuid, path }: Pick<CharacteristicSummary, 'partUuid' | 'characteristicUuid' | 'path'>,
  shown: ShownSeries | undefined,
) {
  const server = useServer();
  const own = useQuery(notesQuery(server, { characteristicUuid }));
  const ofPart = useQuery(notesQuery(server, { partUuid }));
  const notes = useMemo(() => {
    if (!own.data || !ofPart.data) return undefined;
    return [...own.data, ...ofPart.data].sort((a, b) => (a.time < b.time ? 1 : -1));
  }, [own.data, ofPart.data]);
  const measured = useMemo(
    () => [...new Set((notes ?? NONE).flatMap(({ measurementUuid = [] }) => measurementUuid))].slice(0, MAX_MEASUREMENTS),
    [notes],
  );
  const { data: values = NO_VALUES } = useQuery(valuesOfMeasurementsQuery(server, characteristicUuid, measured));
  const marks = useMarks(notes ?? NONE, values, shown);
  const mayWrite = useMay('note:write', plainPathOf(ownerPathOf(path)));
  const [writing, setWriting] = useState<ShownEntry>();
  return {
    query: {
      data: notes,
      error: own.error ?? ofPart.error,
      refetch: () => Promise.all([own.refetch(), ofPart.refetch()]),
    },
    /** Values of the measurements that notes are about. */
    values,
    /** Notes at their positions among the points in view. */
    marks,
    /** Point of the chart that a new note is about. */
    writing,
    /** Begins a note about a point; absent without the right. */
    write: mayWrite ? setWriting : undefined,
    endWriting: () => setWriting(undefined),
  };
}

export type CharacteristicNotes = ReturnType<typeof useNotes>;

function useMarks(notes: readonly Note[], values: readonly MeasuredValue[], shown: ShownSeries | undefined) {
  const formats = useFormats();
  const language = useLanguage();
  const extentText = useExtentText();
  return useMemo(() => {
    if (!shown) return [];
    const times = new Map(values.flatMap(({ measurementUuid, time }) => (time === undefined ? [] : [[measurementUuid, time] as const])));
    const write = (note: Note) => {
      const about = [note.user, extentText(note) || formats.dateTime(note.time), note.causeText && causeText(note.causeText, language)];
      return `${note.text}\n(${about.filter((text) => text !== undefined && text !== '').join(', ')})`;
    };
    return positionNotes(notes, shown, times, write);
  }, [notes, values, shown, formats, language, extentText]);
}
