import type { Note } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ShownSeries } from '../../../charts/control/shown-series';
import { useFormats, useLanguage } from '../../../design/language/language';
import { causeText } from '../../../quality/notes/causes';
import { useExtentText } from '../../../quality/notes/extent-fields';
import { valuesOfMeasurementsQuery } from '../../../server/queries/analysis-queries';
import { notesQuery } from '../../../server/queries/note-queries';
import { useServer } from '../../../server/server';
import { placeNotes } from './place-notes';

/** Most measurements whose values are read for their notes. */
const MAX_MEASUREMENTS = 200;
const NONE: readonly Note[] = [];

/** Notes about a characteristic, and those about measurements and times of its part. */
export function useNotes({ partUuid, characteristicUuid }: { partUuid: string; characteristicUuid: string }) {
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
  const { data: values = [] } = useQuery(valuesOfMeasurementsQuery(server, characteristicUuid, measured));
  return {
    query: {
      data: notes,
      error: own.error ?? ofPart.error,
      refetch: () => Promise.all([own.refetch(), ofPart.refetch()]),
    },
    /** Values of the measurements that notes are about. */
    values,
  };
}

export type CharacteristicNotes = ReturnType<typeof useNotes>;

/** The notes with a place among the points in view. */
export function useShownNotes({ query, values }: CharacteristicNotes, shown: ShownSeries | undefined) {
  const formats = useFormats();
  const language = useLanguage();
  const extentText = useExtentText();
  const notes = query.data ?? NONE;
  return useMemo(() => {
    if (!shown) return [];
    const times = new Map(values.flatMap(({ measurementUuid, time }) => (time === undefined ? [] : [[measurementUuid, time] as const])));
    const write = (note: Note) => {
      const about = [note.user, extentText(note) || formats.dateTime(note.time), note.causeText && causeText(note.causeText, language)];
      return `${note.text}\n(${about.filter((text) => text !== undefined && text !== '').join(', ')})`;
    };
    return placeNotes(notes, shown, times, write);
  }, [notes, values, shown, formats, language, extentText]);
}
