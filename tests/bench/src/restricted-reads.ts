import { median, table, timed } from './figures.ts';
import { reachableDatabase, type Product } from './product.ts';
import { createCharacteristics, createPart, fetchDone } from './rest-calls.ts';
import { startRestrictedInspection } from './restricted-inspection.ts';

const ROUNDS = 9;
const SUBTREES = 20;
const CHARACTERISTICS = 2500;

/** Measures the cost for a caller with one of twenty subtrees, against one with all rights. */
export async function measureRestrictedReads(product: Product): Promise<string> {
  const { url } = product;
  const databaseUrl = reachableDatabase(product);
  const uuids: string[] = [];
  for (let i = 0; i < SUBTREES; i += 1) {
    uuids.push(await createPart(url, `subtree ${i}`));
    await createCharacteristics(url, `subtree ${i}`, 0, CHARACTERISTICS);
  }
  const inspection = await startRestrictedInspection(databaseUrl);
  const measure = async (prefix: string | undefined, address: string) => {
    inspection.restrictTo(prefix);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      times.push(await timed(() => fetchDone(`${inspection.url}/dataServiceRest/${address}`)));
    return median(times);
  };
  try {
    const rows: [string, string][] = [];
    for (const [what, address] of [
      ['characteristics of the visible part', `characteristics?partPath=${encodeURIComponent('/subtree 7')}`],
      ['all plan items', 'inspectionPlanItems'],
      ['count of all plan items', 'inspectionPlanItems/count'],
    ] as const) {
      rows.push([what, ((await measure('psubtree 7/', address)) / (await measure(undefined, address))).toFixed(2)]);
    }
    return table(
      [`one of ${SUBTREES} subtrees of ${CHARACTERISTICS} characteristics`, 'time / time of a caller who sees everything'],
      rows,
    );
  } finally {
    await inspection.stop();
    await fetchDone(`${url}/dataServiceRest/parts?partUuids={${uuids.join(',')}}`, { method: 'DELETE' });
  }
}
