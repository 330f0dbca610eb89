import type { PathScope } from '@sinebar/access-control';
import { ServiceError, type FilledItem } from '@sinebar/contracts';
import type { PlanItemKind } from '@sinebar/query-language';
import type { AttributeType } from '../../../configuration/configuration.ts';
import type { PlanItemUpdate } from '../../../plan/changes/plan-update.ts';
import { compareAttributes, type Difference } from './attribute-comparison.ts';
import { keyName } from './imported-attributes.ts';
import { IDENTITY_KEYS } from './item-matching.ts';
import type { FoundItem } from './plan-draft.ts';
import { Turns } from '../../../shared/turns.ts';

/** What becomes of attributes to which file and server give different values. */
export type OnDifference = 'keep' | 'update' | 'refuse';

/** What a file changes on the parts and characteristics that are there. */
export interface PlanChanges {
  updates: Record<PlanItemKind, PlanItemUpdate[]>;
  /** At most {@link MAX_FILLED}. */
  filled: FilledItem[];
  warnings: { key: string; message: string }[];
}

export interface PlanChangeOptions {
  fill: boolean;
  onDifference: OnDifference;
  writable: PathScope;
}

const MAX_FILLED = 1000;
/** Most warnings and details. */
const MAX_PROBLEMS = 100;
/** Comment of the new versions. */
const COMMENT = 'Attributes of an imported file';

/**
 * Drafts the changes of found parts and characteristics.
 * @throws ServiceError 409 there are differences, and `onDifference` is `refuse`; 403 they may not be taken from the file
 * spec: decisions.md 11.3
 */
export async function draftChanges(
  found: readonly FoundItem[],
  typeOf: (key: number) => AttributeType | undefined,
  { fill, onDifference, writable }: PlanChangeOptions,
): Promise<PlanChanges> {
  const turns = new Turns();
  const changes: PlanChanges = { updates: { part: [], characteristic: [] }, filled: [], warnings: [] };
  const problems: { field: string; message: string }[] = [];
  let differenceCount = 0;
  const warn = (key: string, message: string) => {
    if (changes.warnings.length < MAX_PROBLEMS) changes.warnings.push({ key, message });
  };
  for (const { kind, stored, written, isByPath } of found) {
    if (turns.isOver) await turns.pass();
    const skipped = isByPath ? Object.values(IDENTITY_KEYS[kind]) : [];
    const { missing, differences } = compareAttributes(stored.attributes, written, typeOf, skipped);
    const item = `${kind} ${shownPath(stored.markedPath)}`;
    const mayWrite = writable.includes(stored.path);
    const keys = Object.keys(missing).map(Number);
    const isFilled = fill && mayWrite && keys.length > 0;
    if (isFilled && changes.filled.length < MAX_FILLED) {
      changes.filled.push({ kind, uuid: stored.uuid, path: stored.markedPath, keys });
    } else if (fill && !mayWrite && keys.length > 0) {
      const names = keys.map(keyName).join(', ');
      warn(keyName(keys[0] as number), `The ${item} has no ${names}, and you need the right plan:write there to fill them from the file.`);
    }
    for (const difference of differences) {
      differenceCount += 1;
      const field = keyName(Number(difference.key));
      const message = sentenceOf(difference, item, onDifference);
      if (onDifference !== 'refuse') warn(field, message);
      else if (problems.length < MAX_PROBLEMS) problems.push({ field, message });
    }
    const isUpdated = onDifference === 'update' && differences.length > 0;
    if (isUpdated && !mayWrite)
      throw new ServiceError('Forbidden', `You need the right plan:write to take attributes of the ${item} from the file.`);
    if (!isFilled && !isUpdated) continue;
    const updated = isUpdated ? differences.map(({ update }) => update) : [];
    const attributes = merged([stored.attributes, isFilled ? missing : {}, ...updated]);
    changes.updates[kind].push({ uuid: stored.uuid, attributes, comment: COMMENT });
  }
  const [first] = problems;
  if (first) {
    const others = differenceCount > 1 ? ` There are ${differenceCount} differences. See details.` : '';
    throw new ServiceError('Conflict', `The file differs from the plan, so nothing was stored. ${first.message}${others}`, {
      details: problems,
    });
  }
  return changes;
}

function sentenceOf({ key, what, inPlan, inFile }: Difference, item: string, onDifference: OnDifference): string {
  const name = `The ${what} ${keyName(Number(key))} of the ${item}`;
  const both = `${name} is ${inPlan} on the server and ${inFile} in the file`;
  if (onDifference === 'keep') return `${both}. That of the server stays; onDifference=update takes that of the file.`;
  return onDifference === 'update' ? `${both}. That of the file is taken.` : `${both}.`;
}

/** A marked path without its type marker and its last slash. */
function shownPath(markedPath: string): string {
  return markedPath.slice(markedPath.indexOf(':') + 1).replace(/(?<=.)\/$/, '');
}

/** Later attributes replace earlier ones; `undefined` removes one. */
function merged(all: readonly Readonly<Record<string, string | undefined>>[]): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const own of all) {
    for (const [key, text] of Object.entries(own)) {
      if (text !== undefined) attributes[key] = text;
      else delete attributes[key];
    }
  }
  return attributes;
}
