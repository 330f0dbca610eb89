import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import type { Socket } from 'socket.io-client';
import { size } from '@sinebar/testing/size';
import { reportFigures } from '@sinebar/testing';
import { DISTURBANCE } from '../support/disturbance.ts';
import { isNewsOfRestarts, Repetitions, resumeAfterRestarts, WAYS } from '../support/events/event-listener.ts';
import { preferring } from '../support/product/forms.ts';
import { createMeasuredParts } from '../support/measurements/measurement-content.ts';
import { residentMb } from '../support/product/process-watch.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { send, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { ONE_OF_EACH, presentKinds } from '../support/product/variants.ts';

const SECONDS = size({ short: 4, long: 60 });
const CLIENTS = 20;
const IN_A_BODY = 500;
const BODIES = 6 * SECONDS;
const WRITERS = 4;
const LIMIT_MS = 120_000 + SECONDS * 10_000;
const LOOK_EVERY_MS = 50;
/** Maximum ratio of memory after a load to memory before it: a heap varies. */
const FLAT_FACTOR = 1.4;
const FLAT_MB = 100;

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

const kinds = await presentKinds('events of a bulk import', preferring('distributed'));

/** Compares what it receives with what the first of all clients received. */
class Follower {
  readonly socket: Socket;
  count = 0;
  sequence = '';
  /** Observed violations. */
  readonly problems: string[] = [];

  /** @param order uuids of measurements in the order of arrival, filled by the first client */
  constructor(socket: Socket, order: string[]) {
    this.socket = socket;
    if (DISTURBANCE === undefined) socket.on('disconnect', (reason) => this.problems.push(`was cut off: ${reason}`));
    const repetitions = new Repetitions();
    socket.onAny((name: string, data: { MeasurementUuid?: string }, meta: { id: string; sequence: string }) => {
      if (isNewsOfRestarts(name) || repetitions.has(meta)) return;
      if (!isBehind(meta.sequence, this.sequence)) this.problems.push(`${meta.sequence} came after ${this.sequence}`);
      this.sequence = meta.sequence;
      if (name !== 'MeasurementCreated' || data.MeasurementUuid === undefined) {
        if (!/^(Part|Characteristic|Configuration)/.test(name)) this.problems.push(`got ${name}`);
        return;
      }
      order[this.count] ??= data.MeasurementUuid;
      if (order[this.count] !== data.MeasurementUuid) this.problems.push(`event ${this.count} is another one than that of other clients`);
      this.count += 1;
    });
    resumeAfterRestarts(socket);
  }
}

/** Whether all events have arrived or a problem was found. */
function isOver(followers: readonly Follower[], count: number): boolean {
  return followers.every((follower) => follower.count >= count) || followers.some(({ problems }) => problems.length > 0);
}

/** Clients must not parse a sequence; this test parses it to check the order of the stream. */
function isBehind(sequence: string, earlier: string): boolean {
  if (earlier === '') return true;
  const [[, a = 0, b = 0], [, c = 0, d = 0]] = [sequence.split('.').map(Number), earlier.split('.').map(Number)];
  return a > c || (a === c && b > d);
}

