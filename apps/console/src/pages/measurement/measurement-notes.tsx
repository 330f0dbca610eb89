import type { Note } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTexts } from '../../design/language/language';
import type { PaneQuery } from '../../design/states/pane-state';
import { NotesPane } from '../../quality/notes/notes-pane';
import type { NoteSubject } from '../../quality/notes/note-subject';
import { texts as noteTexts } from '../../quality/notes/texts';
import { byCharacteristic } from '../../quality/notes/use-notes-below';
import type { MeasuredRow } from '../../quality/values/measured-rows';
import { TIME_KEY, type MeasurementContent } from '../../quality/values/measurement-values';
import { notesQuery } from '../../server/queries/note-queries';
import { nameOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useTimeText } from './use-time-text';

/** Reads the notes about a measurement, its values, and the time at which it was made. */
export function useMeasurementNotes({ measurement, part }: MeasurementContent) {
  const server = useServer();
  const time = measurement.attributes[TIME_KEY];
  const at = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined;
  const around = at === undefined ? {} : { from: at, to: new Date(Date.parse(at) + 1).toISOString() };
  const read = useQuery(notesQuery(server, { partPath: plainPathOf(part.path), ...around }));
  const notes = useMemo(() => {
    const isAround = ({ from, partUuid }: Note) => from !== undefined && at !== undefined && partUuid === part.uuid;
    return read.data?.filter((note) => note.measurementUuid === measurement.uuid || isAround(note));
  }, [read.data, measurement.uuid, part.uuid, at]);
  return {
    query: { data: notes, error: read.error, refetch: () => read.refetch() },
    byCharacteristic: useMemo(() => byCharacteristic(notes ?? []), [notes]),
  };
}

interface MeasurementNotesProps {
  query: PaneQuery<readonly Note[]>;
  content: MeasurementContent;
  rows: readonly MeasuredRow[];
}

/** Notes about a measurement, and the button that writes one about it. */
export function MeasurementNotes({ query, content: { measurement, part }, rows }: MeasurementNotesProps) {
  const t = useTexts(noteTexts);
  const timeText = useTimeText();
  const text = t.measurementOf(timeText(measurement) ?? '…');
  const subject: NoteSubject = {
    partUuid: part.uuid,
    partName: nameOf(part.path),
    partPath: plainPathOf(part.path),
    measurement: { uuid: measurement.uuid, text },
  };
  const nameOfItem = ({ characteristicUuid }: Note) => rows.find(({ uuid }) => uuid === characteristicUuid)?.name ?? '…';
  return (
    <NotesPane
      query={query}
      subject={subject}
      subjectOf={(note) => {
        const { characteristicUuid: uuid } = note;
        return uuid === undefined ? subject : { ...subject, characteristic: { uuid, name: nameOfItem(note) } };
      }}
      itemOf={(note) =>
        note.characteristicUuid !== undefined && (
          <Link
            to="/parts/$partUuid/characteristics/$characteristicUuid"
            params={{ partUuid: part.uuid, characteristicUuid: note.characteristicUuid }}
          >
            {nameOfItem(note)}
          </Link>
        )
      }
      measurementText={({ measurementUuid }) => (measurementUuid === measurement.uuid ? text : undefined)}
    />
  );
}
