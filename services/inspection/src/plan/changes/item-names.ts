import type { PathScope } from '@sinebar/access-control';
import { quoted } from '@sinebar/http';
import { formatMarkedPath, type PathElement, type PlanItemKind } from '@sinebar/query-language';
import type { PlanItem } from '../plan-item.ts';

/** Names an item of a request behind an error that gives only its index. */
export function concerning(kind: PlanItemKind, uuid: string, path?: readonly PathElement[]): string {
  return ` It concerns the ${kind} ${uuid}${path ? ` at ${formatMarkedPath(path)}` : ''}.`;
}

/** Names an item whose form is wrong as {@link concerning} does, with the texts that were sent for it. */
export function concerningSent(kind: PlanItemKind, item: unknown): string {
  const text = (name: string) => {
    const [, value] = Object.entries(item ?? {}).find(([key]) => key.toLowerCase() === name) ?? [];
    return typeof value === 'string' ? quoted(value) : undefined;
  };
  const [uuid, path] = [text('uuid'), text('path')];
  if (uuid === undefined && path === undefined) return '';
  return ` It concerns the ${kind}${uuid === undefined ? '' : ` ${uuid}`}${path === undefined ? '' : ` at ${path}`}.`;
}

/** Names an item in an error. The uuid is shown only if the request named it or the caller may read the item. spec: decisions.md 8.3 */
export function nameOf({ kind, uuid, path }: PlanItem, named: ReadonlySet<string>, readable: PathScope): string {
  return named.has(uuid) || readable.includes(path) ? `the ${kind} ${uuid}` : `one of the ${kind}s`;
}
