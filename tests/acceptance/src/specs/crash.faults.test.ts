import { afterEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describeUnless, freePort, sinebarCommand } from '@sinebar/testing';
import { areAllReady } from '../support/product/crashes.ts';
import { EventListener, WAYS } from '../support/events/event-listener.ts';
import {
  PROGRAMS,
  filesBelow,
  isAlive,
  postmasterPid,
  runToEnd,
  start,
  SWEEP,
  temporaryFolder,
  type StartedProduct,
} from '../support/product/product.ts';
import { isReady, send, sendJson, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { createDatabase, SYSTEM_DATABASE_URL, variantKinds } from '../support/product/variants.ts';

const PARTS = '/dataServiceRest/parts';
const FILES = '/rawDataServiceRest/rawData/part';
const CHANGES = 200;
/** Number of concurrent changes, which a crash may interrupt. */
const WRITERS = 4;
const [{ connect }] = WAYS as [(typeof WAYS)[number]];

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

interface Load {
  /** Parts whose creation was answered with 2xx. */
  parts: string[];
  /** Parts whose file was answered with 2xx. */
  files: string[];
  /** Parts whose creation was sent. */
  attempted: string[];
}

/** Creates parts, each third with a file, and calls `halfway` once in the middle. Failed requests are not repeated. */
async function changeALot(url: string, halfway: () => Promise<void>): Promise<Load> {
  const load: Load = { parts: [], files: [], attempted: [] };
  let next = 0;
  let crash: Promise<void> | undefined;
  const write = async () => {
    for (let i = next++; i < CHANGES; i = next++) {
      if (i >= CHANGES / 2) crash ??= halfway();
      const uuid = randomUUID();
      load.attempted.push(uuid);
      const made = await sendJson(url, 'POST', PARTS, [{ uuid, path: `P:/${uuid}/` }]).catch(() => undefined);
      if (made?.status !== 201) continue;
      load.parts.push(uuid);
      if (i % 3 !== 0) continue;
      const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"f.txt"', 'Content-Length': '36' };
      const file = await send(url, { method: 'POST', path: `${FILES}/${uuid}`, headers, body: uuid }).catch(() => undefined);
      if (file?.status === 201) load.files.push(uuid);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await crash;
  return load;
}

async function expectKept(url: string, load: Load, lastSequence: string): Promise<void> {
  for (const uuid of load.parts) expect([uuid, (await send(url, { path: `${PARTS}/${uuid}` })).status]).toEqual([uuid, 200]);
  for (const uuid of load.files) {
    const file = await send(url, { path: `${FILES}/${uuid}/0` });
    expect([uuid, file.status]).toEqual([uuid, 200]);
    expect(file.bytes.toString()).toBe(uuid);
  }
  const listener = await new EventListener(connect(url, { auth: { lastSequence } })).connected();
  try {
    for (const uuid of load.parts) await listener.event('PartCreated', uuid);
    for (const uuid of load.files) await listener.event('RawDataCreated', uuid);
    // A change made now has the last event: all others arrive before it.
    const last = randomUUID();
    expect((await sendJson(url, 'POST', PARTS, [{ uuid: last, path: `P:/${last}/` }])).status).toBe(201);
    await listener.event('PartCreated', last);
    expect(listener.received.map(({ name }) => name)).not.toContain('Gap');
    const announced = new Set(listener.received.filter(({ name }) => name === 'PartCreated').map(({ data }) => String(data['PartUuid'])));
    const unanswered = load.attempted.filter((uuid) => !load.parts.includes(uuid));
    for (const uuid of unanswered) {
      const there = (await send(url, { path: `${PARTS}/${uuid}` })).status === 200;
      expect([uuid, announced.has(uuid)]).toEqual([uuid, there]);
    }
  } finally {
    listener.close();
  }
}

/** Returns the sequence of an event before all later changes. */
async function sequenceOfNow(url: string): Promise<string> {
  const listener = await new EventListener(connect(url)).connected();
  try {
    const uuid = randomUUID();
    expect((await sendJson(url, 'POST', PARTS, [{ uuid, path: `P:/${uuid}/` }])).status).toBe(201);
    return (await listener.event('PartCreated', uuid)).meta.sequence;
  } finally {
    listener.close();
  }
}

const kinds = await variantKinds();
const whyNot = (name: string) => {
  const kind = kinds.find((one) => one.name === name);
  return kind ? kind.missing : 'SINEBAR_URL names a running server';
};
const variant = async (name: string): Promise<Variant> => {
  const made = await (kinds.find((kind) => kind.name === name) as (typeof kinds)[number]).create();
  cleanUp.push(() => made.remove());
  return made;
};
const started = (product: StartedProduct): StartedProduct => {
  cleanUp.push(() => product.killAll());
  return product;
};

describeUnless(whyNot('standalone'), 'standalone', () => {
  it('keeps and announces exactly what it has answered when the process is killed during writes [D7.4]', async () => {
    const { start: run, dataFolder = '' } = await variant('standalone');
    const port = String(await freePort());
    const first = started(await run({ SINEBAR_PORT: port }));
    const before = await sequenceOfNow(first.url);
    const load = await changeALot(first.url, () => first.crash());
    expect(load.parts.length).toBeGreaterThan(CHANGES / 4);
    expect(load.parts.length).toBeLessThan(CHANGES);

    const second = started(await run({ SINEBAR_PORT: port }));
    await until('the product is ready', () => isReady(second.url));
    await expectKept(second.url, load, before);
    const rows = (
      (
        await send(second.url, { path: `/rawDataServiceRest/rawDataInformation/part?filter=${encodeURIComponent("FileName eq 'f.txt'")}` })
      ).json() as unknown[]
    ).length;
    // The start removed what the crash had left.
    expect(filesBelow(join(dataFolder, 'files'))).toHaveLength(rows);
    expect(filesBelow(join(dataFolder, 'spool'))).toEqual([]);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
  }, 300_000);

  it('uses the database that a killed process has left running', async () => {
    const { start: run, dataFolder = '' } = await variant('standalone');
    const first = started(await run());
    await first.crash();
    const orphan = postmasterPid(dataFolder);
    const second = started(await run());
    await until('the product is ready', () => isReady(second.url));
    const current = postmasterPid(dataFolder);
    expect(current).toBeGreaterThan(0);
    if (current !== orphan) expect([orphan, isAlive(orphan)]).toEqual([orphan, false]);
    await second.stop();
    await until('the database has stopped', () => !isAlive(current));
  }, 300_000);

  it('restarts on the same data and stops within seconds on Ctrl-C, with and without clients', async () => {
    const { start: run } = await variant('standalone');
    const uuid = randomUUID();
    for (let round = 0; round < 2; round += 1) {
      const product = started(await run());
      if (round === 0) expect((await sendJson(product.url, 'POST', PARTS, [{ uuid, path: `P:/${uuid}/` }])).status).toBe(201);
      expect((await send(product.url, { path: `${PARTS}/${uuid}` })).status).toBe(200);
      const listener = await new EventListener(connect(product.url, { reconnection: false })).connected();
      const begun = Date.now();
      expect(await product.stop('SIGINT', 30_000)).toEqual({ code: 0, signal: null });
      expect(Date.now() - begun).toBeLessThan(10_000);
      listener.close();
    }
  }, 300_000);

  it('reports that its port is used, and leaves nothing running', async () => {
    const folder = temporaryFolder();
    cleanUp.push(folder.remove);
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => void holder.close());
    const { port } = holder.address() as { port: number };
    const { code, output } = await runToEnd(PROGRAMS.standalone, { SINEBAR_PORT: String(port), SINEBAR_DATA_DIR: folder.path }, 120_000);
    expect(code).toBeGreaterThan(0);
    expect(output).toMatch(new RegExp(`[Pp]ort ${port}\\b`));
    const left = postmasterPid(folder.path);
    if (left > 0) await until('the database has stopped', () => !isAlive(left));
  }, 180_000);
});

const distributedNames = ['distributed', ...(process.env[SYSTEM_DATABASE_URL] === undefined ? [] : ['distributed on a system Postgres'])];

for (const name of distributedNames)
  describeUnless(whyNot(name), name, () => {
    it.each(['inspection', 'raw-data', 'events'])(
      'keeps and announces exactly what it has answered when %s is killed during writes',
      async (service) => {
        const { start: run, environment } = await variant(name);
        const product = started(await run());
        const before = await sequenceOfNow(product.url);
        const killed = () => product.services().find((candidate) => candidate.name === service)?.pid ?? 0;
        const load = await changeALot(product.url, async () => {
          const pid = killed();
          expect(pid).toBeGreaterThan(0);
          process.kill(pid, 'SIGKILL');
          await until(`${service} runs again`, () => killed() !== 0 && killed() !== pid);
        });
        await until('all of it is ready', () => areAllReady(product), 90_000);
        await expectKept(product.url, load, before);
        await product.stop();
        const sweep = (args: string[]) => runToEnd(SWEEP, environment, 60_000, ['--older-than-hours', '0', ...args]);
        expect((await sweep(['--delete'])).output).toContain('"missing": {\n    "count": 0');
        const { code, output } = await sweep([]);
        expect({ code, output }).toMatchObject({ code: 0 });
        expect(output).toContain('"orphans": {\n    "count": 0');
      },
      300_000,
    );

    it('becomes ready when four of each service start at once with an empty database', async () => {
      const serverUrl = process.env[name === 'distributed' ? 'DATABASE_URL' : SYSTEM_DATABASE_URL];
      const database = await createDatabase(serverUrl ?? '', `sinebar_acceptance_${randomUUID().replaceAll('-', '')}`);
      cleanUp.push(database.drop);
      const bucket = `sinebar-acceptance-${randomUUID()}`;
      for (const service of ['inspection', 'raw-data'] as const) {
        const ports = await Promise.all(Array.from({ length: 4 }, freePort));
        const env = { DATABASE_URL: database.url, S3_BUCKET: bucket, SINEBAR_HOST: '127.0.0.1', SINEBAR_MANAGEMENT_PORT: '0' };
        const spools = ports.map(() => temporaryFolder());
        cleanUp.push(() => spools.forEach(({ remove }) => remove()));
        const replicas = await Promise.all(
          ports.map(async (port, i) =>
            started(
              await start(sinebarCommand('start', '--services', service), {
                env: { ...backingOf(), ...env, SINEBAR_PORT: String(port), SINEBAR_SPOOL_DIR: spools[i]?.path ?? '' },
                ready: async () => await isReady(`http://127.0.0.1:${port}`),
              }),
            ),
          ),
        );
        expect(replicas).toHaveLength(4);
      }
    }, 300_000);
  });

function backingOf(): Record<string, string> {
  return Object.fromEntries(['NATS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'].map((name) => [name, process.env[name] ?? '']));
}
