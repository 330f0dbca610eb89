import type { PathScope } from '@sinebar/access-control';
import type { PlanItem } from '../plan-item.js';

/** Names an item in an error. The uuid is shown only if the request named it or the caller may read the item. spec: decisions.md 8.3 */
export function nameOf({ kind, uuid, path }: PlanItem, named: ReadonlySet<string>, readable: PathScope): string {
  return named.has(uuid) || readable.includes(path) ? `the ${kind} ${uuid}` : `one of the ${kind}s`;
}
