import type { Alarm, Note } from '@sinebar/client';
import { useFormats, useTexts } from '../../../design/language/language';
import type { PaneQuery } from '../../../design/states/pane-state';
import { AlarmsOfItem } from '../../../quality/alarms/alarms-of-item';
import { NoteDialog } from '../../../quality/notes/note-dialog';
import type { NoteSubject } from '../../../quality/notes/note-subject';
import { NotesPane } from '../../../quality/notes/notes-pane';
import { texts } from '../../../quality/notes/texts';
import { nameOf, ownerPathOf, plainPathOf } from '../../../server/queries/plan-path';
import type { CharacteristicSearch } from '../search';
import { useCharacteristicParams, useCharacteristicSearch } from '../use-address';
import type { CharacteristicData } from '../use-characteristic';
import type { CharacteristicView } from '../use-view';
import { measuredPoint } from '../measured-point';
import type { CharacteristicNotes as Notes } from './use-notes';

interface CharacteristicNotesProps {
  /** Path of the characteristic. */
  path: string;
  data: CharacteristicData;
  notes: Notes;
  alarms: PaneQuery<readonly Alarm[]>;
  view: CharacteristicView;
}

/** Alarms of a characteristic, notes about it and its part below the charts, and the form for a note about a point of them. */
export function CharacteristicNotes({ path, data, notes, alarms, view }: CharacteristicNotesProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const search = useCharacteristicSearch();
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const { decimals, unit } = data;
  const { writing } = notes;
  const owner = ownerPathOf(path);
  const subject: NoteSubject = {
    partUuid,
    partName: nameOf(owner),
    partPath: plainPathOf(owner),
    characteristic: { uuid: characteristicUuid, name: nameOf(path) },
  };
  const measurementText = ({ measurementUuid }: Note) => {
    const found = notes.values.find((each) => each.measurementUuid === measurementUuid);
    return found && t.aboutValue(`${formats.number(found.value, decimals)} ${unit}`.trim(), formats.dayTime(found.time));
  };
  const showNote = (note: Note) => {
    const measured = notes.values.find((each) => each.measurementUuid === note.measurementUuid)?.time;
    const times = stretchOf(note, measured, view);
    return times && (() => view.showTimes(times, false));
  };
  const showAlarm = ({ since, last, measurementUuid }: Alarm) => {
    const times = measurementUuid === undefined ? undefined : stretchOf({ from: since, to: last }, undefined, view);
    return times && (() => view.showTimes(times, false));
  };
  const point = writing && measuredPoint(writing, view.shown);
  return (
    <>
      <AlarmsOfItem query={alarms} unit={unit} onShow={showAlarm} />
      <NotesPane
        query={notes.query}
        subject={{ ...subject, ...timeInView(search, view) }}
        subjectOf={(note) => {
          const text = measurementText(note);
          return {
            ...subject,
            ...(note.measurementUuid !== undefined && text !== undefined && { measurement: { uuid: note.measurementUuid, text } }),
          };
        }}
        itemOf={({ characteristicUuid: of }) => (of === undefined ? t.ofPart(subject.partName) : undefined)}
        measurementText={measurementText}
        onShow={showNote}
      />
      {writing && (
        <NoteDialog
          subject={{
            ...subject,
            ...(point && {
              measurement: {
                uuid: point.measurementUuid,
                text: t.aboutValue(`${formats.number(point.value, decimals)} ${unit}`.trim(), formats.dayTime(point.time)),
              },
            }),
            ...(writing.from !== undefined && { time: { from: writing.from, ...(writing.to !== undefined && { to: writing.to }) } }),
          }}
          onClose={notes.endWriting}
        />
      )}
    </>
  );
}

/** The stretch in view, where it is not the whole chart. */
function timeInView({ viewFrom, viewTo }: CharacteristicSearch, { shown }: CharacteristicView): Pick<NoteSubject, 'time'> {
  if (viewFrom === undefined && viewTo === undefined) return {};
  const from = viewFrom ?? shown?.entries[0]?.from;
  return from === undefined ? {} : { time: { from, ...(viewTo !== undefined && { to: viewTo }) } };
}

/** Times around a note that is out of view, with as much before and behind it; undefined for one without a position. */
function stretchOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  measured: string | undefined,
  { all }: CharacteristicView,
): { viewFrom: string; viewTo: string } | undefined {
  const [first, last] = [all?.entries[0]?.from, all?.entries.at(-1)?.to];
  const start = from ?? measured;
  if (start === undefined || first === undefined || last === undefined) return undefined;
  const end = to ?? (from === undefined ? start : last);
  const margin = Math.max((Date.parse(end) - Date.parse(start)) / 2, (Date.parse(last) - Date.parse(first)) / 50, 1);
  const at = (time: string, by: number) => new Date(Math.round(Date.parse(time) + by)).toISOString();
  return { viewFrom: at(start, -margin), viewTo: at(end, margin) };
}
