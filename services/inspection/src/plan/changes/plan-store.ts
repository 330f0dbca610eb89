import { PathScope, rangeEnd } from '@sinebar/access-control';
import { columnsOf, pathCondition, rawSql, sql, type WriteSession } from '@sinebar/database';
import { foldName, MAX_STORED_PATH_BYTES, type PlanItemKind } from '@sinebar/query-language';
import type { Attributes, ChangedPlanItem, NewPlanItem, PlanChange, PlanItem, Relocation, StoredPlanItem } from '../plan-item.ts';
import { deleteAlarms, moveAlarms } from '../../shared/alarm-cleanup.ts';
import { assessBelow, assessItems, deleteAssessments } from '../../shared/figure-changes.ts';
import { deleteEvaluations, markMovedExclusions } from '../../shared/evaluation-cleanup.ts';
import { deleteNotesOfItems } from '../../shared/note-cleanup.ts';

/** Prefix for the paths of rows that are already moved while others are not; sorts before every stored path. */
const MOVED = '\u0001';

interface PlanItemRow {
  id: number;
  uuid: string;
  kind: PlanItemKind;
  parent_id: number | null;
  part_id: number;
  name: string;
  path: string;
  marked_path: string;
  depth: number;
}

const COLUMNS = 'id, uuid, kind, parent_id, part_id, name, path, marked_path, depth';

/** Statements on the inspection plan inside one transaction that changes it. */
export class PlanStore {
  private readonly session: WriteSession;

  constructor(session: WriteSession) {
    this.session = session;
  }

  async findByUuids(uuids: readonly string[]): Promise<PlanItem[]> {
    const rows = await this.session.query<PlanItemRow>(`SELECT ${COLUMNS} FROM plan_item WHERE uuid = ANY($1)`, [uuids], {
      name: 'plan-by-uuids',
    });
    return rows.map(itemOf);
  }

  async findStates(uuids: readonly string[]): Promise<StoredPlanItem[]> {
    const rows = await this.session.query<PlanItemRow & { attributes: Attributes }>(
      `SELECT ${COLUMNS}, attributes FROM plan_item WHERE uuid = ANY($1)`,
      [uuids],
      { name: 'plan-states' },
    );
    return rows.map((row) => ({ ...itemOf(row), attributes: row.attributes }));
  }

  async findByIds(ids: readonly number[]): Promise<PlanItem[]> {
    const rows = await this.session.query<PlanItemRow>(`SELECT ${COLUMNS} FROM plan_item WHERE id = ANY($1)`, [ids], {
      name: 'plan-by-ids',
    });
    return rows.map(itemOf);
  }

  async findByPaths(kind: PlanItemKind, paths: readonly string[]): Promise<PlanItem[]> {
    const rows = await this.session.query<PlanItemRow>(
      `SELECT ${COLUMNS} FROM plan_item WHERE kind = $1 AND path = ANY($2)`,
      [kind, paths],
      {
        name: 'plan-by-paths',
      },
    );
    return rows.map(itemOf);
  }

