import { measureInspectionPlan } from './inspection-plan.js';
import { measureMeasurements } from './measurements/measurements.js';
import { measureRoundTrips } from './round-trips.js';
import { measureRestrictedReads } from './restricted-reads.js';
import { startDistributed, startInspectionAlone, startStandalone, type Product } from './product.js';

/**
 * `npm run bench -- [round-trips|inspection-plan|restricted-reads|measurements …] [embedded|distributed|inspection …]`: prints tables in Markdown. Ratios come from one run; absolute times say little.
 */
const PRODUCTS: Record<string, () => Promise<Product>> = {
  embedded: startStandalone,
  distributed: startDistributed,
  inspection: startInspectionAlone,
};
const MEASUREMENTS: Record<string, (product: Product) => Promise<string>> = {
  'round-trips': measureRoundTrips,
  'inspection-plan': measureInspectionPlan,
  'restricted-reads': measureRestrictedReads,
  measurements: measureMeasurements,
};
const words = process.argv.slice(2);
const unknown = words.filter((word) => !(word in PRODUCTS) && !(word in MEASUREMENTS));
if (unknown.length > 0)
  throw new Error(`not known: ${unknown.join(', ')}; there are ${[...Object.keys(MEASUREMENTS), ...Object.keys(PRODUCTS)].join(', ')}`);
const chosen = <T>(all: Record<string, T>): T[] => {
  const named = Object.keys(all).filter((name) => words.includes(name));
  return (named.length > 0 ? named : Object.keys(all)).map((name) => all[name] as T);
};

for (const start of chosen(PRODUCTS)) {
  const product = await start();
  try {
    for (const measure of chosen(MEASUREMENTS)) console.log(`${await measure(product)}\n`);
  } finally {
    await product.stop();
  }
}
