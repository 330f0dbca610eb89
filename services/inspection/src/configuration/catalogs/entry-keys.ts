import { ServiceError } from '@sinebar/contracts';
import { MAX_ENTRY_KEY } from '../attribute-values.ts';

/** Key in a request for which the server chooses the next free one (spec: inspection-service.md, Catalogs, rule 2). */
export const NEXT_FREE_KEY = -1;

/**
 * Chooses the keys of new entries of a catalog, in their order.
 * The next free key is the highest one of the catalog and the request plus 1; above the limit it is the lowest free one.
 * @param requested each from 0 to 32767, or {@link NEXT_FREE_KEY}
 * @param taken keys of the entries that the catalog has and keeps
 * @param where names the list in the request, for example `[0].catalogEntries`
 * @throws ServiceError 400 a key twice in the request, or no key left; 409 a key that is taken
 * spec: decisions.md 3.6
 */
export function entryKeysOf(requested: readonly number[], taken: ReadonlySet<number>, where: string): number[] {
  const used = new Set(taken);
  const indexByKey = new Map<number, number>();
  let highest = -1;
  for (const key of taken) highest = Math.max(highest, key);
  requested.forEach((key, index) => {
    if (key === NEXT_FREE_KEY) return;
    const other = indexByKey.get(key);
    if (other !== undefined)
      throw new ServiceError('InvalidRequest', `${where}[${index}]: The entry key ${key} stands in ${where}[${other}] already.`);
    if (taken.has(key))
      throw new ServiceError('AlreadyExists', `${where}[${index}]: The catalog has an entry with the key ${key} already.`);
    indexByKey.set(key, index);
    used.add(key);
    highest = Math.max(highest, key);
  });

  let lowestFree = 0;
  return requested.map((key, index) => {
    if (key !== NEXT_FREE_KEY) return key;
    if (highest < MAX_ENTRY_KEY) {
      highest += 1;
      used.add(highest);
      return highest;
    }
    while (used.has(lowestFree)) lowestFree += 1;
    if (lowestFree > MAX_ENTRY_KEY) {
      throw new ServiceError('InvalidRequest', `${where}[${index}]: No key is left. A catalog has at most ${MAX_ENTRY_KEY + 1} entries.`);
    }
    used.add(lowestFree);
    return lowestFree;
  });
}
