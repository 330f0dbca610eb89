import { beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { cuttableProxy, describeUnless } from '@sinebar/testing';
import { IS_LONG, size } from '@sinebar/testing/size';
import { areAllReady, serverCrash, serviceCrash } from '../support/product/crashes.ts';
import { READERS } from '../support/events/event-readers.ts';
import { CALM_MS, cleanUps, CLIENTS, FOLLOW_LIMIT_MS, policyFor, READY_LIMIT_MS, underLoad, WRITERS } from '../support/events/event-run.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { isReady, until } from '../support/requests/rest-client.ts';
import { ONE_OF_EACH, ownServersKind, variantKinds, type VariantKind } from '../support/product/variants.ts';

/** Rounds of each fault. */
const ROUNDS = size({ short: 1, long: 50 });
const CUT_MS = IS_LONG ? 60_000 : 8_000;
const MS_PER_ROUND = 90_000;

const { cleanUp, cleanUpLast } = cleanUps();

const own = await ownServersKind();
describeUnless(own.missing, 'events of two gateway replicas', () => {
  let product: StartedProduct;
  const crashes: Record<string, () => Promise<void>> = {};

  beforeAll(async () => {
    const variant = await own.create();
    cleanUpLast.push(() => variant.remove());
    product = await variant.start({ SINEBAR_EVENTS_REPLICAS: '2', ...policyFor(cleanUpLast) });
    cleanUpLast.push(() => product.stop());
    for (const server of ['nats', 'postgres']) crashes[server] = serverCrash(variant, server);
    for (const service of ['events', 'inspection', 'raw-data']) crashes[service] = serviceCrash(product, service);
  }, 600_000);

  it.each(['nats', 'postgres', 'events', 'inspection', 'raw-data'])(
    `reach ${CLIENTS} clients (${READERS.length} sets of rights) exactly and in order when %s is killed ${ROUNDS} times [D7.4, D8.4]`,
    async (name) => {
      const { url } = product;
      const load = await underLoad({ name: `${name} killed ${ROUNDS} times`, url, cleanUp }, async (current) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = current.acknowledged;
          await pause(CALM_MS * Math.random());
          await until('the writers have got on', () => current.acknowledged > before + WRITERS, READY_LIMIT_MS);
          await crashes[name]?.();
          await until('all of it is ready', () => areAllReady(product), READY_LIMIT_MS);
        }
      });
      expect(load.acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
    },
    120_000 + FOLLOW_LIMIT_MS + ROUNDS * MS_PER_ROUND,
  );
});

const backed = (await variantKinds()).find(({ name }) => name === 'distributed') as VariantKind;
describeUnless(backed.missing, 'events over a network to the broker', () => {
  it.each(['stall', 'cut'] as const)(
    `reach ${CLIENTS} clients (${READERS.length} sets of rights) exactly and in order after a network cut of ${CUT_MS} ms (%s) [D7.4]`,
    async (kind) => {
      const broker = new URL(process.env['NATS_URL'] ?? '');
      const proxy = await cuttableProxy(broker.hostname, Number(broker.port));
      cleanUp.push(() => proxy.close());
      const variant = await backed.create();
      cleanUp.push(() => variant.remove());
      const behindProxy = new URL(broker);
      behindProxy.host = `127.0.0.1:${proxy.port}`;
      const product = await variant.start({
        ...ONE_OF_EACH,
        NATS_URL: behindProxy.href.replace(/\/$/, ''),
        SINEBAR_EVENTS_REPLICAS: '2',
        ...policyFor(cleanUpLast),
      });
      cleanUp.push(() => product.stop());
      const load = await underLoad({ name: `network cut for ${CUT_MS} ms (${kind})`, url: product.url, cleanUp }, async (current) => {
        await pause(CALM_MS);
        proxy[kind]();
        await pause(CUT_MS);
        // Work without the broker continues; writers soon wait for it, since files request their parts through it.
        await current.makePart();
        proxy.restore();
        await until('the product is ready', () => isReady(product.url), READY_LIMIT_MS);
      });
      expect(load.acknowledged).toBeGreaterThan(WRITERS);
    },
    240_000 + FOLLOW_LIMIT_MS + 2 * CUT_MS,
  );
});
