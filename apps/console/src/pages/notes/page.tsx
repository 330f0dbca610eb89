import type { Note } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FilterField } from '../../design/controls/field';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { OptionsLine } from '../../design/layout/lines';
import { ExportMenu } from '../../quality/export/export-menu';
import { causeText } from '../../quality/notes/causes';
import type { NoteSubject } from '../../quality/notes/note-subject';
import { NotesPane } from '../../quality/notes/notes-pane';
import { texts as noteTexts } from '../../quality/notes/texts';
import { PartPage } from '../../quality/plan/part-page';
import { usePart } from '../../quality/plan/use-plan-items';
import { notedPathsQuery, notedTimesQuery, notesQuery } from '../../server/queries/note-queries';
import { nameOf, namesOf, ownerPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useAddressedItems, useView } from '../../server/use-view';
import type { NotesAddress } from './search';
import { texts } from './texts';

const NONE: readonly Note[] = [];

/** Notes about a part and everything below it. */
export function NotesPage() {
  const { partUuid = '' } = useAddressedItems();
  const part = usePart(partUuid);
  return (
    <PartPage partUuid={partUuid} view="notes">
      {part.data && <NotesOfPart partUuid={partUuid} path={part.data.path} />}
    </PartPage>
  );
}

function NotesOfPart({ partUuid, path }: { partUuid: string; path: string }) {
  const t = useTexts(texts);
  const words = useTexts(noteTexts);
  const formats = useFormats();
  const language = useLanguage();
  const server = useServer();
  const { view, change } = useView<NotesAddress>();
  const { find = '' } = view;
  const notes = useQuery(notesQuery(server, { partPath: plainPathOf(path) }));
  const all = notes.data ?? NONE;
  const { data: paths } = useQuery(notedPathsQuery(server, all));
  const { data: times } = useQuery(notedTimesQuery(server, all));
  const depth = namesOf(path).length;
  const pathOf = ({ characteristicUuid, partUuid: ofPart }: Note) => paths?.get(characteristicUuid ?? ofPart);
  const itemText = (note: Note) =>
    namesOf(pathOf(note) ?? '')
      .slice(depth)
      .join(' / ');
  const wanted = find.trim().toLowerCase();
  const cause = (note: Note) => (note.causeText === undefined ? '' : causeText(note.causeText, language));
  const found = all.filter((note) => [note.text, cause(note), note.user ?? '', itemText(note)].join(' ').toLowerCase().includes(wanted));
  const subjectOf = (note: Note): NoteSubject => {
    const item = pathOf(note);
    const owner = item === undefined ? path : ownerPathOf(item);
    const { characteristicUuid: uuid } = note;
    return {
      partUuid: note.partUuid,
      partName: nameOf(owner),
      partPath: plainPathOf(owner),
      ...(uuid !== undefined && { characteristic: { uuid, name: nameOf(item ?? '/') } }),
    };
  };
  const table = () => {
    const head = [t.headPath, t.headMeasurement, t.headFrom, t.headTo, t.headText, t.headCause, t.headUser, t.headTime];
    const rows = found.map((note) => [
      itemText(note),
      times?.get(note.measurementUuid ?? '') ?? note.measurementUuid,
      note.from,
      note.to,
      note.text,
      cause(note),
      note.user,
      note.time,
    ]);
    return { head, rows };
  };
  return (
    <>
      <OptionsLine actions={<ExportMenu title={[nameOf(path), t.notes]} table={table} canPrint />}>
        <FilterField label={t.filter} value={find} onChange={(text) => change({ find: text === '' ? undefined : text })} />
      </OptionsLine>
      {wanted !== '' && notes.data && found.length === 0 && <p>{t.nothingFound}</p>}
      <NotesPane
        query={{ data: notes.data && found, error: notes.error, refetch: () => notes.refetch() }}
        subject={{ partUuid, partName: nameOf(path), partPath: plainPathOf(path) }}
        isHeadHidden
        subjectOf={subjectOf}
        itemOf={(note) => <Item note={note} name={itemText(note)} />}
        measurementText={({ measurementUuid = '' }) => {
          const time = times?.get(measurementUuid);
          return time === undefined ? undefined : words.measurementOf(formats.dateTime(time));
        }}
      />
    </>
  );
}

/** The item of a note, which its name leads to; nothing for the part of the page. */
function Item({ note: { partUuid, characteristicUuid }, name }: { note: Note; name: string }) {
  if (name === '') return null;
  if (characteristicUuid === undefined) {
    return (
      <Link to="/parts/$partUuid/notes" params={{ partUuid }}>
        {name}
      </Link>
    );
  }
  return (
    <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={{ partUuid, characteristicUuid }}>
      {name}
    </Link>
  );
}
