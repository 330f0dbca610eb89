import type { Note } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';

/** Selects notes; all conditions have to be met. */
export interface NoteSelection extends RequestOptions {
  /** Only notes about this part, or this characteristic, itself. */
  partUuid?: string;
  characteristicUuid?: string;
  /** Only notes about this part and everything below it. */
  partPath?: string;
  /** Only notes about a time that ends here or later, and begins before `to`. */
  from?: Date | string;
  to?: Date | string;
  /** Most notes, at most 10,000; by default 1,000. */
  limitResult?: number;
  /** Newer notes that are left out. */
  offset?: number;
}

/** What a note says, and of which measurement or time; `from` alone is a time that goes on. */
export interface NoteContent {
  text: string;
  /** Key of an entry of the catalog of causes. */
  cause?: number;
  measurementUuid?: string;
  from?: string;
  to?: string;
}

export type NewNote = NoteContent & ({ partUuid: string } | { characteristicUuid: string }) & { uuid?: string; time?: string };

const NOTES = '/analysisServiceRest/notes';

/** Notes about parts and characteristics, their measurements and times. */
export class Notes {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Lists notes, the newest first. @throws SinebarError 404 */
  list({ signal, ...query }: NoteSelection = {}): Promise<Note[]> {
    return this.connection.json({ method: 'GET', path: NOTES, query: { ...query }, ...(signal && { signal }) });
  }

  /** @returns `etag` is a condition for changes. @throws SinebarError 404 */
  async get(uuid: string, { signal }: RequestOptions = {}): Promise<Note & { etag: string }> {
    const response = await this.connection.answer({ method: 'GET', path: `${NOTES}/${segment(uuid)}`, ...(signal && { signal }) });
    return { ...((await response.json()) as Note), etag: response.headers.get('etag') ?? '' };
  }

  /** @returns the note as it is stored. @throws SinebarError 400, 404; 409 for a uuid that exists */
  create(note: NewNote, { signal }: RequestOptions = {}): Promise<Note> {
    return this.connection.json({ method: 'POST', path: NOTES, json: note, ...(signal && { signal }) });
  }

  /**
   * Replaces text, cause, and measurement or time.
   * @param options.etag of the note that was read: refuses to overwrite the change of another
   * @throws SinebarError 400, 404; 412 when another has changed it
   */
  update(uuid: string, content: NoteContent, { etag, signal }: RequestOptions & { etag?: string } = {}): Promise<Note> {
    const { text, cause, measurementUuid, from, to } = content;
    return this.connection.json({
      method: 'PUT',
      path: `${NOTES}/${segment(uuid)}`,
      json: { text, cause, measurementUuid, from, to },
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** @throws SinebarError 404, 412 */
  delete(uuid: string, { etag, signal }: RequestOptions & { etag?: string } = {}): Promise<void> {
    return this.connection.done({
      method: 'DELETE',
      path: `${NOTES}/${segment(uuid)}`,
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }
}
