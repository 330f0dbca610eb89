import { beforeAll, expect, it } from '@jest/globals';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describeUnless, reportFigures } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { areAllReady, serverCrash, serviceCrash } from '../support/product/crashes.ts';
import { WRITER_HEADERS } from '../support/events/event-readers.ts';
import { CALM_MS, cleanUps, FOLLOW_LIMIT_MS, policyFor, READY_LIMIT_MS, underLoad, WRITERS } from '../support/events/event-run.ts';
import { figuresOf } from '../support/product/figures.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { send, until } from '../support/requests/rest-client.ts';
import { ownServersKind } from '../support/product/variants.ts';

/** How often one of each is ended. */
const ROUNDS = size({ short: 1, long: 50 });
const MS_PER_ROUND = 120_000;
const SERVICES = ['inspection', 'raw-data', 'events'];
const NATS_SERVERS = ['nats-0', 'nats-1', 'nats-2'];
const READS = ['/dataServiceRest/parts?limitResult=5', '/rawDataServiceRest/rawDataInformation/part', '/eventServiceRest/changes'];
const READ_PAUSE_MS = 20;

const { cleanUp, cleanUpLast } = cleanUps();

/** Reads from every service, one request after the other. */
class Reading {
  readonly counts = { answered: 0, refused: 0, 'broken off': 0 };
  readonly problems: string[] = [];
  private isStopping = false;
  private readonly running: Promise<void>;

  constructor(url: string) {
    const agent = new Agent({ keepAlive: true });
    cleanUp.push(() => agent.destroy());
    this.running = Promise.all(READS.map((path) => this.read(url, path, agent))).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async read(url: string, path: string, agent: Agent): Promise<void> {
    while (!this.isStopping) {
      try {
        const { status, headers } = await send(url, { path, headers: WRITER_HEADERS, agent });
        if (status === 200) this.counts.answered += 1;
        else if (status === 503 && Number(headers['retry-after']) > 0) this.counts.refused += 1;
        else this.problems.push(`${path} was answered with ${status}, Retry-After ${headers['retry-after']}`);
      } catch (error) {
        // The connection broke in the middle of an answer, which cannot be repeated.
        if ((error as Error).message === 'aborted') this.counts['broken off'] += 1;
        else this.problems.push(`${path} was not answered: ${(error as Error).message}`);
      }
      await pause(READ_PAUSE_MS);
    }
  }
}

const own = await ownServersKind();
describeUnless(own.missing, 'two of every service and three of NATS', () => {
  let product: StartedProduct;
  const ends: Record<string, (() => Promise<void>)[]> = {};

  beforeAll(async () => {
    const variant = await own.create();
    cleanUpLast.push(() => variant.remove());
    const servers = { SINEBAR_REPLICAS: '2', SINEBAR_NATS_SERVERS: '3', SINEBAR_NATS_REPLICAS: '3' };
    product = await variant.start({ ...servers, ...policyFor(cleanUpLast) });
    cleanUpLast.push(() => product.stop());
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) ends[signal] = SERVICES.map((service) => serviceCrash(product, service, signal));
    ends['NATS'] = NATS_SERVERS.map((server) => serverCrash(variant, server));
  }, 600_000);

  it.each([
    ['one of each service is stopped and started', 'SIGTERM', ROUNDS],
    ['one of each service is killed and started', 'SIGKILL', ROUNDS],
  ])(
    `lose no event and fail only with 503 and Retry-After while %s (%s, %i times) [D2.6, D7.4]`,
    async (name, how, rounds) => {
      await undisturbed(`${name} ${rounds} times`, how === 'SIGKILL', async () => {
        for (let round = 0; round < rounds; round += 1) {
          await Promise.all((ends[how] ?? []).map((end) => end()));
          await until('all of it is ready', () => areAllReady(product), READY_LIMIT_MS);
          await pause(CALM_MS * Math.random());
        }
      });
    },
    180_000 + FOLLOW_LIMIT_MS + ROUNDS * MS_PER_ROUND,
  );

  it(
    `lose no event and fail only with 503 and Retry-After while any one server of NATS is killed and started [D7.4]`,
    async () => {
      await undisturbed(`each of three servers of NATS killed ${Math.ceil(ROUNDS / 2)} times`, false, async () => {
        for (let round = 0; round < Math.ceil(ROUNDS / 2); round += 1) {
          for (const kill of ends['NATS'] ?? []) {
            await kill();
            await until('all of it is ready', () => areAllReady(product), READY_LIMIT_MS);
            await pause(CALM_MS * Math.random());
          }
        }
      });
    },
    180_000 + FOLLOW_LIMIT_MS + 2 * ROUNDS * MS_PER_ROUND,
  );

  /**
   * Writers, readers and event clients see no failures except requests that they may repeat.
   * @param mayBreakOff true if a killed process may interrupt its answers
   */
  async function undisturbed(name: string, mayBreakOff: boolean, faults: () => Promise<void>): Promise<void> {
    const load = await underLoad({ name, url: product.url, cleanUp }, async () => {
      const reading = new Reading(product.url);
      await faults();
      await reading.stop();
      reportFigures(`${name}, reads: ${figuresOf(reading.counts)}`);
      expect(reading.problems.slice(0, 10)).toEqual([]);
      if (!mayBreakOff) expect(reading.counts['broken off']).toBe(0);
      expect(reading.counts.answered).toBeGreaterThan(ROUNDS * READS.length);
    });
    expect(load.unanswered).toBe(0);
    expect(load.acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
  }
});
