import { afterAll, afterEach, expect } from '@jest/globals';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { IS_LONG } from '@sinebar/testing/size';
import { reportFigures } from '@sinebar/testing';
import { EventLoad } from './event-load.ts';
import { writePolicy } from './event-readers.ts';
import { eventProblemsOf } from './event-verdict.ts';
import { figuresOf } from '../product/figures.ts';
import { temporaryFolder } from '../product/product.ts';
import { isReady, until } from '../requests/rest-client.ts';
import { ResumingClient } from './resuming-client.ts';

export const CLIENTS = IS_LONG ? 50 : 12;
export const WRITERS = 4;
/** Time between two faults in milliseconds, in which events occur. */
export const CALM_MS = 1_500;
export const READY_LIMIT_MS = 120_000;
const SETTLE_LIMIT_MS = 120_000;
/** Longest time that files of deleted parts may remain. */
export const FOLLOW_LIMIT_MS = IS_LONG ? 300_000 : 60_000;
const PROBLEMS_SHOWN = 10;

export type CleanUp = (() => Promise<unknown> | void)[];

/** Registers clean-up, in reverse order, after each test of the file and after all of them. */
export function cleanUps(): { cleanUp: CleanUp; cleanUpLast: CleanUp } {
  const lists = { cleanUp: [] as CleanUp, cleanUpLast: [] as CleanUp };
  const run = async (steps: CleanUp) => {
    for (const step of steps.splice(0).reverse()) await step();
  };
  afterEach(() => run(lists.cleanUp), 120_000);
  afterAll(() => run(lists.cleanUpLast), 120_000);
  return lists;
}

function countsOf(load: EventLoad, clients: readonly ResumingClient[]): Record<string, number> {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  return {
    changes: load.changes.length,
    acknowledged: load.acknowledged,
    refused: load.refused,
    unanswered: load.unanswered,
    doubtful: load.changes.filter(({ outcome }) => outcome === 'doubtful').length,
    clients: clients.length,
    'sets of rights': new Set(clients.map(({ reader }) => reader)).size,
    'events received': sum(clients.map(({ received }) => received.length)),
    reconnections: sum(clients.map(({ connections }) => connections - 1)),
  };
}

/** @throws naming the clients for which the condition does not hold in time */
async function forAll(clients: readonly ResumingClient[], what: string, has: (client: ResumingClient) => boolean): Promise<void> {
  await until(what, () => clients.every(has), SETTLE_LIMIT_MS).catch((error: unknown) => {
    const without = clients.flatMap((client, number) => (has(client) ? [] : [`client ${number} (${client.state})`]));
    throw new Error(`not had by ${without.join(', ')}: ${what}`, { cause: error });
  });
}

/** Causes the faults while writers and reconnecting clients run, and checks what each client has received. */
export async function underLoad(
  { name, url, cleanUp }: { name: string; url: string; cleanUp: CleanUp },
  faults: (load: EventLoad) => Promise<void>,
): Promise<EventLoad> {
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
  // Writers of a failed run must not disturb the next one.
  cleanUp.push(stop);
  await faults(load);
  await pause(CALM_MS);
  await stop();
  await until('the product is ready', () => isReady(url), READY_LIMIT_MS);
  // The last events of each service: all earlier events arrive before them.
  const last = await load.makeLast();
  await forAll(clients, 'the last events', (client) => client.has('PartCreated', last) && client.has('RawDataCreated', last));
  await load.resolveDoubts();
  const problemsOf = ({ received, reader }: ResumingClient) => eventProblemsOf(load.changes, received, reader);
  // The service deletes files of deleted parts later.
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

/** Returns settings with the rights of the clients. */
export function policyFor(cleanUp: CleanUp): Record<string, string> {
  const folder = temporaryFolder();
  cleanUp.push(folder.remove);
  return writePolicy(folder.path);
}
