import { ROOT_PART_UUID, SinebarClient } from '@sinebar/client';
import { copyDataFolder, startBuiltProduct } from '@sinebar/testing/processes';
import { eventually } from '@sinebar/testing/eventually';
import { writeWorld, type WorldName } from './world.fixture.ts';

/** Longest time in which the characteristics of a world are assessed. */
const ASSESSED_MS = 300_000;
/** Longest time of a stop, in which PostgreSQL writes what it has in memory. */
const STOP_MS = 120_000;

/** Makes a data folder with a world; `scripts/jest/servers.mjs` runs it with the name of the world and the path of the folder. */
const [name, dataDir] = process.argv.slice(2) as [WorldName, string];
await copyDataFolder('empty', dataDir);
const { url, running } = await startBuiltProduct('standalone', { env: { SINEBAR_DATA_DIR: dataDir } });
await writeWorld(name, url);
// Otherwise each copy assesses them.
const { analysis } = new SinebarClient({ url });
await eventually(async () => (await analysis.statuses(ROOT_PART_UUID)).pending === undefined, { timeoutMs: ASSESSED_MS, intervalMs: 500 });
await running.stop(STOP_MS);
