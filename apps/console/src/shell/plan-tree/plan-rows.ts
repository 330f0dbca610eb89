import type { PartChildren } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';
import { lightCounts, worstLight } from '../../quality/values/lights';

export type PlanNode = PartChildren['children'][number];

/** One visible row of the tree. */
export interface PlanRow {
  node: PlanNode;
  /** 1 for what lies directly below the root. */
  level: number;
  /** Part that the row belongs to: itself, or the part of the characteristic. */
  partUuid: string;
  /** Place among its siblings, from 1, and their number. */
  position: number;
  siblings: number;
  isOpen: boolean;
}

/** Lists the visible rows, top down. @param childrenOf children that are known, by uuid */
export function visibleRows(
  rootUuid: string,
  childrenOf: (uuid: string) => readonly PlanNode[] | undefined,
  isOpen: (uuid: string) => boolean,
): PlanRow[] {
  const rows: PlanRow[] = [];
  const add = (uuid: string, partUuid: string, level: number) => {
    const nodes = childrenOf(uuid) ?? [];
    for (const [i, node] of nodes.entries()) {
      const part = node.kind === 'part' ? node.uuid : partUuid;
      const open = node.hasChildren && isOpen(node.uuid);
      rows.push({ node, level, partUuid: part, position: i + 1, siblings: nodes.length, isOpen: open });
      if (open) add(node.uuid, part, level + 1);
    }
  };
  add(rootUuid, rootUuid, 1);
  return rows;
}

/** Returns the worst light of a node. */
export function worstOf(statuses: PlanNode['statuses']): Status {
  return worstLight(lightCounts(statuses));
}

/** The effect of a key in the tree. */
export type TreeMove = { to: number } | { open: string } | { close: string } | undefined;

/** Finds out what a key does, as the tree pattern of ARIA says. @param at index of the current row */
export function moveBy(key: string, rows: readonly PlanRow[], at: number): TreeMove {
  const row = rows[at];
  const within = (index: number) => ({ to: Math.min(Math.max(index, 0), rows.length - 1) });
  if (key === 'ArrowDown') return within(at + 1);
  if (key === 'ArrowUp') return within(at - 1);
  if (key === 'Home') return within(0);
  if (key === 'End') return within(rows.length - 1);
  if (key === 'PageDown') return within(at + 20);
  if (key === 'PageUp') return within(at - 20);
  if (row === undefined) return undefined;
  if (key === 'ArrowRight') {
    if (row.node.hasChildren && !row.isOpen) return { open: row.node.uuid };
    return row.isOpen ? within(at + 1) : undefined;
  }
  if (key === 'ArrowLeft') {
    if (row.isOpen) return { close: row.node.uuid };
    const parent = rows.slice(0, at).findLastIndex(({ level }) => level === row.level - 1);
    return parent < 0 ? undefined : { to: parent };
  }
  return undefined;
}

/** Finds the next row whose name begins with the typed letters, from the current one on and around. */
export function rowTyped(text: string, rows: readonly PlanRow[], at: number): number | undefined {
  const wanted = text.toLowerCase();
  for (let step = text.length === 1 ? 1 : 0; step <= rows.length; step += 1) {
    const index = (at + step) % rows.length;
    if (rows[index]?.node.name.toLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}
