import type { PathScope } from '@sinebar/access-control';
import { pathCondition, rawSql, sql, type Session } from '@sinebar/database';
import type { Attributes } from '../../../plan/plan-item.ts';
import { inTurns } from '../../../shared/turns.ts';
import { IDENTITY_KEYS, type ItemNames } from './item-matching.ts';

/** A part or characteristic that the caller may read. */
export interface StoredItem {
  id: number;
  uuid: string;
  parentId: number;
  name: string;
  /** Stored path. */
  path: string;
  markedPath: string;
  attributes: Attributes;
}

const COLUMNS = rawSql('id, uuid, parent_id AS "parentId", name, path, marked_path AS "markedPath", attributes');
/** Names that a new part may get when its own is taken. */
const BRACKETS = 3;

/** Reads parts and characteristics that an import may find; those that the caller may not read stay hidden. */
export class StoredItems {
  private readonly session: Session;
  private readonly readable: PathScope;

  constructor(session: Session, readable: PathScope) {
    this.session = session;
    this.readable = readable;
  }

  /** Finds parts by their stored paths, also parts above those that the caller may read. The root is always found. */
  async partsAt(paths: readonly string[]): Promise<StoredItem[]> {
    const readable = pathCondition(this.readable, 'path');
    const found: StoredItem[] = [];
    for await (const slice of inTurns(paths)) {
      const above = slice.filter((path) => path === '' || this.readable.prefixes.some((prefix) => prefix.startsWith(path)));
      const items = await this.session.query<StoredItem>(sql`
        SELECT ${COLUMNS} FROM plan_item
        WHERE kind = 'part' AND path = ANY(${slice}::text[]) AND (path = ANY(${above}::text[]) OR ${readable})`);
      for (const item of items) found.push(item);
    }
    return found;
  }

  /** Finds parts directly below others that have one of the names, as number, as name or in their paths. */
  async partsBelow(parents: readonly number[], names: readonly ItemNames[]): Promise<StoredItem[]> {
    const found = new Map<number, StoredItem>();
    for await (const slice of inTurns(names)) for (const item of await this.partsNamed(parents, slice)) found.set(item.id, item);
    return [...found.values()].sort((a, b) => a.id - b.id);
  }

  private partsNamed(parents: readonly number[], names: readonly ItemNames[]): Promise<StoredItem[]> {
    const own = names.flatMap(({ name, number, title }) => [name, ...[number, title].filter((text) => text !== undefined)]);
    const bracketed = names.flatMap(({ name, title }) => [
      `${name} (${title ?? ''})`,
      ...Array.from({ length: BRACKETS }, (_, i) => `${name} (${i + 2})`),
    ]);
    const { number, title } = IDENTITY_KEYS.part;
    return this.session.query<StoredItem>(sql`
      SELECT ${COLUMNS} FROM plan_item
      WHERE kind = 'part' AND parent_id = ANY(${parents}::int[]) AND ${pathCondition(this.readable, 'path')} AND (
        folded_name = ANY(${[...own, ...bracketed]}::text[])
        OR lower(replace(attributes ->> ${number}::text, 'ß', 'ss')) = ANY(${own}::text[])
        OR lower(replace(attributes ->> ${title}::text, 'ß', 'ss')) = ANY(${own}::text[]))`);
  }

  /** Reads the characteristics of parts, in the order of their creation, by the item above them. */
  async readCharacteristics(parts: readonly number[]): Promise<ReadonlyMap<number, StoredItem[]>> {
    const rows = await this.session.query<StoredItem>(sql`
      SELECT ${COLUMNS} FROM plan_item
      WHERE kind = 'characteristic' AND part_id = ANY(${parts}::int[]) AND ${pathCondition(this.readable, 'path')} ORDER BY id`);
    return byParent(rows);
  }
}

export function byParent(items: readonly StoredItem[]): Map<number, StoredItem[]> {
  return Map.groupBy(items, ({ parentId }) => parentId);
}
