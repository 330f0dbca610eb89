import { table } from '../figures.js';
import { reachableDatabase, type Product } from '../product.js';
import { createMeasuredPlan } from './measured-plan.js';
import { measureReads } from './measure-reads.js';
import { measureWrites } from './measure-writes.js';

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
