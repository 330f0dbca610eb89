import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACTS, ADDRESS_CASES, backing, cuttableProxy, describeWith, eventually, type Act, type CuttableProxy } from '@sinebar/testing';
import { SERVICE_SUBJECTS } from '@sinebar/runtime';
import { REQUESTS } from './address-acts.fixture.ts';
import { ADMIN, startProduct, type Asked, type RunningProduct } from './running-product.fixture.ts';
import { World } from './world.fixture.ts';

const STORES = ['postgres', 'nats', 's3'] as const;
type Store = (typeof STORES)[number];
/** A failing store, and a request that then answers 503. */
const OUTAGES: readonly (readonly [what: Store | 'inspection', act: Act])[] = [
  ['postgres', 'read the part'],
  ['nats', 'write a file of the part'],
  ['s3', 'read the file of the part'],
  ['inspection', 'write a file of the part'],
];
/** One permitted path for each act. */
const PERMITTED = new Map(ADDRESS_CASES.filter(([, , , answer]) => answer === 'yes').map(([, act, where]) => [act, where]));
/** Texts of drivers and of the operating system. */
const DRIVER_TEXTS = [
  /\bE[A-Z]{4,}\b/,
  /socket hang up/i,
  /127\.0\.0\.1|localhost|::1/,
  /\bnats\b|jetstream|\$JS|_INBOX/i,
  /minio|\bs3\b/i,
  /\bat .*\.js:\d/,
];

describeWith(STORES, 'no internal name is in an answer', () => {
  let product: RunningProduct;
  let world: World;
  let secrets: string[];
  const proxies = new Map<Store, CuttableProxy>();
  const through = (store: Store) => async (address: string) => {
    const url = new URL(address);
    const proxy = await cuttableProxy(url.hostname, Number(url.port));
    proxies.set(store, proxy);
    url.port = String(proxy.port);
    return url.href.replace(/\/$/, '');
  };

  beforeAll(async () => {
    product = await startProduct({ postgres: through('postgres'), nats: through('nats'), s3: through('s3') });
    world = new World(product);
    const database = new URL(backing().databaseUrl);
    secrets = [
      ...Object.values(SERVICE_SUBJECTS),
      ...Object.values(product.names),
      database.username,
      backing().s3.accessKey,
      ...[...proxies.values()].map(({ port }) => String(port)),
    ].filter((name) => name !== '');
  });
  afterAll(async () => {
    await product?.stop();
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  });

  const acts = (): (readonly [name: string, asked: Omit<Asked, 'who'>])[] =>
    (Object.keys(ACTS) as Act[]).map((act) => [act, REQUESTS[act](world, PERMITTED.get(act) ?? '/')]);
  const addresses = (): (readonly [name: string, asked: Omit<Asked, 'who'>])[] =>
    product.routes.map(({ method, path }) => {
      const address = path
        .replace(/:entity(Type)?/g, 'part')
        .replace(/:uuids?/g, () => randomUUID())
        .replace(/[:*]\w+/g, '1');
      return [`${method} ${path}`, { method, path: address, body: method === 'GET' ? undefined : [] }];
    });
  /** Names of the requests whose answers hold something internal, with it. */
  const leaks = async () => {
    const found: string[] = [];
    for (const [name, asked] of [...acts(), ...addresses()]) {
      const { status, headers, text } = await product.send({ who: ADMIN, ...asked });
      if (status < 400) continue;
      const shown = `${JSON.stringify(headers)} ${text}`;
      const names = secrets.filter((secret) => shown.includes(secret));
      const texts = DRIVER_TEXTS.map((pattern) => pattern.exec(text)?.[0]).filter((hit) => hit !== undefined);
      for (const hit of [...names, ...texts]) found.push(`${name}: ${hit} in ${text}`);
    }
    return found;
  };

  describe.each(OUTAGES)('without %s', (what, act) => {
    const ask = () => product.send({ who: ADMIN, ...REQUESTS[act](world, PERMITTED.get(act) ?? '/') });
    beforeAll(async () => {
      await world.buildAll();
      if (what === 'inspection') await product.inspection.stop();
      else proxies.get(what)?.cut();
      await eventually(async () => expect((await ask()).status).toBe(503), { timeoutMs: 30_000 });
    }, 90_000);
    afterAll(async () => {
      if (what === 'inspection') return;
      proxies.get(what)?.restore();
      await eventually(async () => expect((await ask()).status).not.toBe(503), { timeoutMs: 60_000 });
    }, 90_000);

    it('a refusal is a sentence', async () => {
      expect((JSON.parse((await ask()).text) as { message: string }).message).toMatch(/^[A-Z].*\.$/);
    });

    it('answers hold no host, port, subject, name of a store, or text of a driver', async () => {
      expect(await leaks()).toEqual([]);
    }, 120_000);
  });
});