/** Measures the memory of a process during `work`; `undefined` where the system does not report it. */
async function memoryDuring(pid: number, work: () => Promise<void>): Promise<{ earlyMb: number; lateMb: number } | undefined> {
  const looks: number[] = [];
  const looking = setInterval(() => looks.push(residentMb(pid) ?? NaN), LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  const third = Math.ceil(looks.length / 3);
  const [earlyMb, lateMb] = [Math.max(...looks.slice(0, third)), Math.max(...looks.slice(-third))];
  return Number.isNaN(earlyMb) ? undefined : { earlyMb, lateMb };
}

function expectFlat(what: string, memory: Awaited<ReturnType<typeof memoryDuring>>): void {
  // After a restart another process is measured.
  if (!memory || DISTURBANCE !== undefined) return;
  reportFigures(`${what}: ${memory.earlyMb.toFixed(0)} MB in the first third, ${memory.lateMb.toFixed(0)} MB in the last`);
  expect(memory.lateMb).toBeLessThan(memory.earlyMb * FLAT_FACTOR + FLAT_MB);
}

/** The process that holds the sockets. */
function gatewayPid(product: StartedProduct): number {
  return product.services().find(({ name }) => name === 'events')?.pid ?? product.pid;
}

async function importAll(url: string, agent: Agent): Promise<Set<string>> {
  const [part] = await createMeasuredParts(url);
  const [characteristic] = part?.characteristics ?? [];
  const sent = new Set<string>();
  let bodies = 0;
  const write = async () => {
    while (bodies < BODIES) {
      bodies += 1;
      const measurements = Array.from({ length: IN_A_BODY }, () => ({
        uuid: randomUUID(),
        partUuid: part?.uuid,
        characteristics: { [characteristic as string]: { 1: '1.5' } },
      }));
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(measurements);
      const { status } = await send(url, { method: 'POST', path: '/dataServiceRest/values', headers, body, agent, timeoutMs: 120_000 });
      expect(status).toBe(201);
      for (const { uuid } of measurements) sent.add(uuid);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return sent;
}

describe.each(kinds)('events of a bulk import, $name', (kind) => {
  it(
    `reach ${CLIENTS} stock clients once and in order, also after a resume, with constant memory and no disconnect [D7.4]`,
    async () => {
      const variant: Variant = await kind.create();
      cleanUp.push(() => variant.remove());
      const product = await variant.start(ONE_OF_EACH);
      cleanUp.push(async () => void (await product.stop()));
      const { url } = product;
      const agent = new Agent({ keepAlive: true });
      cleanUp.push(() => agent.destroy());

      const order: string[] = [];
      const follow = (index: number, options = {}) => {
        const { connect } = WAYS[index % WAYS.length] as (typeof WAYS)[number];
        const follower = new Follower(connect(url, options), order);
        cleanUp.push(() => void follower.socket.off('disconnect').disconnect());
        return follower;
      };
      const followers = Array.from({ length: CLIENTS }, (_, i) => follow(i));
      await until('all clients are connected', () => followers.every(({ socket }) => socket.connected));
      const marker = randomUUID();
      const begin = new Promise<string>((resolve) => {
        followers[0]?.socket.on('PartCreated', (data: { PartUuid: string }, meta: { sequence: string }) => {
          if (data.PartUuid === marker) resolve(meta.sequence);
        });
      });
      const body = JSON.stringify([{ uuid: marker, path: `P:/${marker}/` }]);
      await send(url, { method: 'POST', path: '/dataServiceRest/parts', headers: { 'Content-Type': 'application/json' }, body });
      const lastSequence = await begin;

      let sent = new Set<string>();
      const live = await memoryDuring(gatewayPid(product), async () => {
        sent = await importAll(url, agent);
        await until('all clients have all events', () => isOver(followers, sent.size), LIMIT_MS);
      });
      expect(sent.size).toBe(BODIES * IN_A_BODY);
      expect(followers.flatMap(({ problems }) => problems).slice(0, 10)).toEqual([]);
      expect(followers.map(({ count }) => count)).toEqual(followers.map(() => sent.size));
      expect(new Set(order)).toEqual(sent);
      expectFlat(`${kind.name}, ${sent.size} events to ${CLIENTS} clients`, live);

      const resumed = [0, 1].map((index) => follow(index, { auth: { lastSequence } }));
      const replay = await memoryDuring(gatewayPid(product), () =>
        until('what was missed is sent', () => isOver(resumed, sent.size), LIMIT_MS),
      );
      expect(resumed.flatMap(({ problems }) => problems).slice(0, 10)).toEqual([]);
      expect(resumed.map(({ count }) => count)).toEqual(resumed.map(() => sent.size));
      expectFlat(`${kind.name}, ${sent.size} events again`, replay);
    },
    2 * LIMIT_MS,
  );
});
