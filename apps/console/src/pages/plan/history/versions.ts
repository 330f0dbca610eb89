import type { VersionComment } from '@sinebar/client';
import type { Fields } from '../../../quality/editing/draft';
import { parentPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { fieldsOf, type PlanItem } from '../plan-item';
import { readComment } from '../../../quality/editing/version-comment';

/** A state of an item, with what differs from the state before it. */
export interface ItemVersion extends VersionComment {
  version: number;
  /** Time of the change that led to it. */
  time: string;
  fields: Fields;
  changes: readonly { field: string; was: string; text: string }[];
  /** Where it stood before, if it was moved. */
  movedFrom?: string;
  isCurrent: boolean;
}

/** Lists the states of an item, newest first. The oldest one that is kept has no changes. */
export function versionsOf(item: PlanItem & { history?: readonly PlanItem[] }): ItemVersion[] {
  const states: readonly PlanItem[] = [item, ...(item.history ?? [])];
  return states.map((state, index) => {
    const older = states[index + 1];
    const fields = fieldsOf(state);
    const before = older === undefined ? fields : fieldsOf(older);
    const names = [...new Set([...Object.keys(before), ...Object.keys(fields)])];
    const isMoved = older !== undefined && parentPathOf(older.path) !== parentPathOf(state.path);
    return {
      ...readComment(state.comment),
      version: state.version,
      time: state.timestamp,
      fields,
      changes: names
        .map((field) => ({ field, was: before[field] ?? '', text: fields[field] ?? '' }))
        .filter(({ was, text }) => was !== text),
      ...(isMoved && { movedFrom: plainPathOf(parentPathOf(older.path)) }),
      isCurrent: index === 0,
    };
  });
}
