import type { PathScope } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { formatMarkedPath, storedPath, type PathElement } from '@sinebar/query-language';
import { quoted } from '@sinebar/http';
import type { PlanStore } from './plan-store.js';

/** A place that a request names, and where in the request it stands. */
interface NamedPlace {
  index: number;
  path: readonly PathElement[];
}

/**
 * The failure of a place whose parent does not exist; blanks around the name show between the quotation marks.
 * @param advice what to do, behind what is missing
 */
export function missingParent({ index, path }: NamedPlace, advice: string, depth = path.length - 1): ServiceError {
  const missing = path.slice(0, depth);
  const { kind, name } = missing.at(-1) ?? { kind: 'part', name: '' };
  return new ServiceError(
    'InvalidRequest',
    `[${index}].path: there is no ${kind} ${quoted(name)} at ${formatMarkedPath(missing)}${advice}`,
  );
}

/**
 * The failure of a place that is to be created, which names the first item above it that does not exist.
 * @param writable items above it elsewhere are not looked for: whether they exist is not told to those who may not write there
 * @param isCreated whether the request itself creates an item at a stored path
 */
export async function firstMissingParent(
  store: PlanStore,
  place: NamedPlace,
  writable: PathScope,
  isCreated: (path: string) => boolean,
): Promise<ServiceError> {
  const above = place.path.slice(0, -1).map(({ kind }, i) => ({ kind, depth: i + 1, path: storedPath(place.path.slice(0, i + 1)) }));
  const known = above.filter(({ path }) => writable.includes(path));
  const pathsOf = (kind: PathElement['kind']) => known.filter((item) => item.kind === kind).map(({ path }) => path);
  const existing = new Set(
    [...(await store.findByPaths('part', pathsOf('part'))), ...(await store.findByPaths('characteristic', pathsOf('characteristic')))].map(
      ({ path }) => path,
    ),
  );
  return missingParent(
    place,
    '; create it before, or in the same request',
    known.find(({ path }) => !existing.has(path) && !isCreated(path))?.depth,
  );
}
