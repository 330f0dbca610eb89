import { randomUUID } from 'node:crypto';
import { SERVER_RIGHTS, PART_RIGHTS } from '@sinebar/access-control';
import type { Route } from '@sinebar/http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, MEASURED, storedPathOf } from '@sinebar/testing';
import { IS_LONG } from '@sinebar/testing/size';
import { outsideAddresses } from './address-acts.fixture.ts';
import { ADMIN, startProduct, ANONYMOUS, utf8, type RunningProduct } from './running-product.fixture.ts';
import { fileHeaders, World } from './world.fixture.ts';

/** Routes that need no sign-in; spec: decisions.md 8.1, 9. */
const OPEN = [
  '/',
  '/console',
  '/console/assets/:file',
  '/console/logo',
  '/console/*view',
  '/analysisServiceRest',
  '/alarmServiceRest',
  '/alarmServiceRest/subscriptions/:uuid/unsubscribe',
  '/reportServiceRest',
  '/exchangeServiceRest',
  '/.well-known/ServerConfiguration',
  '/docs',
  '/docs/:file',
  '/dataServiceRest/openapi.json',
  '/rawDataServiceRest/openapi.json',
  '/eventServiceRest/openapi.json',
  '/dataServiceRest',
  '/dataServiceRest/serviceInformation',
  '/rawDataServiceRest',
  '/rawDataServiceRest/serviceInformation',
  '/eventServiceRest',
  '/healthServiceRest',
  '/healthServiceRest/ready',
  '/healthServiceRest/live',
  '/healthServiceRest/all/ready',
  '/healthServiceRest/all/live',
  '/oAuthServiceRest',
  '/oAuthServiceRest/serviceInformation',
  '/oAuthServiceRest/oAuthConfiguration',
  '/oAuthServiceRest/oauthTokenInformation',
];
/** Changes that need no sign-in: the link of a mail is signed for this one subscription. */
const OPEN_CHANGES = ['POST /alarmServiceRest/subscriptions/:uuid/unsubscribe'];
/** Routes for every signed-in user; answers hold no more than that user may read. */
const SIGNED_IN = [
  '/alarmServiceRest/deliveries',
  '/alarmServiceRest/deliveries/:uuid',
  '/alarmServiceRest/receivers',
  '/alarmServiceRest/subscriptions',
  '/alarmServiceRest/subscriptions/:uuid',
  '/analysisServiceRest/settings',
  '/analysisServiceRest/settings/history',
  '/analysisServiceRest/settings/shift',
  '/analysisServiceRest/views',
  '/analysisServiceRest/views/:uuid',
  '/dataServiceRest/attributes/:key/*value',
  '/dataServiceRest/catalogs',
  '/dataServiceRest/catalogs/:uuid',
  '/dataServiceRest/configuration',
  '/dataServiceRest/pendingOperations/:uuid',
  '/dataServiceRest/permissions',
  '/eventServiceRest/changes',
  '/exchangeServiceRest/mappings',
  '/exchangeServiceRest/mappings/:name',
  '/reportServiceRest/reports',
  '/reportServiceRest/reports/:uuid',
  '/reportServiceRest/reports/:uuid/content',
  '/reportServiceRest/schedules',
  '/reportServiceRest/schedules/:uuid',
  '/reportServiceRest/schedules/:uuid/runs',
  '/reportServiceRest/templates',
];
/** Changes for every signed-in user, of what is their own; the service asks for a right to change anything else. */
const OWN_CHANGES = [
  'DELETE /alarmServiceRest/subscriptions/:uuid',
  'DELETE /analysisServiceRest/views/:uuid',
  'DELETE /reportServiceRest/reports/:uuid',
  'DELETE /reportServiceRest/schedules/:uuid',
  'POST /alarmServiceRest/deliveries/:uuid/retry',
  'POST /alarmServiceRest/subscriptions',
  'POST /alarmServiceRest/subscriptions/:uuid/test',
  'POST /reportServiceRest/schedules/:uuid/runs',
  'PUT /alarmServiceRest/subscriptions/:uuid',
  'PUT /analysisServiceRest/views/:uuid',
  'PUT /reportServiceRest/schedules/:uuid',
];
/** Reads for those who may change what they show: the policy says who may do what, and is changed in its file. */
const READS_OF_KEEPERS = ['GET /dataServiceRest/accessPolicy'];
/** Changes that need the right to read: a report is made of what its reader may see. */
const MADE_OF_READS = ['POST /reportServiceRest/reports', 'POST /reportServiceRest/schedules'];
/** Statuses of refusals: malformed, forbidden, not found, or wrong method. */
const REFUSALS = [400, 403, 404, 405, 415];
/** Every right, on one subtree. */
const OWNER = PART_RIGHTS.map((right) => `${right} /A`).join(', ');
/** Matches content of anything outside `/A` in attributes, names and bytes; JSON doubles a backslash. */
const OUTSIDE = /(?:marker|bytes) of \/(?!A[./])/;

