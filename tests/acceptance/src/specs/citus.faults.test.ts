import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describeUnless } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { ChangeFollower } from '../support/events/change-follower.ts';
import { EarlyEvents } from '../support/events/early-events.ts';
import { finishLoad } from '../support/measurements/finish-load.ts';
import { createMeasuredParts, type MeasuredPart } from '../support/measurements/measurement-content.ts';
import { MeasurementLoad } from '../support/measurements/measurement-load.ts';
import { CitusPlant, whyNoCluster, type ClusterNode } from '../support/product/citus-cluster.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { isReady, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { ONE_OF_EACH, presentKinds } from '../support/product/variants.ts';

/** Duration of the load without a disturbance, seconds. */
const SECONDS = size({ short: 4, long: 60 });
const OUTAGE_MS = 4_000;
const WRITERS = 4;
const READERS = 4;
const SHARED = 5;
const PLANT = `citus-${randomBytes(4).toString('hex')}`;
const SCHEMA = `inspection_${PLANT.replaceAll('-', '_')}`;

const why = whyNoCluster();
const kinds = await presentKinds('a plant on a Citus cluster', (kind) => why === undefined && kind.name === 'distributed');
describeUnless(why ?? (kinds.length === 0 ? 'no servers' : undefined), 'a plant on a Citus cluster', () => {
  let variant: Variant;
  let cluster: CitusPlant;
  let product: StartedProduct;
  let agent: Agent;
  let load: MeasurementLoad;
  let follower: ChangeFollower;
  let early: EarlyEvents;
  let parts: MeasuredPart[];
  let stopLoad: () => Promise<void>;
  const calm = () => pause((SECONDS * 1000) / 4);
  const failures = () => {
    const { unavailable, unanswered, readsUnavailable, readsCutOff } = load.counts;
    return { unavailable, unanswered, readsUnavailable, readsCutOff };
  };
  const acknowledgesMore = async () => {
    const { acknowledged, reads } = load.counts;
    const isBack = () => load.counts.acknowledged > acknowledged + WRITERS && load.counts.reads > reads + READERS;
    await until('requests succeed again', isBack, 120_000);
  };
  /** Ends a server for some seconds. */
  async function outage(node?: ClusterNode): Promise<void> {
    const before = load.counts.unavailable + load.counts.readsUnavailable;
    await cluster.kill(node);
    await pause(OUTAGE_MS);
    cluster.startAll();
    await until('the product is ready', () => isReady(product.url), 120_000);
    await acknowledgesMore();
    expect(load.counts.unavailable + load.counts.readsUnavailable).toBeGreaterThan(before);
    await calm();
  }

  beforeAll(async () => {
    variant = await (kinds[0] as (typeof kinds)[number]).create();
    const events = { SINEBAR_EVENTS_MAX_BYTES: String(2 ** 26) };
    cluster = await CitusPlant.create(PLANT, { ...variant.environment, ...events });
    product = await variant.start({ ...ONE_OF_EACH, ...events, DATABASE_URL: cluster.databaseUrl, SINEBAR_PLANT: PLANT });
    agent = new Agent({ keepAlive: true });
    parts = await createMeasuredParts(product.url);
    follower = new ChangeFollower(product.url, agent);
    await follower.start();
    early = new EarlyEvents(product.url, follower, agent);
    early.start();
    load = new MeasurementLoad(product.url, parts, agent);
    await load.createShared(SHARED);
    stopLoad = load.start(WRITERS, READERS);
  }, 300_000);
  afterAll(async () => {
    await stopLoad?.();
    agent?.destroy();
    await product?.stop();
    await cluster?.remove();
    await variant?.remove();
  }, 120_000);

  it('is moved to another node while it is written to, without a refused request', async () => {
    await calm();
    const [, target] = await cluster.nodes(SCHEMA);
    await cluster.command('move', PLANT, `${target?.host}:${target?.port}`);
    await acknowledgesMore();
    expect(failures()).toEqual({ unavailable: 0, unanswered: 0, readsUnavailable: 0, readsCutOff: 0 });
    expect((await cluster.nodes(SCHEMA))[0]).toEqual(target);
  }, 240_000);

  it('answers 503 while its node is killed, and works when it is back', async () => {
    const [node] = await cluster.nodes(SCHEMA);
    await outage(node);
  }, 240_000);

  it('answers 503 while the coordinator is killed, and works when it is back', async () => {
    await outage();
  }, 240_000);

  it('has lost nothing acknowledged and no event, and announced nothing early', async () => {
    await stopLoad();
    const { early: tooEarly, read } = await early.stop();
    expect(tooEarly).toEqual([]);
    expect(read).toBeGreaterThan(0);
    await finishLoad(product.url, { load, parts, follower, title: `move, node and coordinator killed (${read} events checked)` });
  }, 240_000);
});
