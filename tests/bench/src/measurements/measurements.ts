import { table } from '../figures.ts';
import { reachableDatabase, type Product } from '../product.ts';
import { createMeasuredPlan } from './measured-plan.ts';
import { measureReads } from './measure-reads.ts';
import { measureWrites } from './measure-writes.ts';

const PARTS = 50;
const CHARACTERISTICS = 200;

/** Measures writing, reading and size of measured values, next to their goals. */
export async function measureMeasurements(product: Product): Promise<string> {
  const { url } = product;
  const databaseUrl = reachableDatabase(product);
  const parts = await createMeasuredPlan(url, PARTS, CHARACTERISTICS);
  const writes = await measureWrites(product, databaseUrl, parts);
  const reads = await measureReads(product, databaseUrl, parts);
  return table([`measurements, ${product.name}`, 'measured', 'goal'], [...writes, ...reads]);
}
