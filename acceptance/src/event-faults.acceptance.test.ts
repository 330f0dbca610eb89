import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { cuttableProxy } from '@sinebar/testing';
import { serverCrash, serviceCrash } from './crashes.js';
import { EventLoad } from './event-load.js';
import { READERS, writePolicy } from './event-readers.js';
import { eventProblemsOf } from './event-verdict.js';
import { figuresOf, reportFigures } from './figures.js';
import { temporaryFolder, type StartedProduct } from './product.js';
import { isReady, until } from './rest-client.js';
import { ResumingClient } from './resuming-client.js';
import { ownServersKind, variantKinds, type VariantKind } from './variants.js';

const IS_LONG = process.env['SINEBAR_FAULT_ROUNDS'] !== undefined;
/** Of each fault. */
const ROUNDS = Number(process.env['SINEBAR_FAULT_ROUNDS'] ?? 1);
const CLIENTS = IS_LONG ? 50 : 12;
const CUT_MS = IS_LONG ? 60_000 : 8_000;
const WRITERS = 4;
/** So that there is something to lose between two faults. */
const CALM_MS = 1_500;
const MS_PER_ROUND = 90_000;
const READY_LIMIT_MS = 120_000;
const SETTLE_LIMIT_MS = 120_000;
/** Each move in the backlog is looked up at another service. */
const FOLLOW_LIMIT_MS = IS_LONG ? 300_000 : 60_000;
const PROBLEMS_SHOWN = 10;

const cleanUp: (() => Promise<unknown> | void)[] = [];
const cleanUpLast: (() => Promise<unknown> | void)[] = [];
const run = async (steps: typeof cleanUp) => {
  for (const step of steps.splice(0).reverse()) await step();
};
afterEach(() => run(cleanUp), 120_000);
afterAll(() => run(cleanUpLast), 120_000);

function countsOf(load: EventLoad, clients: readonly ResumingClient[]): Record<string, number> {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  return {
    changes: load.changes.length,
    acknowledged: load.acknowledged,
    doubtful: load.changes.filter(({ outcome }) => outcome === 'doubtful').length,
    clients: clients.length,
    'sets of rights': new Set(clients.map(({ reader }) => reader)).size,
    'events received': sum(clients.map(({ received }) => received.length)),
    reconnections: sum(clients.map(({ connections }) => connections - 1)),
  };
}

/** @throws with those that have it not in time */
async function forAll(clients: readonly ResumingClient[], what: string, has: (client: ResumingClient) => boolean): Promise<void> {
  await until(what, () => clients.every(has), SETTLE_LIMIT_MS).catch((error: unknown) => {
    const without = clients.flatMap((client, number) => (has(client) ? [] : [`client ${number} (${client.state})`]));
    throw new Error(`not had by ${without.join(', ')}: ${what}`, { cause: error });
  });
}

/** Lets the faults happen under writers and clients that come back, and looks at what each client has received. */
async function underLoad(name: string, url: string, faults: (load: EventLoad) => Promise<void>): Promise<EventLoad> {
  const agent = new Agent({ keepAlive: true });
  cleanUp.push(() => agent.destroy());
  const load = new EventLoad(url, agent);
  const clients = Array.from({ length: CLIENTS }, (_, number) => new ResumingClient(url, number));
  cleanUp.push(() => clients.forEach((client) => client.close()));
  await load.prepare();
  await forAll(clients, 'a place in the stream', ({ isPlaced }) => isPlaced);
  const first = await load.makeLast();
  await forAll(clients, 'the first event', (client) => client.has('PartCreated', first));

  const stop = load.start(WRITERS);
  await faults(load);
  await pause(CALM_MS);
  await stop();
  await until('the product is ready', () => isReady(url), READY_LIMIT_MS);
  // A change made now has the last event of each service: whatever else was to come has come before it.
  const last = await load.makeLast();
  await forAll(clients, 'the last events', (client) => client.has('PartCreated', last) && client.has('RawDataCreated', last));
  await load.resolveDoubts();
  const problemsOf = ({ received, reader }: ResumingClient) => eventProblemsOf(load.changes, received, reader);
  // Files of deleted parts are deleted when the service gets to it.
  await until('nothing is missing', () => clients.every((client) => problemsOf(client).length === 0), FOLLOW_LIMIT_MS).catch(
    () => undefined,
  );
  const problems = clients.flatMap((client, number) =>
    problemsOf(client).map((text) => `client ${number} (${client.reader.name}): ${text}`),
  );
  reportFigures(`${name}: ${figuresOf(countsOf(load, clients))}, ${problems.length} problems`);
  expect(problems.slice(0, PROBLEMS_SHOWN)).toEqual([]);
  expect(load.problems.slice(0, PROBLEMS_SHOWN)).toEqual([]);
  return load;
}

