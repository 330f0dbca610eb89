import { createTestDatabase } from '@sinebar/testing/databases';
import { measureAlarms } from './alarms/measure-alarms.ts';
import { measureAnalysis } from './analysis/measure-analysis.ts';
import { measureConsole } from './console.ts';
import { measureEventDelay } from './events/event-delay.ts';
import { measureEventLatency } from './events/event-latency.ts';
import { measureFanOut } from './events/fan-out.ts';
import { measureFanOutToAll } from './events/fan-out-to-all.ts';
import { measureIdleMemory } from './events/idle-memory.ts';
import { measureReplay } from './events/replay.ts';
import { measureExchange } from './exchange.ts';
import { measureInspectionPlan } from './inspection-plan.ts';
import { measureGzip, startForGzip } from './measurements/measure-gzip.ts';
import { measureMeasurements } from './measurements/measurements.ts';
import { measurePlants } from './plants/plants.ts';
import { startDistributed, startInspectionAlone, startRawData, startStandalone, type Product } from './product.ts';
import { measureRawData } from './raw-data/raw-data.ts';
import { measureReports } from './reports/reports.ts';
import { measureRestrictedReads } from './restricted-reads.ts';
import { measureRoundTrips } from './round-trips.ts';

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
  alarms: { measure: measureAlarms, products: [() => startInspectionAlone({ SINEBAR_WEBHOOK_HOSTS: '127.0.0.1' })] },
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
  reports: { products: [], alone: [measureReports] },
};
const words = process.argv.slice(2);
const unknown = words.filter((word) => !(word in BENCHMARKS));
if (unknown.length > 0) throw new Error(`not known: ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);

for (const [name, { measure, products, alone = [] }] of Object.entries(BENCHMARKS)) {
  if (words.length > 0 && !words.includes(name)) continue;
  for (const start of products) {
    await withOwnDatabase(async () => {
      const product = await start();
      try {
        if (measure) console.log(`${await measure(product)}\n`);
      } finally {
        await product.stop();
      }
    });
  }
  for (const measureAlone of alone) console.log(`${await measureAlone()}\n`);
}

/** Names a new database by DATABASE_URL while `work` runs: two benchmarks create the same items. */
async function withOwnDatabase(work: () => Promise<void>): Promise<void> {
  const given = process.env['DATABASE_URL'];
  const database = await createTestDatabase();
  process.env['DATABASE_URL'] = database.url;
  try {
    await work();
  } finally {
    process.env['DATABASE_URL'] = given;
    await database.drop();
  }
}
