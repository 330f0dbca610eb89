import { ROOT_PART_UUID } from '@sinebar/contracts';
import {
  childMarkedPath,
  foldName,
  MAX_STORED_PATH_BYTES,
  parseMarkedPath,
  storedPath,
  storedPathElement,
  type PlanItemKind,
} from '@sinebar/query-language';
import type { RunningInspection } from '../running-inspection.fixture.ts';
import { sql } from './plan-client.fixture.ts';

interface Row {
  id: number;
  uuid: string;
  kind: PlanItemKind;
  parent_id: number | null;
  part_id: number;
  name: string;
  folded_name: string;
  path: string;
  marked_path: string;
  depth: number;
  attributes: Record<string, unknown>;
  version: number;
  plan_version: number;
  modified_at: Date;
}

interface HistoryRow {
  item_id: number;
  version: number;
  marked_path: string;
  modified_at: Date;
}

/**
 * Checks that the redundant columns of the whole plan (paths, depth, owning part, folded name) follow from parent and name.
 * Also: siblings have different names, every item is below the root, and history rows belong to existing items.
 * @throws Error that lists the problems
 */
export async function expectConsistentPlan(inspection: RunningInspection): Promise<void> {
  const rows = await sql<Row>(inspection, 'SELECT * FROM plan_item');
  const history = await sql<HistoryRow>(inspection, 'SELECT * FROM plan_item_history');
  const [state] = await sql<{ revision: number }>(inspection, 'SELECT revision FROM server_state');
  const problems = [...planProblems(rows, state?.revision ?? -1), ...historyProblems(rows, history)];
  if (problems.length > 0) throw new Error(`the plan is not consistent:\n${problems.slice(0, 20).join('\n')}`);
}

function* planProblems(rows: readonly Row[], revision: number): Generator<string> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const siblings = new Set<string>();
  const paths = new Set<string>();
  const roots = rows.filter(({ parent_id: parent }) => parent === null);
  if (roots.length !== 1 || roots[0]?.uuid !== ROOT_PART_UUID) yield `there are ${roots.length} roots`;
  for (const row of rows) {
    const said = (what: string, is: unknown, expected: unknown) =>
      `${row.uuid} ${row.marked_path}: ${what} is ${String(is)}, not ${String(expected)}`;
    if (paths.has(row.path)) yield said('the stored path', row.path, 'its own');
    paths.add(row.path);
    const largest = Math.max(revision, 0);
    if (row.version > row.plan_version || row.plan_version > largest)
      yield said('the version', `${row.version}/${row.plan_version}`, `up to ${revision}`);
    if (row.kind === 'part' && row.part_id !== row.id) yield said('the owning part', row.part_id, row.id);
    if (Buffer.byteLength(row.path) > MAX_STORED_PATH_BYTES) yield said('the length of the path', Buffer.byteLength(row.path), 'allowed');
    if (Object.values(row.attributes).some((value) => typeof value !== 'string'))
      yield said('an attribute', JSON.stringify(row.attributes), 'a text');
    if (row.parent_id === null) {
      if (row.path !== '' || row.marked_path !== '/' || row.depth !== 0 || row.kind !== 'part') yield said('the root', row.path, 'empty');
      continue;
    }
    const parent = byId.get(row.parent_id);
    if (!parent) {
      yield said('the parent', row.parent_id, 'there');
      continue;
    }
    const sibling = JSON.stringify([row.parent_id, row.kind, row.folded_name]);
    if (siblings.has(sibling)) yield said('the name', row.name, 'unique among its siblings');
    siblings.add(sibling);
    if (row.kind === 'part' && parent.kind !== 'part') yield said('the parent', parent.kind, 'a part');
    if (row.kind === 'characteristic' && row.part_id !== parent.part_id) yield said('the owning part', row.part_id, parent.part_id);
    if (row.folded_name !== foldName(row.name)) yield said('the folded name', row.folded_name, foldName(row.name));
    const path = parent.path + storedPathElement(row);
    if (row.path !== path) yield said('the stored path', row.path, path);
    const markedPath = childMarkedPath(parent.marked_path, row);
    if (row.marked_path !== markedPath) yield said('the path', row.marked_path, markedPath);
    if (row.depth !== parent.depth + 1) yield said('the depth', row.depth, parent.depth + 1);
    if (storedPath(parseMarkedPath(row.marked_path)) !== row.path) yield said('the path as it is read', row.marked_path, row.path);
  }
}

function* historyProblems(rows: readonly Row[], history: readonly HistoryRow[]): Generator<string> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const state of history) {
    const item = byId.get(state.item_id);
    if (!item) yield `there is history of the item ${state.item_id}, which does not exist`;
    else if (state.version >= item.version || state.modified_at > item.modified_at) {
      yield `${item.uuid}: the state ${state.version} of its history is not older than its version ${item.version}`;
    }
    parseMarkedPath(state.marked_path);
  }
}
