import { randomUUID } from 'node:crypto';
import type { PathScope } from '@sinebar/access-control';
import { invalidField, ServiceError, type Note } from '@sinebar/contracts';
import type { Database, Session, WriteSession } from '@sinebar/database';
import { sharePlan } from '../shared/plan-lock.ts';
import type { Caller } from '../shared/request-context.ts';
import type { HideUsers } from '../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../shared/answers/text-etag.ts';
import { readEntryText } from './entry-texts.ts';
import type { NewNote, NoteContent } from './note-body.ts';
import { noteChange } from './note-events.ts';
import {
  deleteNote,
  findNote,
  findNotedItem,
  insertNote,
  keepMeasurement,
  lockNote,
  readNotes,
  updateNote,
  type NotedItem,
  type NoteSelection,
  type StoredNote,
  type WrittenNote,
} from './note-store.ts';

export interface NoteDependencies {
  database: Database;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** Reads and changes notes; each change is one transaction under the shared plan lock. */
export class NoteService {
  private readonly deps: NoteDependencies;

  constructor(deps: NoteDependencies) {
    this.deps = deps;
  }

  /**
   * Lists notes, the newest first, of the parts whose measurements the caller may read.
   * @throws ServiceError 403, 404 for a named item
   */
  list(selection: NoteSelection, caller: Caller): Promise<TextWithEtag> {
    const readable = caller.principal.scopeOf('measurement:read');
    return this.deps.database.snapshot(caller, async (session) => {
      const { partUuid, characteristicUuid } = selection;
      if (partUuid !== undefined) requireRight(await findItem(session, 'part', partUuid), readable, 'read');
      if (characteristicUuid !== undefined) requireRight(await findItem(session, 'characteristic', characteristicUuid), readable, 'read');
      const notes = await readNotes(session, readable, selection);
      return withEtag(JSON.stringify(notes.map((note) => this.deps.hide(note, caller.principal))));
    });
  }

  /** @throws ServiceError 403, 404 */
  read(uuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => {
      const { note, item } = await readStored(session, uuid);
      requireRight(item, caller.principal.scopeOf('measurement:read'), 'read');
      return this.textOf(note, caller);
    });
  }

  /** @throws ServiceError 400 for an unknown measurement or cause; 403, 404; 409 for a uuid that exists */
  create({ target, content, uuid = randomUUID(), time }: NewNote, caller: Caller): Promise<TextWithEtag> {
    const now = this.deps.now();
    if (time !== undefined && time > now.toISOString()) throw invalidField('time', 'The time of a note is not in the future.');
    return this.deps.database.write(caller, async (session) => {
      await sharePlan(session);
      const item = await findItem(session, target.kind, target.uuid);
      requireRight(item, caller.principal.scopeOf('note:write'), 'write');
      const at = time === undefined ? now : new Date(time);
      const written = { ...(await resolve(session, item, content)), uuid, user: caller.principal.name, at };
      if (!(await insertNote(session, item.id, written))) throw new ServiceError('AlreadyExists', `There is a note ${uuid} already.`);
      session.announce([noteChange('NoteCreated', uuid, item)]);
      return this.textOf((await readStored(session, uuid)).note, caller);
    });
  }

  /** Replaces text, cause, measurement and time of a note. @throws ServiceError as `create`; 412 */
  update(uuid: string, content: NoteContent, caller: Caller): Promise<TextWithEtag> {
    return this.change(uuid, caller, async (session, { item, note, causeText }) => {
      const known = content.cause === note.cause ? (causeText ?? undefined) : undefined;
      const written = { ...(await resolve(session, item, content, known)), uuid, user: caller.principal.name, at: this.deps.now() };
      await updateNote(session, written);
      session.announce([noteChange('NoteModified', uuid, item)]);
      return this.textOf((await readStored(session, uuid)).note, caller);
    });
  }

  /** @throws ServiceError 403, 404, 412 */
  delete(uuid: string, caller: Caller): Promise<void> {
    return this.change(uuid, caller, async (session, { item }) => {
      await deleteNote(session, uuid);
      session.announce([noteChange('NoteDeleted', uuid, item)]);
    });
  }

  private change<T>(uuid: string, caller: Caller, act: (session: WriteSession, stored: StoredNote) => Promise<T>): Promise<T> {
    return this.deps.database.write(caller, async (session) => {
      await sharePlan(session);
      await lockNote(session, uuid);
      const stored = await readStored(session, uuid);
      requireRight(stored.item, caller.principal.scopeOf('note:write'), 'write');
      requireMatch(caller.ifMatch, this.textOf(stored.note, caller).etag, `The note ${uuid}`);
      return act(session, stored);
    });
  }

  private textOf(note: Note, { principal }: Caller): TextWithEtag {
    return withEtag(JSON.stringify(this.deps.hide(note, principal)));
  }
}

async function readStored(session: Session, uuid: string): Promise<StoredNote> {
  const stored = await findNote(session, uuid);
  if (!stored) throw new ServiceError('NotFound', `There is no note ${uuid}.`);
  return stored;
}

async function findItem(session: Session, kind: NotedItem['kind'], uuid: string): Promise<NotedItem> {
  const item = await findNotedItem(session, { kind, uuid });
  if (!item) throw new ServiceError('NotFound', `There is no ${kind} ${uuid}.`);
  return item;
}

function requireRight({ kind, uuid, partPath }: NotedItem, scope: PathScope, act: 'read' | 'write'): void {
  if (!scope.includes(partPath)) throw new ServiceError('Forbidden', `You may not ${act} notes about the ${kind} ${uuid}.`);
}

/** Finds what the content of a note refers to. @param causeText text of its cause, if it is known already */
async function resolve(
  session: WriteSession,
  item: NotedItem,
  content: NoteContent,
  causeText?: string,
): Promise<Pick<WrittenNote, 'content' | 'measurementId' | 'causeText'>> {
  const { measurementUuid, cause } = content;
  const measurementId = measurementUuid === undefined ? undefined : await keepMeasurement(session, measurementUuid, item.partId);
  if (measurementUuid !== undefined && measurementId === undefined) {
    throw invalidField('measurementUuid', `There is no measurement ${measurementUuid} of the part ${item.partUuid}.`);
  }
  return {
    content,
    measurementId,
    causeText: causeText ?? (cause === undefined ? undefined : await readEntryText(session, 'cause', cause)),
  };
}