describeWith(['postgres', 'nats', 's3'], 'protection of all routes', () => {
  let product: RunningProduct;
  let world: World;
  beforeAll(async () => {
    product = await startProduct();
    world = new World(product);
    await world.buildAll();
  });
  afterAll(() => product.stop());

  const addressOf = ({ path }: Route) =>
    path
      .replace(':entityType', 'part')
      .replace(':entity', 'part')
      .replace(/\/:key$/, '/1')
      .replace(/:(uuids?)/g, randomUUID())
      .replace(/[:*]\w+/g, '1');
  const nameOf = ({ method, path }: Route) => `${method} ${path}`;

  describe('routes', () => {
    it('declare a right each, and are open without one only where documented [D8.1]', () => {
      const known: readonly string[] = ['open', 'signed-in', ...PART_RIGHTS, ...SERVER_RIGHTS];
      expect(product.routes.filter(({ permission }) => !known.includes(permission)).map(nameOf)).toEqual([]);
      expect(product.routes.length).toBeGreaterThan(60);
      const open = product.routes.filter(({ permission }) => permission === 'open');
      const documentedOpen = [...OPEN.map((path) => `GET ${path}`), ...OPEN_CHANGES];
      expect(open.map(nameOf).filter((name) => !documentedOpen.includes(name))).toEqual([]);
      expect(open.filter(({ method }) => method !== 'GET').map(nameOf)).toEqual(OPEN_CHANGES);
      const documented = product.routes.filter(({ method, path }) => method === 'GET' && OPEN.includes(path));
      expect(documented.filter(({ permission }) => permission !== 'open').map(nameOf)).toEqual([]);
      const signedIn = product.routes.filter(({ permission }) => permission === 'signed-in');
      expect(signedIn.map(nameOf).sort()).toEqual([...OWN_CHANGES, ...SIGNED_IN.map((path) => `GET ${path}`)].sort());
    });

    it('need the right to read for GET and the right to write for everything else', () => {
      const wrong = product.routes.filter(({ method, path, permission }) => {
        // Reads that need a body because they do not fit into an address.
        const reads = method === 'GET' || /ArchiveEntryQuery|ArchiveContentQuery/.test(path);
        return permission.includes(':') && permission.endsWith(':read') !== reads;
      });
      expect(wrong.map(nameOf).sort()).toEqual([...READS_OF_KEEPERS, ...MADE_OF_READS].sort());
    });

    it('answer 401 without credentials and 403 without any right, whatever the request [D2.6, D8.1]', async () => {
      for (const route of product.routes.filter(({ permission }) => permission !== 'open')) {
        const asked = { method: route.method, path: addressOf(route), body: route.method === 'GET' ? undefined : [] };
        const anonymous = await product.send({ who: ANONYMOUS, ...asked });
        expect([nameOf(route), anonymous.status]).toEqual([nameOf(route), 401]);
        if (route.permission === 'signed-in') continue;
        const powerless = await product.send({ who: 'nothing', ...asked });
        expect([nameOf(route), powerless.status]).toEqual([nameOf(route), 403]);
      }
    });

    it('return the same counts to all users', async () => {
      const { status, text } = await product.send({ who: ANONYMOUS, path: '/dataServiceRest/serviceInformation' });
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ partCount: expect.any(Number) as unknown });
    });
  });

  describe('the permissions of the caller', () => {
    const NONE = Object.fromEntries(PART_RIGHTS.map((right) => [right, []]));
    const EVERYWHERE = Object.fromEntries(PART_RIGHTS.map((right) => [right, ['/']]));
    const READER = 'plan:read /Straße, plan:read /A\\/sub, measurement:read /A/sub, measurement:read /A, catalog:write';

    it.each([
      ['nothing', NONE, []],
      [ADMIN, EVERYWHERE, [...SERVER_RIGHTS]],
      // The grant on /A/sub is inside of the one on /A.
      [READER, { ...NONE, 'plan:read': ['/a\\/sub', '/strasse'], 'measurement:read': ['/a'] }, ['catalog:write']],
    ])('of %s are listed by right', async (who, partRights, serverRights) => {
      expect(await product.client(who).permissions()).toMatchObject({ partRights, serverRights });
    });

    it('have the name of the user', async () => {
      expect((await product.client(READER).permissions()).userName).toBe(READER);
    });

    it.each([
      ['/A', { 'measurement:read': ['/a'] }],
      ['/a/SUB/deep', { 'measurement:read': ['/a'] }],
      ['/A\\/sub/never', { 'plan:read': ['/a\\/sub'] }],
      ['/STRASSE', { 'plan:read': ['/strasse'] }],
      ['/AB', {}],
      ['/', {}],
    ])('can be asked for the part %s', async (partPath, held) => {
      expect((await product.client(READER).permissions({ partPath })).partRights).toEqual({ ...NONE, ...held });
    });

    it('need a path that is one', async () => {
      expect((await product.send({ who: 'nothing', path: '/dataServiceRest/permissions?partPath=/a//b' })).status).toBe(400);
    });

    it('have another validator for other rights', async () => {
      const etagOf = async (who: string) => (await product.send({ who, path: '/dataServiceRest/permissions' })).headers.etag;
      expect(await etagOf(READER)).toBe(await etagOf(READER));
      expect(await etagOf(READER)).not.toBe(await etagOf('nothing'));
    });
  });

  /** Ways to write an address. */
  const TRICKS: readonly (readonly [name: string, write: (address: string) => string])[] = [
    ['as it is', (address) => address],
    ['in capitals', (address) => address.toUpperCase()],
    ['in mixed case', (address) => address.replace(/Rest/g, 'rEST').replace('parts', 'PaRtS')],
    ['with a slash at its end', (address) => `${address}/`],
    ['with two slashes at its end', (address) => `${address}//`],
    ['with two slashes in front', (address) => `/${address}`],
    ['with two slashes inside', (address) => address.replace(/\/([^/]*)$/, '//$1')],
    ['with the uuid in braces', (address) => braced(address, '{', '}')],
    ['with the uuid in encoded braces', (address) => braced(address, '%7B', '%7d')],
    ['with the uuid in two pairs of braces', (address) => braced(address, '{{', '}}')],
    ['with the uuid in braces that are encoded twice', (address) => braced(address, '%257B', '%257D')],
    ['with encoded slashes', (address) => `/${address.slice(1).replaceAll('/', '%2F')}`],
    ['with an encoded slash in front of the uuid', (address) => address.replace(/\/(?=[0-9a-f]{8}-)/, '%2f')],
    ['with slashes that are encoded twice', (address) => address.replaceAll('/', '%252F').replace('%252F', '/')],
    ['with encoded letters', (address) => address.replace('parts', '%70%61rts').replace('rawData/', '%72awData/')],
    ['with backslashes', (address) => address.replace(/\/(?=[^/]*$)/, '\\')],
    ['by way of the own part', (address) => address.replace(/\/(?=[0-9a-f]{8}-)/, `/${world.uuid('/A')}/../`)],
    ['by way of the own part, encoded', (address) => address.replace(/\/(?=[0-9a-f]{8}-)/, `/${world.uuid('/A')}/%2e%2e/`)],
    ['by way of a dot', (address) => address.replace(/\/(?=[0-9a-f]{8}-)/, '/./')],
    ['with the own part in front', (address) => address.replace(/(?=[0-9a-f]{8}-)/, `${world.uuid('/A')},`)],
    ['with a parameter of the path', (address) => `${address};partPath=/A`],
    ['with a blank behind the uuid', (address) => address.replace(/([0-9a-f]{12})(?![0-9a-f-])/, '$1%20')],
    ['with a zero byte', (address) => `${address}%00`],
    ['with a parameter that names the own part', (address) => `${address}?partPath=/A&partUuids=${world.uuid('/A')}`],
    ['with a host in front', (address) => `http://127.0.0.1${address}`],
  ];
  const braced = (address: string, open: string, close: string) =>
    address.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (uuid) => `${open}${uuid}${close}`);
  const HEADERS: Record<string, string>[] = [
    {},
    { 'X-HTTP-Method-Override': 'GET', 'X-Original-URL': '/healthServiceRest/live', 'X-Rewrite-URL': '/dataServiceRest' },
    { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() },
    { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
  ];

  describe('an address outside of the permitted subtree', () => {
    it.each(TRICKS)('written %s reveals nothing [D8.3]', async (_name, write) => {
      for (const [i, address] of outsideAddresses(world).entries()) {
        for (const method of ['GET', 'HEAD']) {
          for (const headers of method === 'HEAD' ? [{}] : IS_LONG ? HEADERS : [HEADERS[i % HEADERS.length] ?? {}]) {
            const answer = await product.send({ who: OWNER, method, path: write(address), headers });
            expect([write(address), REFUSALS.includes(answer.status)]).toEqual([write(address), true]);
            expect([write(address), answer.headers['etag']]).toEqual([write(address), undefined]);
            expect(utf8(answer)).not.toMatch(OUTSIDE);
          }
        }
      }
    });

    it.each(TRICKS)('written %s changes nothing [D8.2]', async (_name, write) => {
      const before = await world.state();
      for (const address of outsideAddresses(world)) {
        const ways = [
          { method: 'DELETE' },
          { method: 'POST', body: Buffer.from('bytes'), headers: fileHeaders('bytes.txt') },
          { method: 'PUT', body: Buffer.from('bytes'), headers: fileHeaders('bytes.txt') },
          { method: 'PUT', body: { fileName: 'other.txt' } },
        ];
        for (const way of ways) {
          const { status } = await product.send({ who: OWNER, path: write(address), ...way });
          expect([way.method, write(address), REFUSALS.includes(status)]).toEqual([way.method, write(address), true]);
        }
      }
      expect(await world.state()).toEqual(before);
    });
  });

  describe('a path outside of the permitted subtree', () => {
    const OWN = storedPathOf('/A');
    it.each([
      '/A/../B',
      '/A/..',
      '/A/./../AB',
      '/A\\/..\\/B',
      '/A\\/sub',
      '/A%2F..%2FB',
      '/A%5C%2Fsub',
      '//A',
      '/AB',
      '/ab/',
      'AB',
      '/A ',
      '/A%00/',
      '/A\u0000',
      '/*',
      '/%',
      '/_',
      '{/A,/B}',
      'P:/B/',
      '..',
      '/',
      '',
    ])('reveals nothing as partPath %j [D8.3]', async (path) => {
      for (const query of [
        'parts?depth=65535&',
        'characteristics?',
        'measurements?deep=true&',
        'values?deep=true&',
        'inspectionPlanItems?',
      ]) {
        const name = query.startsWith('inspectionPlanItems') ? 'paths' : 'partPath';
        const answer = await product.send({ who: OWNER, path: `/dataServiceRest/${query}${name}=${encodeURIComponent(path)}` });
        expect([200, 400]).toContain(answer.status);
        expect(utf8(answer)).not.toMatch(OUTSIDE);
        if (answer.status === 400) continue;
        const itemPaths = (JSON.parse(utf8(answer)) as { uuid: string }[]).map(({ uuid }) =>
          storedPathOf(world.itemPaths.get(uuid) ?? '/'),
        );
        expect(itemPaths.filter((itemPath) => !itemPath.startsWith(OWN))).toEqual([]);
      }
    });

    it.each([
      ['parts', 'P:/AB/'],
      ['parts', 'P:/AC/'],
      ['parts', 'P:/A\\/x/'],
      ['parts', 'PP:/A\\\\/x/'],
      ['parts', 'PPP:/A/../x/'],
      ['parts', 'PP:/../x/'],
      ['parts', 'PP:/A /x/'],
      ['parts', 'PP:/B/x/'],
      ['parts', 'PP://A/x/'],
      ['parts', 'CP:/A/x/'],
      ['parts', '/A/x/'],
      ['characteristics', 'C:/A/'],
      ['characteristics', 'CC:/A/x/'],
      ['characteristics', 'PC:/AB/x/'],
      ['characteristics', 'PPC:/A\\/sub/../x/'],
    ])('creates nothing as the path of new %s, %s [D8.2]', async (resource, path) => {
      const before = await world.state();
      const address = `/dataServiceRest/${resource}`;
      const created = await product.send({ who: OWNER, method: 'POST', path: address, body: [{ uuid: randomUUID(), path }] });
      expect([400, 403, 404]).toContain(created.status);
      const uuid = world.uuid(resource === 'parts' ? '/A/sub/deep' : 'PCC:/A/c/d/');
      const moved = await product.send({ who: OWNER, method: 'PUT', path: address, body: [{ uuid, path }] });
      expect([400, 403, 404]).toContain(moved.status);
      expect(await world.state()).toEqual(before);
    });

    it.each([
      ['parts', 'partPath', '/A/../B'],
      ['parts', 'partPath', '/A\\/sub'],
      ['parts', 'partPath', '/AB'],
      ['characteristics', 'charPath', '/A/../B/c'],
      ['characteristics', 'charPath', '/AB/c'],
      ['measurements', 'partPath', '/A\\/sub'],
      ['measurements', 'partPath', '/A/..'],
      ['measurements', 'partPath', '/'],
    ])('deletes none of the %s with %s=%s', async (resource, name, path) => {
      const before = await world.state();
      for (const more of resource === 'measurements' ? ['', '&deep=true', '&deep=true&aggregation=All&runAsync=true'] : ['']) {
        const query = `${name}=${encodeURIComponent(path)}${more}`;
        const { status } = await product.send({ who: OWNER, method: 'DELETE', path: `/dataServiceRest/${resource}?${query}` });
        expect([400, 403, 404]).toContain(status);
      }
      expect(await world.state()).toEqual(before);
    });
  });

  it('writes no measurement outside by naming a part inside, and none inside by naming a part outside', async () => {
    const before = await world.state();
    const bodies = MEASURED.filter((itemPath) => !storedPathOf(itemPath).startsWith(storedPathOf('/A'))).flatMap((itemPath) => [
      [{ uuid: world.measurement(itemPath), ...world.measurementContent('/A', 5) }],
      [{ uuid: world.measurement('/A'), ...world.measurementContent(itemPath, 5) }],
      [{ uuid: world.measurement(itemPath), ...world.measurementContent(itemPath, 5) }],
    ]);
    for (const resource of ['measurements', 'values']) {
      for (const body of bodies) {
        const { status } = await product.send({ who: OWNER, method: 'PUT', path: `/dataServiceRest/${resource}`, body });
        expect([400, 403]).toContain(status);
      }
    }
    expect(await world.state()).toEqual(before);
  });
});
