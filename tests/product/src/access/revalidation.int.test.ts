import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, MEASURED } from '@sinebar/testing';
import type { WireAnswer } from '@sinebar/testing/wire-requests';
import { isDeepStrictEqual } from 'node:util';
import { ADMIN, startProduct, type RunningProduct } from './running-product.fixture.ts';
import { World } from './world.fixture.ts';

const PART = MEASURED[0] as string;
const CATALOG = '7b6ad89e-8d0f-4b8a-a1a5-6d0c5b9cb1aa';
const VIEW = '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b003';
const SUBSCRIPTION = '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b004';
const SCHEDULE = '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b005';
const FILES = '/rawDataServiceRest/rawData/:entity/:uuid/:key';
/** An address for each route with parameters whose answers have a validator. Other routes have one address, their path. */
const ADDRESSES: Readonly<Record<string, (world: World) => string>> = {
  '/dataServiceRest/catalogs/:uuid': () => `/dataServiceRest/catalogs/${CATALOG}`,
  '/dataServiceRest/parts/:uuid': (world) => `/dataServiceRest/parts/${world.uuid(PART)}`,
  '/dataServiceRest/characteristics/:uuid': (world) => `/dataServiceRest/characteristics/${world.uuid('PCC:/A/c/d/')}`,
  '/analysisServiceRest/characteristics/:uuid/summary': (world) => figuresOf(world, 'summary'),
  '/analysisServiceRest/characteristics/:uuid/series': (world) => figuresOf(world, 'series'),
  '/analysisServiceRest/characteristics/:uuid/groups': (world) => figuresOf(world, 'groups?by=day'),
  '/analysisServiceRest/characteristics/:uuid/probability': (world) => figuresOf(world, 'probability'),
  '/analysisServiceRest/characteristics/:uuid/evaluation': (world) => figuresOf(world, 'evaluation'),
  '/analysisServiceRest/parts/:uuid/evaluation': (world) => `/analysisServiceRest/parts/${world.uuid(PART)}/evaluation`,
  '/analysisServiceRest/parts/:uuid/overview': (world) => `/analysisServiceRest/parts/${world.uuid(PART)}/overview`,
  '/analysisServiceRest/parts/:uuid/children': (world) => `/analysisServiceRest/parts/${world.uuid(PART)}/children`,
  '/analysisServiceRest/parts/:uuid/statuses': (world) => `/analysisServiceRest/parts/${world.uuid(PART)}/statuses`,
  '/analysisServiceRest/parts/:uuid/changes': (world) => `/analysisServiceRest/parts/${world.uuid(PART)}/changes`,
  '/alarmServiceRest/alarms/:uuid': (world) => `/alarmServiceRest/alarms/${world.alarm(PART)}`,
  '/reportServiceRest/firstArticle/:partUuid': (world) => `/reportServiceRest/firstArticle/${world.uuid(PART)}`,
  '/reportServiceRest/schedules/:uuid': () => `/reportServiceRest/schedules/${SCHEDULE}`,
  '/analysisServiceRest/notes/:uuid': (world) => `/analysisServiceRest/notes/${world.note(PART)}`,
  '/exchangeServiceRest/mappings/:name': () => '/exchangeServiceRest/mappings/gauge',
  '/alarmServiceRest/subscriptions/:uuid': () => `/alarmServiceRest/subscriptions/${SUBSCRIPTION}`,
  '/analysisServiceRest/views/:uuid': () => `/analysisServiceRest/views/${VIEW}`,
  '/analysisServiceRest/correlation': (world) =>
    `/analysisServiceRest/correlation?characteristicUuids={${world.uuid('PC:/A/c/')},${world.uuid('PCC:/A/c/d/')}}`,
  '/docs/:file': () => '/docs/page.js',
  '/console': () => '/console/',
  '/console/*view': () => '/console/live',
  [FILES]: (world) => `/rawDataServiceRest/rawData/part/${world.uuid(PART)}/0`,
  [`${FILES}/thumbnail`]: (world) => `/rawDataServiceRest/rawData/part/${world.uuid(PART)}/1/thumbnail`,
  [`${FILES}/ArchiveContent/*filename`]: (world) => `/rawDataServiceRest/rawData/part/${world.uuid(PART)}/0/ArchiveContent/inside.txt`,
};
const figuresOf = (world: World, resource: string) => `/analysisServiceRest/characteristics/${world.uuid('PCC:/A/c/d/')}/${resource}`;
/** Files whose names change with their content; caches keep them without asking. */
const IMMUTABLE = ['/console/assets/:file'];
const REVALIDATED = 'private, no-cache, max-age=0, no-transform';

