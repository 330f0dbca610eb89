import type { PathScope } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { formatMarkedPath, storedPath, type PathElement } from '@sinebar/query-language';
import { quoted } from '@sinebar/http';
import { concerning } from './item-names.ts';
import type { PlanStore } from './plan-store.ts';

/** A path of a request, the uuid that stands with it, and their index in the request. */
interface NamedItem {
  index: number;
  uuid: string;
  path: readonly PathElement[];
}

/**
 * Builds the error for a path whose parent does not exist. The name is quoted, so that blanks around it are visible.
 * @param advice text after the missing parent that says what to do
 */
export function missingParent({ index, uuid, path }: NamedItem, advice: string, depth = path.length - 1): ServiceError {
  const missing = path.slice(0, depth);
  const { kind, name } = missing.at(-1) ?? { kind: 'part', name: '' };
  const item = concerning(path.at(-1)?.kind ?? kind, uuid, path);
  return new ServiceError(
    'InvalidRequest',
    `[${index}].path: There is no ${kind} ${quoted(name)} at ${formatMarkedPath(missing)}${advice}.${item}`,
  );
}

/**
 * Builds the error for an item to create, naming the first missing item above it.
 * @param writable only items in this scope are checked, because the error must not reveal whether others exist
 * @param isCreated whether the request itself creates an item at a stored path
 */
export async function firstMissingParent(
  store: PlanStore,
  item: NamedItem,
  writable: PathScope,
  isCreated: (path: string) => boolean,
): Promise<ServiceError> {
  const above = item.path.slice(0, -1).map(({ kind }, i) => ({ kind, depth: i + 1, path: storedPath(item.path.slice(0, i + 1)) }));
  const known = above.filter(({ path }) => writable.includes(path));
  const pathsOf = (kind: PathElement['kind']) => known.filter((item) => item.kind === kind).map(({ path }) => path);
  const existing = new Set(
    [...(await store.findByPaths('part', pathsOf('part'))), ...(await store.findByPaths('characteristic', pathsOf('characteristic')))].map(
      ({ path }) => path,
    ),
  );
  return missingParent(
    item,
    '. Create it before, or in the same request',
    known.find(({ path }) => !existing.has(path) && !isCreated(path))?.depth,
  );
}
