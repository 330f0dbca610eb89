import type { Language } from '@sinebar/charts';
import { describe, expect, it } from '@jest/globals';
import { CAUSE_ATTRIBUTE, type Note } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { notesQuery } from '../../server/queries/note-queries';
import { useServer } from '../../server/server';
import { FakeServer, refusal } from '../../testing/fake-server.fixture';
import { renderComponent } from '../../testing/render.fixture';
import type { NoteSubject } from './note-subject';
import { NotesPane } from './notes-pane';

const SUBJECT: NoteSubject = {
  partUuid: 'p',
  partName: 'Car door',
  partPath: '/Car door',
  characteristic: { uuid: 'c', name: 'Gap' },
  measurement: { uuid: 'm', text: '20.01 mm of 2 March' },
};
const NOTE: Note = { uuid: 'n', partUuid: 'p', characteristicUuid: 'c', text: 'Dropped.', user: 'Ann', time: '2026-03-02T08:00:00Z' };
const ONE = '/analysisServiceRest/notes/:uuid';

function NotesOfGap() {
  const query = useQuery(notesQuery(useServer(), { characteristicUuid: 'c' }));
  return <NotesPane query={query} subject={SUBJECT} subjectOf={() => SUBJECT} />;
}

interface Given {
  notes?: readonly Note[];
  rights?: Readonly<Record<string, readonly string[]>>;
  catalogs?: readonly object[];
  language?: Language;
}

/** Renders the notes of one characteristic, signed in with some rights. */
async function renderNotes({ notes = [NOTE], rights = { 'note:write': ['/'] }, catalogs = [], language = 'en' }: Given = {}) {
  const definitions = { partAttributes: [], characteristicAttributes: [], measurementAttributes: [], valueAttributes: [] };
  const server = new FakeServer({
    'GET /analysisServiceRest/notes': () => notes,
    [`GET ${ONE}`]: () => withEtag(NOTE, '"1"'),
    'GET /dataServiceRest/permissions': () => ({
      userName: 'Ann',
      partRights: rights,
      serverRights: ['configuration:write', 'catalog:write'],
    }),
    'GET /dataServiceRest/configuration': () => ({ ...definitions, catalogAttributes: [], versioningType: 'Off' }),
    'GET /dataServiceRest/catalogs': () => catalogs,
  });
  const rendered = await renderComponent(<NotesOfGap />, { server, language });
  await act(() => rendered.session.begin());
  return rendered;
}

const withEtag = (note: Note, etag: string) =>
  new Response(JSON.stringify(note), { headers: { 'Content-Type': 'application/json', ETag: etag } });
const text = () => screen.findByRole('textbox', { name: 'Text' });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