  /** Finds the items that have children. */
  async parentsAmong(ids: readonly number[]): Promise<Set<number>> {
    const rows = await this.session.query<{ id: number }>(
      `SELECT id FROM unnest($1::int[]) AS item (id) WHERE EXISTS (SELECT FROM plan_item WHERE parent_id = item.id)`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async newIds(count: number): Promise<number[]> {
    const rows = await this.session.query<{ id: number }>(`SELECT nextval('plan_item_id')::int AS id FROM generate_series(1, $1)`, [count]);
    return rows.map(({ id }) => id);
  }

  /** Assigns the number of this change: 0 for the first change of a server, then one more for each request that changes the plan. */
  async nextRevision(at: Date): Promise<number> {
    const [row] = await this.session.query<{ revision: number }>(
      'UPDATE server_state SET revision = revision + 1, inspection_plan_at = $1 RETURNING revision',
      [at],
      { name: 'plan-next-revision' },
    );
    if (!row) throw new Error('the row of the server state is missing');
    return row.revision;
  }

  async insert(items: readonly NewPlanItem[], change: PlanChange): Promise<void> {
    await this.session.query(
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes,
         version, plan_version, modified_at, characteristics_modified_at, comment)
       SELECT item.*, $12, $12, $13, $13, $14
       FROM unnest($1::int[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::int[], $11::jsonb[]) AS item`,
      [
        ...columnsOf(
          items.map(stored),
          'id',
          'uuid',
          'kind',
          'parentId',
          'partId',
          'name',
          'foldedName',
          'path',
          'markedPath',
          'depth',
          'attributes',
        ),
        change.revision,
        change.at,
        change.versioned ? change.comment : null,
      ],
      { name: 'plan-insert' },
    );
  }

  /** Records a change of characteristics on the parts that own them. */
  async touchOwners(partIds: readonly number[], change: PlanChange): Promise<void> {
    await this.session.query(
      'UPDATE plan_item SET characteristics_modified_at = $2, plan_version = $3 WHERE id = ANY($1)',
      [partIds, change.at, change.revision],
      { name: 'plan-touch-owners' },
    );
  }

  /** Writes the new states of the items except their paths, and their earlier states into the history. */
  async update(changed: readonly ChangedPlanItem[], change: PlanChange): Promise<void> {
    const after = changed.map((item) => item.after);
    if (change.versioned) {
      await this.session.query(
        `INSERT INTO plan_item_history (item_id, version, marked_path, attributes, comment, modified_at, characteristics_modified_at)
         SELECT id, version, marked_path, attributes, comment, modified_at, characteristics_modified_at FROM plan_item WHERE id = ANY($1)`,
        columnsOf(after, 'id'),
      );
    }
    await this.session.query(
      `UPDATE plan_item SET parent_id = item.parent_id, name = item.name, folded_name = item.folded_name, attributes = item.attributes,
         version = $6, plan_version = $6, modified_at = $7, comment = $8
       FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::jsonb[]) AS item (id, parent_id, name, folded_name, attributes)
       WHERE plan_item.id = item.id`,
      [
        ...columnsOf(after.map(stored), 'id', 'parentId', 'name', 'foldedName', 'attributes'),
        change.revision,
        change.at,
        // Overwrites the comment of an earlier change, which does not describe this one.
        change.versioned ? change.comment : null,
      ],
    );
    await assessItems(
      this.session,
      after.map(({ id }) => id),
    );
  }

  /** Moves items without children in one statement. */
  async relocateLeaves(relocations: readonly Relocation[]): Promise<void> {
    const after = relocations.map((relocation) => relocation.after);
    await this.session.query(
      `UPDATE plan_item SET path = item.path, marked_path = item.marked_path, depth = item.depth, part_id = item.part_id
       FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::int[]) AS item (id, path, marked_path, depth, part_id)
       WHERE plan_item.id = item.id`,
      columnsOf(after, 'id', 'path', 'markedPath', 'depth', 'partId'),
    );
    await this.markMoved(after);
  }

  /**
   * Rewrites the paths of items and everything below them.
   * Old and new paths may overlap: the deepest old path is moved first, and moved rows keep the prefix {@link MOVED} until all are moved.
   */
  async relocateSubtrees(relocations: readonly Relocation[], revision: number): Promise<void> {
    const mark = relocations.length > 1 ? MOVED : '';
    for (const { before, after } of [...relocations].sort((a, b) => b.before.depth - a.before.depth)) {
      await this.session.query(
        `UPDATE plan_item SET
           path = $1 || substr(path, $2),
           marked_path = $3 || substr(marked_path, $4, depth - $5) || ':' || $6 || substr(marked_path, depth + $7),
           depth = depth + $8,
           part_id = CASE WHEN part_id = $9 AND kind = 'characteristic' THEN $10 ELSE part_id END,
           plan_version = $11
         WHERE path >= $12 AND path < $13`,
        [
          mark + after.path,
          [...before.path].length + 1,
          markerOf(after),
          before.depth + 1,
          before.depth,
          namesOf(after),
          [...namesOf(before)].length + 2,
          after.depth - before.depth,
          before.partId,
          after.partId,
          revision,
          before.path,
          rangeEnd(before.path),
        ],
      );
    }
    if (mark !== '') {
      await this.session.query(`UPDATE plan_item SET path = substr(path, 2) WHERE path >= $1 AND path < $2`, [MOVED, '\u0002']);
    }
    await this.markMoved(relocations.map(({ after }) => after));
  }

  /** Moved items are below other evaluations. */
  private async markMoved(moved: readonly PlanItem[]): Promise<void> {
    const paths = moved.map(({ path }) => path);
    await markMovedExclusions(this.session, moved);
    await assessBelow(
      this.session,
      paths,
      moved.map(({ partId }) => partId),
    );
    await moveAlarms(this.session, paths);
  }

  /** Whether a path in the subtree would exceed the longest path after growing by `bytes`. */
  async wouldBeTooLong(item: PlanItem, bytes: number): Promise<boolean> {
    const rows = await this.session.query(`SELECT FROM plan_item WHERE path >= $1 AND path < $2 AND octet_length(path) + $3 > $4 LIMIT 1`, [
      item.path,
      rangeEnd(item.path),
      bytes,
      MAX_STORED_PATH_BYTES,
    ]);
    return rows.length > 0;
  }

  /** Finds these items and everything below them, children before parents. */
  async subtrees(items: readonly PlanItem[]): Promise<PlanItem[]> {
    const subtree = pathCondition(PathScope.of(items.map(({ path }) => path)), 'path');
    const rows = await this.session.query<PlanItemRow>(
      sql`SELECT ${rawSql(COLUMNS)} FROM plan_item WHERE ${subtree} ORDER BY depth DESC, path`,
    );
    return rows.map(itemOf);
  }

  /** Deletes items with what is said about them; the deletion of notes is announced. */
  async delete(ids: readonly number[]): Promise<void> {
    await deleteNotesOfItems(this.session, ids);
    await this.session.query('DELETE FROM plan_item WHERE id = ANY($1)', [ids], { name: 'plan-delete' });
    await this.session.query('DELETE FROM plan_item_history WHERE item_id = ANY($1)', [ids], { name: 'plan-delete-history' });
    await deleteEvaluations(this.session, ids);
    await deleteAssessments(this.session, ids);
    await deleteAlarms(this.session, ids);
  }
}

function itemOf(row: PlanItemRow): PlanItem {
  return {
    id: row.id,
    uuid: row.uuid,
    kind: row.kind,
    parentId: row.parent_id,
    partId: row.part_id,
    name: row.name,
    path: row.path,
    markedPath: row.marked_path,
    depth: row.depth,
  };
}

/** Adds the columns that are not members. */
function stored<T extends { name: string; attributes: Attributes }>(item: T) {
  return { ...item, foldedName: foldName(item.name), attributes: JSON.stringify(item.attributes) };
}

function markerOf({ markedPath, depth }: PlanItem): string {
  return markedPath.slice(0, depth);
}

function namesOf({ markedPath, depth }: PlanItem): string {
  return markedPath.slice(depth + 1);
}
