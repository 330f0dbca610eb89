import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { noteSkip } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { ChangeFollower } from '../support/events/change-follower.ts';
import { finishLoad } from '../support/measurements/finish-load.ts';
import { createMeasuredParts } from '../support/measurements/measurement-content.ts';
import { MeasurementLoad } from '../support/measurements/measurement-load.ts';
import { serviceCrash, standaloneVictim, type Victim } from '../support/product/crashes.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { isReady, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { ONE_OF_EACH, variantKinds } from '../support/product/variants.ts';

/** Duration of the load between the crashes, seconds. */
const SECONDS = size({ short: 4, long: 60 });
const SECONDS_BETWEEN_CRASHES = 12;
const WRITERS = 8;
const READERS = 8;
const SHARED = 5;

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

const kinds = (await variantKinds()).filter(({ name, missing }) => {
  // A Postgres of the system must not be killed.
  if (name === 'distributed on a system Postgres') return false;
  if (missing !== undefined) noteSkip(missing, `measurements over crashes, ${name}`);
  return missing === undefined;
});

async function crashedStandalone(variant: Variant): Promise<Victim> {
  const victim = await standaloneVictim(variant, (product) => cleanUp.push(() => product.killAll()));
  cleanUp.push(async () => void (await victim.product().stop()));
  return victim;
}

async function started(variant: Variant, env: Record<string, string> = {}): Promise<StartedProduct> {
  const product = await variant.start(env);
  cleanUp.push(() => product.killAll());
  return product;
}

/** Kills the inspection service and a process of the database; the server then ends its other processes and recovers. */
async function distributedVictim(variant: Variant): Promise<Pick<Victim, 'url' | 'crashes'>> {
  const product = await started(variant, ONE_OF_EACH);
  cleanUp.push(async () => void (await product.stop()));
  const killInspection = serviceCrash(product, 'inspection');
  const databaseUrl = variant.environment['DATABASE_URL'] ?? '';
  const isOurs = (await backendOf(databaseUrl)) !== undefined;
  if (!isOurs) noteSkip('the database was not started for this run', 'crashes of the database');
  const killBackend = async () => {
    const pid = await backendOf(databaseUrl);
    if (pid === undefined) throw new Error('no process of the database can be found');
    process.kill(pid, 'SIGKILL');
  };
  return { url: product.url, crashes: { killInspection, ...(isOurs && { killBackend }) } };
}

/** A process that serves the inspection service; `undefined` when the server was not started for this run and must be left alone. */
async function backendOf(databaseUrl: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ folder: string; pid: number | null }>(
      `SELECT current_setting('data_directory') AS folder,
         (SELECT min(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sinebar inspection') AS pid`,
    );
    const [row] = rows;
    return row?.folder.startsWith(join(tmpdir(), 'sinebar-dev-')) ? (row.pid ?? undefined) : undefined;
  } finally {
    await client.end();
  }
}

describe.each(kinds)('measurements on $name', (kind) => {
  it(
    `survive kills of service and database with ${WRITERS} writers and ${READERS} readers (${SECONDS} s) [I166, D2.3, D7.4]`,
    async () => {
      const variant = await kind.create();
      cleanUp.push(() => variant.remove());
      const victim = kind.name === 'standalone' ? await crashedStandalone(variant) : await distributedVictim(variant);
      const { url } = victim;
      const crashes = Object.values(victim.crashes);
      await until('the product is ready', () => isReady(url));
      const agent = new Agent({ keepAlive: true });
      cleanUp.push(() => agent.destroy());
      const parts = await createMeasuredParts(url);
      const follower = new ChangeFollower(url, agent);
      await follower.start();
      const load = new MeasurementLoad(url, parts, agent);
      await load.createShared(SHARED);

      const rounds = Math.max(crashes.length, Math.floor(SECONDS / SECONDS_BETWEEN_CRASHES));
      const calm = () => pause((SECONDS * 1000) / (rounds + 1));
      const stop = load.start(WRITERS, READERS);
      for (let round = 0; round < rounds; round += 1) {
        await calm();
        await crashes[round % crashes.length]?.();
        await until('the product is ready', () => isReady(url), 120_000);
      }
      await calm();
      await stop();

      await finishLoad(url, { load, parts, follower, title: `${SECONDS} s, ${rounds} crashes` });
      expect(load.counts.acknowledged).toBeGreaterThan(WRITERS * rounds);
      expect(load.counts.reads).toBeGreaterThan(READERS * rounds);
    },
    300_000 + SECONDS * 3_000,
  );
});
