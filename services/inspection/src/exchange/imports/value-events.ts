import { randomUUID } from 'node:crypto';
import { CAUSE_ATTRIBUTE } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import { readEntryText } from '../../notes/entry-texts.ts';
import { noteChange } from '../../notes/note-events.ts';
import type { NotedItem } from '../../notes/note-store.ts';
import type { CatalogKeys } from './plan/imported-catalogs.ts';

/** An event that is no text. */
const IS_NUMBER = /^\d+$/;

/** Events of values, by the uuids of their measurement and characteristic. */
export interface ValueEvent {
  measurementUuid: string;
  characteristicUuid: string;
  /** Number of an entry of the catalog of causes, as the file has it, or a text. */
  event: string;
}

/**
 * Stores events of values as notes about the characteristic at the measurement, which must be stored already.
 * A note has the cause of its event, or only a text where the catalog of causes has no entry for it. spec: decisions.md 11.11
 */
export class EventNotes {
  private readonly keys: CatalogKeys;
  private readonly user: string;
  private readonly at: Date;
  /** Texts of causes by their key. */
  private readonly texts = new Map<number, string>();

  constructor(keys: CatalogKeys, user: string, at: Date) {
    this.keys = keys;
    this.user = user;
    this.at = at;
  }

  async store(session: WriteSession, events: readonly ValueEvent[]): Promise<void> {
    if (events.length === 0) return;
    const causes = events.map(({ event }) => this.keys.entryOf(CAUSE_ATTRIBUTE, event) ?? null);
    const texts: (string | null)[] = [];
    for (const cause of causes) texts.push(cause === null ? null : await this.textOf(session, cause));
    const written = await session.query<NotedItem & { noteUuid: string }>(
      `WITH written AS (
         INSERT INTO note (uuid, item_id, created_by, created_at, measurement_id, text, cause, cause_text, modified_by)
         SELECT e.uuid, item.id, $7, $8, m.id, e.text, e.cause, e.cause_text, ''
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[]) WITH ORDINALITY
           AS e(uuid, measurement, characteristic, text, cause, cause_text, position)
         JOIN measurement m ON m.uuid = e.measurement
         JOIN plan_item item ON item.uuid = e.characteristic AND item.kind = 'characteristic'
         ORDER BY e.position RETURNING uuid, item_id)
       SELECT written.uuid AS "noteUuid", item.id, item.uuid, item.kind, part.id AS "partId", part.uuid AS "partUuid", part.path AS "partPath"
       FROM written JOIN plan_item item ON item.id = written.item_id JOIN plan_item part ON part.id = item.part_id`,
      [
        events.map(() => randomUUID()),
        events.map(({ measurementUuid }) => measurementUuid),
        events.map(({ characteristicUuid }) => characteristicUuid),
        events.map(({ event }, i) => texts[i] ?? (IS_NUMBER.test(event) ? `K0005 ${event}` : event)),
        causes,
        texts,
        this.user,
        this.at,
      ],
    );
    session.announce(written.map(({ noteUuid, ...item }) => noteChange('NoteCreated', noteUuid, item)));
  }

  private async textOf(session: WriteSession, cause: number): Promise<string> {
    let text = this.texts.get(cause);
    if (text === undefined) this.texts.set(cause, (text = await readEntryText(session, 'cause', cause)));
    return text;
  }
}