describeWith(['postgres', 'nats', 's3'], 'answers with revalidation', () => {
  let product: RunningProduct;
  let world: World;
  beforeAll(async () => {
    product = await startProduct();
    world = new World(product);
    await world.buildAll();
    const view = { name: 'all parts', address: '/console', shared: true };
    await world.admin({ method: 'PUT', path: `/analysisServiceRest/views/${VIEW}`, body: view });
    const receiver = { kind: 'webhook', url: 'https://hooks.example/', shape: 'standard' };
    await world.admin({ method: 'POST', path: '/alarmServiceRest/subscriptions', body: { uuid: SUBSCRIPTION, partPath: '/', receiver } });
    const schedule = {
      uuid: SCHEDULE,
      name: 'yearly',
      template: 'part',
      selection: { partUuid: world.uuid(PART) },
      when: { cron: '0 6 1 1 *' },
    };
    await world.admin({ method: 'POST', path: '/reportServiceRest/schedules', body: schedule });
    await world.admin({ method: 'PUT', path: '/exchangeServiceRest/mappings/gauge', body: { part: 'A' } });
    await world.admin({
      method: 'POST',
      path: '/dataServiceRest/catalogs',
      body: [{ uuid: CATALOG, name: 'machines', validAttributes: [], catalogEntries: [] }],
    });
  });
  afterAll(() => product.stop());

  /** Sends the same request to every route that documents the status 304. @returns by path, what `read` takes from the answer */
  async function ofEveryRoute<T>(read: (ask: (headers: Record<string, string>, method?: string) => Promise<WireAnswer>) => Promise<T>) {
    const found = new Map<string, T>();
    for (const { path, documentation } of product.routes) {
      if (!(304 in documentation.responses) || IMMUTABLE.includes(path)) continue;
      const address = ADDRESSES[path]?.(world) ?? path;
      // Views of the console answer only clients that ask for a page.
      const accept = path.startsWith('/console') ? { Accept: 'text/html' } : {};
      found.set(
        path,
        await read((headers, method = 'GET') => product.send({ who: ADMIN, method, path: address, headers: { ...accept, ...headers } })),
      );
    }
    expect([...found.keys()]).toEqual(expect.arrayContaining(Object.keys(ADDRESSES)));
    return found;
  }
  const without = <T>(found: ReadonlyMap<string, T>, expected: T) => [...found].filter(([, value]) => !isDeepStrictEqual(value, expected));

  it.each(['identity', 'gzip'])('make the cache of the .NET SDK revalidate, encoded as %s [D10.8]', async (coding) => {
    const found = await ofEveryRoute(async (ask) => {
      const { status, headers } = await ask({ 'Accept-Encoding': coding });
      return { status, cacheControl: headers['cache-control'] };
    });
    expect(without(found, { status: 200, cacheControl: REVALIDATED })).toEqual([]);
  });

  it('do so with a 304, too [D10.8]', async () => {
    const found = await ofEveryRoute(async (ask) => {
      const { etag } = (await ask({ 'Accept-Encoding': 'gzip' })).headers;
      const { status, headers } = await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': String(etag) });
      return { status, cacheControl: headers['cache-control'] };
    });
    expect(without(found, { status: 304, cacheControl: REVALIDATED })).toEqual([]);
  });

  it('do so for HEAD, too', async () => {
    const found = await ofEveryRoute(async (ask) => (await ask({ 'Accept-Encoding': 'gzip' }, 'HEAD')).headers['cache-control']);
    expect(without<string | undefined>(found, REVALIDATED)).toEqual([]);
  });

  it('are compressed in spite of no-transform, which concerns proxies [D10.8]', async () => {
    const answer = await product.send({ who: ADMIN, path: '/dataServiceRest/parts?depth=65535', headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
  });
});