describe('the notes of an item', () => {
  it('show text as it was written, never as HTML, with who wrote it', async () => {
    const written = '<b>Dropped</b> & 😀\nعربي';
    await renderNotes({ notes: [{ ...NOTE, text: written, user: 'u'.repeat(255) }] });
    const shown = await screen.findByText(/<b>Dropped<\/b> & 😀/);
    expect(shown.textContent).toBe(written);
    expect(shown.getAttribute('dir')).toBe('auto');
    expect(screen.getByText('u'.repeat(255)).tagName).toBe('BDI');
  });

  it('name the missing right, and have no buttons without it', async () => {
    await renderNotes({ rights: { 'measurement:read': ['/'] } });
    expect(await screen.findByText('You may read notes only: the right note:write for /Car door is missing.')).toBeDefined();
    await screen.findByText('Dropped.');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('are written about the measurement that was chosen, with a cause of the catalog', async () => {
    const entries = [{ key: 3, attributes: { [CAUSE_ATTRIBUTE]: 'Werkzeug verschlissen' } }];
    const { server } = await renderNotes({
      notes: [],
      catalogs: [{ uuid: 'k', name: 'Ursachen', validAttributes: [CAUSE_ATTRIBUTE], catalogEntries: entries }],
    });
    const sent: unknown[] = [];
    server.answer('POST /analysisServiceRest/notes', ({ body }) => (sent.push(body), NOTE));
    await press('Write a note');
    await userEvent.type(await text(), 'Insert changed.');
    await userEvent.click(screen.getByRole('combobox', { name: /^Cause/ }));
    await userEvent.click(await screen.findByRole('option', { name: /Tool worn/ }));
    await press('Save');
    await waitFor(() =>
      expect(sent).toEqual([
        { characteristicUuid: 'c', measurementUuid: 'm', text: 'Insert changed.', cause: 3, uuid: expect.any(String) as unknown },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('create the catalog of causes in the language of the reader where there is none', async () => {
    const { server } = await renderNotes({ language: 'de' });
    const sent: unknown[] = [];
    server.answer('POST /dataServiceRest/configuration/catalog', ({ body }) => void sent.push(body));
    server.answer('POST /dataServiceRest/catalogs', ({ body }) => void sent.push(body));
    await press('Notiz schreiben');
    await press('Mit üblichen Ursachen anlegen');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      [{ key: CAUSE_ATTRIBUTE, description: 'Ursache', type: 'AlphaNumeric' }],
      [{ name: 'Ursachen', validAttributes: [CAUSE_ATTRIBUTE] }],
    ]);
  });

  it('show both texts when two people change one, and store what the reader decides', async () => {
    const { server } = await renderNotes();
    const stored: unknown[] = [];
    server.answer(`PUT ${ONE}`, () => {
      server.answer(`GET ${ONE}`, () => withEtag({ ...NOTE, text: 'Theirs.', modifiedBy: 'Bob', modified: NOTE.time }, '"2"'));
      server.answer(`PUT ${ONE}`, ({ body }) => (stored.push(body), NOTE));
      return refusal(412, 'PreconditionFailed', 'Changed meanwhile.');
    });
    await press(/^Change the note/);
    await userEvent.type(await text(), ' Mine.');
    await press('Save');
    expect(await screen.findByText('Theirs.')).toBeDefined();
    expect(((await text()) as HTMLTextAreaElement).value).toBe('Dropped. Mine.');
    await press('Save');
    await waitFor(() => expect(stored).toEqual([{ text: 'Dropped. Mine.' }]));
  });

  it('are written again when somebody else has deleted one that is being changed', async () => {
    const { server } = await renderNotes();
    const sent: unknown[] = [];
    server.answer(`PUT ${ONE}`, () => refusal(404, 'NotFound', 'There is no note.'));
    server.answer('POST /analysisServiceRest/notes', ({ body }) => (sent.push(body), NOTE));
    await press(/^Change the note/);
    await userEvent.type(await text(), ' Again.');
    await press('Save');
    expect(await screen.findByText(/Somebody else has deleted this note/)).toBeDefined();
    await press('Save');
    await waitFor(() => expect(sent).toMatchObject([{ characteristicUuid: 'c', text: 'Dropped. Again.' }]));
  });

  it('keep what was typed when the right is taken away meanwhile', async () => {
    const { server, session } = await renderNotes();
    await press('Write a note');
    await userEvent.type(await text(), 'Typed.');
    server.answer('GET /dataServiceRest/permissions', () => ({ userName: 'Ann', partRights: {}, serverRights: [] }));
    await act(() => session.begin());
    expect(await screen.findByText(/The right note:write for \/Car door is missing\. Copy your text/)).toBeDefined();
    expect(((await text()) as HTMLTextAreaElement).value).toBe('Typed.');
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
  });

  it('ask before a typed text is discarded', async () => {
    await renderNotes();
    await press('Write a note');
    await userEvent.type(await text(), 'Typed.');
    await userEvent.keyboard('{Escape}');
    await press('Continue');
    expect(((await text()) as HTMLTextAreaElement).value).toBe('Typed.');
  });

  it('show the new text before one is deleted that somebody else has changed', async () => {
    const { server } = await renderNotes();
    server.answer(`DELETE ${ONE}`, () => {
      server.answer(`GET ${ONE}`, () => withEtag({ ...NOTE, text: 'Theirs.' }, '"2"'));
      return refusal(412, 'PreconditionFailed', 'Changed meanwhile.');
    });
    await press(/^Delete the note/);
    await press('Delete');
    expect(await screen.findByText('Theirs.')).toBeDefined();
    expect(screen.getByText(/Somebody else has changed the note meanwhile/)).toBeDefined();
  });
});
