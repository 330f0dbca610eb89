import { measureAnalysis } from './analysis/measure-analysis.js';
import { measureConsole } from './console.js';
import { measureEventDelay } from './events/event-delay.js';
import { measureEventLatency } from './events/event-latency.js';
import { measureFanOut } from './events/fan-out.js';
import { measureFanOutToAll } from './events/fan-out-to-all.js';
import { measureIdleMemory } from './events/idle-memory.js';
import { measureReplay } from './events/replay.js';
import { measureExchange } from './exchange.js';
import { measureInspectionPlan } from './inspection-plan.js';
import { measureGzip, startForGzip } from './measurements/measure-gzip.js';
import { measureMeasurements } from './measurements/measurements.js';
import { measurePlants } from './plants/plants.js';
import { startDistributed, startInspectionAlone, startRawData, startStandalone, type Product } from './product.js';
import { measureRawData } from './raw-data/raw-data.js';
import { measureRestrictedReads } from './restricted-reads.js';
import { measureRoundTrips } from './round-trips.js';

interface Benchmark {
  measure?: (product: Product) => Promise<string>;
  products: readonly (() => Promise<Product>)[];
  /** Tables of programs that the benchmark starts itself. */
  alone?: readonly (() => Promise<string>)[];
}

/** Runs `npm run bench -- [name …]`: prints tables in Markdown. Ratios come from one run; absolute times say little. */
const BENCHMARKS: Record<string, Benchmark> = {
  'round-trips': { measure: measureRoundTrips, products: [startStandalone, startDistributed] },
  'inspection-plan': { measure: measureInspectionPlan, products: [startDistributed] },
  'restricted-reads': { measure: measureRestrictedReads, products: [startDistributed] },
  measurements: { measure: measureMeasurements, products: [() => startInspectionAlone()] },
  analysis: { measure: measureAnalysis, products: [() => startInspectionAlone()] },
  exchange: { measure: measureExchange, products: [() => startInspectionAlone()] },
  gzip: { measure: measureGzip, products: [startForGzip] },
  'raw-data': { measure: measureRawData, products: [startRawData] },
  events: {
    measure: measureEventLatency,
    products: [startStandalone, startDistributed],
    alone: [measureFanOut, measureIdleMemory, measureReplay],
  },
  console: { measure: measureConsole, products: [startStandalone] },
  'event-delay': { products: [], alone: [() => measureEventDelay()] },
  'fan-out': { products: [], alone: [measureFanOutToAll] },
  plants: { products: [], alone: [measurePlants] },
};
const words = process.argv.slice(2);
const unknown = words.filter((word) => !(word in BENCHMARKS));
if (unknown.length > 0) throw new Error(`not known: ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);

for (const [name, { measure, products, alone = [] }] of Object.entries(BENCHMARKS)) {
  if (words.length > 0 && !words.includes(name)) continue;
  for (const start of products) {
    const product = await start();
    try {
      if (measure) console.log(`${await measure(product)}\n`);
    } finally {
      await product.stop();
    }
  }
  for (const measureAlone of alone) console.log(`${await measureAlone()}\n`);
}
