import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, MEASURED } from '@sinebar/testing';
import { ADMIN, startProduct, type RunningProduct } from './running-product.fixture.js';
import { World } from './world.fixture.js';

const PART = MEASURED[0] as string;
const CATALOG = '7b6ad89e-8d0f-4b8a-a1a5-6d0c5b9cb1aa';
/** An address for each route whose answers have a validator. */
const ADDRESSES: Readonly<Record<string, (world: World) => string>> = {
  '/dataServiceRest/configuration': () => '/dataServiceRest/configuration',
  '/dataServiceRest/catalogs': () => '/dataServiceRest/catalogs',
  '/dataServiceRest/catalogs/:uuid': () => `/dataServiceRest/catalogs/${CATALOG}`,
  '/dataServiceRest/parts': () => '/dataServiceRest/parts?depth=65535',
  '/dataServiceRest/parts/count': () => '/dataServiceRest/parts/count',
  '/dataServiceRest/parts/:uuid': (world) => `/dataServiceRest/parts/${world.uuid(PART)}`,
  '/dataServiceRest/characteristics': () => '/dataServiceRest/characteristics',
  '/dataServiceRest/characteristics/count': () => '/dataServiceRest/characteristics/count',
  '/dataServiceRest/characteristics/:uuid': (world) => `/dataServiceRest/characteristics/${world.uuid('PCC:/A/c/d/')}`,
  '/dataServiceRest/inspectionPlanItems': () => '/dataServiceRest/inspectionPlanItems',
  '/dataServiceRest/inspectionPlanItems/count': () => '/dataServiceRest/inspectionPlanItems/count',
  '/dataServiceRest/openapi.json': () => '/dataServiceRest/openapi.json',
  '/rawDataServiceRest/openapi.json': () => '/rawDataServiceRest/openapi.json',
  '/eventServiceRest/openapi.json': () => '/eventServiceRest/openapi.json',
  '/docs': () => '/docs',
  '/docs/:file': () => '/docs/page.js',
  '/rawDataServiceRest/rawData/:entity/:uuid/:key': (world) => `/rawDataServiceRest/rawData/part/${world.uuid(PART)}/0`,
  '/rawDataServiceRest/rawData/:entity/:uuid/:key/thumbnail': (world) => `/rawDataServiceRest/rawData/part/${world.uuid(PART)}/1/thumbnail`,
  '/rawDataServiceRest/rawData/:entity/:uuid/:key/ArchiveContent/*filename': (world) =>
    `/rawDataServiceRest/rawData/part/${world.uuid(PART)}/0/ArchiveContent/inside.txt`,
};
const REVALIDATED = 'private, no-cache, max-age=0, no-transform';

describeWith(['postgres', 'nats', 's3'], 'answers with revalidation', () => {
  let product: RunningProduct;
  let world: World;
  beforeAll(async () => {
    product = await startProduct();
    world = new World(product);
    await world.build();
    await world.addFiles();
    await world.admin({
      method: 'POST',
      path: '/dataServiceRest/catalogs',
      body: [{ uuid: CATALOG, name: 'machines', validAttributes: [], catalogEntries: [] }],
    });
  }, 60_000);
  afterAll(() => product.stop());

  it('are those of every route that documents the status 304 [D10.8]', () => {
    const documented = product.routes.filter(({ documentation }) => 304 in documentation.responses).map(({ path }) => path);
    expect(documented.sort()).toEqual(Object.keys(ADDRESSES).sort());
  });

  describe.each(Object.keys(ADDRESSES))('%s', (route) => {
    const asked = (headers: Record<string, string>, method = 'GET') =>
      product.send({ who: ADMIN, method, path: (ADDRESSES[route] as (world: World) => string)(world), headers });

    it.each(['identity', 'gzip'])('make the cache of the .NET SDK revalidate, encoded as %s [D10.8]', async (coding) => {
      const first = await asked({ 'Accept-Encoding': coding });
      expect(first.status).toBe(200);
      expect(first.headers['cache-control']).toBe(REVALIDATED);
    });

    it('do so with a 304, too [D10.8]', async () => {
      const { headers } = await asked({ 'Accept-Encoding': 'gzip' });
      const again = await asked({ 'Accept-Encoding': 'gzip', 'If-None-Match': String(headers.etag) });
      expect(again.status).toBe(304);
      expect(again.headers['cache-control']).toBe(REVALIDATED);
    });

    it('do so for HEAD, too', async () => {
      const { headers } = await asked({ 'Accept-Encoding': 'gzip' }, 'HEAD');
      expect(headers['cache-control']).toBe(REVALIDATED);
    });
  });

  it('are compressed in spite of no-transform, which concerns proxies [D10.8]', async () => {
    const answer = await product.send({ who: ADMIN, path: '/dataServiceRest/parts?depth=65535', headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
  });
});