function policy(): Record<string, string> {
  const folder = temporaryFolder();
  cleanUpLast.push(folder.remove);
  return writePolicy(folder.path);
}

const own = await ownServersKind();
if (own.missing !== undefined) process.stderr.write(`SKIPPED (${own.missing}): events under crashes\n`);
(own.missing === undefined ? describe : describe.skip)('events of two gateway replicas', () => {
  let product: StartedProduct;
  const crashes: Record<string, () => Promise<void>> = {};

  beforeAll(async () => {
    const variant = await own.create();
    cleanUpLast.push(() => variant.remove());
    product = await variant.start({ SINEBAR_EVENTS_REPLICAS: '2', ...policy() });
    cleanUpLast.push(() => product.stop());
    for (const server of ['nats', 'postgres']) crashes[server] = serverCrash(variant, server);
    for (const service of ['events', 'inspection', 'raw-data']) crashes[service] = serviceCrash(product, service);
  }, 600_000);

  it.each(['nats', 'postgres', 'events', 'inspection', 'raw-data'])(
    `reach each of ${CLIENTS} clients in ${READERS.length} sets of rights, all that it may see, in order and nothing else, when %s is killed ${ROUNDS} times during writes`,
    async (name) => {
      const { url } = product;
      const load = await underLoad(`${name} killed ${ROUNDS} times`, url, async (current) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = current.acknowledged;
          await pause(CALM_MS * Math.random());
          await until('the writers have got on', () => current.acknowledged > before + WRITERS, READY_LIMIT_MS);
          await crashes[name]?.();
          await until('the product is ready', () => isReady(url), READY_LIMIT_MS);
        }
      });
      expect(load.acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
    },
    120_000 + FOLLOW_LIMIT_MS + ROUNDS * MS_PER_ROUND,
  );
});

const backed = (await variantKinds()).find(({ name }) => name === 'distributed') as VariantKind;
if (backed.missing !== undefined) process.stderr.write(`SKIPPED (${backed.missing}): events over a cut network\n`);
(backed.missing === undefined ? describe : describe.skip)('events over a network to the broker', () => {
  it.each(['stall', 'cut'] as const)(
    `reach each of ${CLIENTS} clients in ${READERS.length} sets of rights, all that it may see, in order and nothing else, when the network is gone for ${CUT_MS} ms during writes (%s)`,
    async (kind) => {
      const broker = new URL(process.env['NATS_URL'] ?? '');
      const proxy = await cuttableProxy(broker.hostname, Number(broker.port));
      cleanUp.push(() => proxy.close());
      const variant = await backed.create();
      cleanUp.push(() => variant.remove());
      const behindProxy = new URL(broker);
      behindProxy.host = `127.0.0.1:${proxy.port}`;
      const product = await variant.start({ NATS_URL: behindProxy.href.replace(/\/$/, ''), SINEBAR_EVENTS_REPLICAS: '2', ...policy() });
      cleanUp.push(() => product.stop());
      const load = await underLoad(`network gone for ${CUT_MS} ms (${kind})`, product.url, async (current) => {
        await pause(CALM_MS);
        proxy[kind]();
        const before = current.acknowledged;
        await pause(CUT_MS);
        // What needs no broker goes on meanwhile.
        expect(current.acknowledged).toBeGreaterThan(before + WRITERS);
        proxy.restore();
        await until('the product is ready', () => isReady(product.url), READY_LIMIT_MS);
      });
      expect(load.acknowledged).toBeGreaterThan(WRITERS);
    },
    240_000 + FOLLOW_LIMIT_MS + 2 * CUT_MS,
  );
});
