import { randomUUID } from 'node:crypto';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { ROOT_PART_UUID, type ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  catalogAttribute,
  catalogsClient,
  configurationClient,
  startConfigurationReplicas,
  textAttribute,
  type ConfigurationReplicas,
} from '../configuration-replicas.fixture.ts';

describeWith(['postgres'], 'catalogs', () => {
  let replicas: ConfigurationReplicas;
  beforeAll(async () => {
    replicas = await startConfigurationReplicas();
  });
  afterAll(() => replicas.stop());
  beforeEach(async () => {
    await configuration
      .post('catalog', [
        textAttribute(14001),
        { ...textAttribute(14002), type: 'Integer' },
        { ...textAttribute(14003), length: 5 },
        textAttribute(14004),
      ])
      .expect(201);
  });
  afterEach(async () => {
    await configuration.delete().expect(200);
    await catalogs.delete().expect(200);
    await replicas.sql('DELETE FROM plan_item WHERE depth > 0');
  });

  const configuration = configurationClient(() => replicas.first.server);
  const catalogs = catalogsClient(() => replicas.first.server);
  const elsewhere = catalogsClient(() => replicas.second.server);
  const messageOf = (response: { body: unknown }) => (response.body as ErrorBody).message;
  const entry = (key: number, text?: string) => ({ key, attributes: text === undefined ? {} : { 14001: text } });
  const colours = (uuid: string) => ({
    uuid,
    name: 'colours',
    validAttributes: [14001, 14002],
    catalogEntries: [entry(1, 'red'), entry(2, 'green'), entry(3, 'blue')],
  });
  const keysOf = async (uuid: string) => (await catalogs.read(uuid))?.catalogEntries.map(({ key }) => key);
  const stateOf = async () =>
    (await replicas.sql<{ revision: number; catalog_version: number }>('SELECT revision, catalog_version FROM server_state'))[0];

  it('reads catalogs in the order of creation, entries by key [I13, I16, I42-I46, I80-I82, I183, D2.7, D5.3]', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    await catalogs
      .post([
        {
          Uuid: `{${b.toUpperCase()}}`,
          Name: 'zeta',
          ValidAttributes: [14002, '14001', 14002],
          version: 'ignored',
          CatalogEntries: [
            { Key: 20, Attributes: { 14001: 'Ö😀', 14002: null } },
            { key: '3', attributes: { 14002: 1000, 14001: true } },
            { key: 0, attributes: null },
          ],
        },
        { uuid: a, name: 'alpha', validAttributes: [], catalogEntries: [entry(7)] },
      ])
      .expect(201);
    const zeta = {
      uuid: b,
      name: 'zeta',
      validAttributes: [14002, 14001],
      catalogEntries: [
        { key: 0, attributes: {} },
        { key: 3, attributes: { 14001: 'true', 14002: '1000' } },
        { key: 20, attributes: { 14001: 'Ö😀' } },
      ],
    };
    const alpha = { uuid: a, name: 'alpha', validAttributes: [], catalogEntries: [{ key: 7, attributes: {} }] };
    expect(await catalogs.list()).toEqual([zeta, alpha]);
    expect((await catalogs.get(`{${a.toUpperCase()}}`).expect(200)).body).toEqual([alpha]);
    await catalogs.post([]).expect(201);
  });

  it('keeps the sign of the number -0 in an entry [D2.1]', async () => {
    const uuid = randomUUID();
    const body = `[{"uuid":"${uuid}","name":"c","validAttributes":[14002],"catalogEntries":[{"key":1,"attributes":{"14002":-0}}]}]`;
    await request(replicas.first.server).post('/dataServiceRest/catalogs').set('Content-Type', 'application/json').send(body).expect(201);
    expect((await catalogs.read(uuid))?.catalogEntries).toEqual([{ key: 1, attributes: { 14002: '-0' } }]);
  });

  it.each([[undefined], [null], [[]]])('adds the default entry to a catalog without entries (%p) [I89, D3.6]', async (catalogEntries) => {
    const uuid = randomUUID();
    await catalogs.post([{ uuid, name: 'c', validAttributes: [14004, 14001, 14002, 14003], catalogEntries }]).expect(201);
    expect((await catalogs.read(uuid))?.catalogEntries).toEqual([{ key: 0, attributes: { 14001: 'not defined', 14004: 'not defined' } }]);
    // The answer can be sent back unchanged.
    await catalogs.put(await catalogs.list()).expect(200);
  });

  it('answers 404 for a catalog that does not exist [I81]', async () => {
    const unknown = randomUUID();
    expect(messageOf(await catalogs.get(unknown).expect(404))).toContain(unknown);
    await catalogs.get('colours').expect(400);
    await catalogs.post([entry(1)], `/${unknown}`).expect(404);
    await catalogs.put([colours(unknown)]).expect(404);
    await catalogs.delete(`/${unknown}`).expect(404);
    await catalogs.delete(`/${unknown}/`).expect(404);
    await catalogs.delete(`/${unknown}/{1}`).expect(404);
  });

  it.each(['{%s}', '%%7B%s%%7D', '{ %s }', '{%s}/', '{%s,%s}'])(
    'deletes nothing and succeeds for an unknown uuid in braces, %s [D2.6]',
    async (form) => {
      const unknown = randomUUID();
      await catalogs.delete(`/${form.replaceAll('%s', unknown).replaceAll('%%', '%').replaceAll(' ', '%20')}`).expect(200);
    },
  );

  it.each<[string, (uuid: string) => unknown, RegExp]>([
    ['no array', colours, /must be an array of catalogs/],
    ['no uuid', (uuid) => [{ ...colours(uuid), uuid: undefined }], /\[0\]\.uuid: must be a uuid/],
    ['the reserved uuid', () => [colours(ROOT_PART_UUID)], /\[0\]\.uuid: 0000.* is reserved/],
    ['a number for the name', (uuid) => [{ ...colours(uuid), name: 1 }], /\[0\]\.name: must be a text/],
    ['an empty name', (uuid) => [{ ...colours(uuid), name: ' ' }], /\[0\]\.name: must not be empty/],
    [
      'valid attributes that are no list',
      (uuid) => [{ ...colours(uuid), validAttributes: 14001 }],
      /\[0\]\.validAttributes: must be an array/,
    ],
    ['a valid attribute that is no key', (uuid) => [{ ...colours(uuid), validAttributes: [70_000] }], /\[0\]\.validAttributes\[0\]/],
    [
      'a valid attribute that does not exist',
      (uuid) => [{ ...colours(uuid), validAttributes: [14001, 14009] }],
      /14009 is not defined for the entity type catalog/,
    ],
    ['the same catalog twice', (uuid) => [colours(uuid), colours(uuid)], /\[1\]: The catalog .* stands in \[0\]/],
    ['entries that are no list', (uuid) => [{ ...colours(uuid), catalogEntries: {} }], /must be an array of catalog entries/],
    [
      'an entry without key',
      (uuid) => [{ ...colours(uuid), catalogEntries: [{ attributes: {} }] }],
      /catalogEntries\[0\]\.key: is missing/,
    ],
    [
      'an entry key that is too high',
      (uuid) => [{ ...colours(uuid), catalogEntries: [entry(32_768)] }],
      /catalogEntries\[0\]\.key: .*32767, not "?32768/,
    ],
    ['an entry key that is too low', (uuid) => [{ ...colours(uuid), catalogEntries: [entry(-2)] }], /catalogEntries\[0\]\.key/],
    ['an entry key twice', (uuid) => [{ ...colours(uuid), catalogEntries: [entry(4), entry(4)] }], /catalogEntries\[1\]: The entry key 4/],
    [
      'an unknown attribute',
      (uuid) => [{ ...colours(uuid), catalogEntries: [{ key: 1, attributes: { 99: 'x' } }] }],
      /catalog attribute "99".*not defined/,
    ],
    [
      'an attribute that is not valid here',
      (uuid) => [{ ...colours(uuid), catalogEntries: [{ key: 1, attributes: { 14004: 'x' } }] }],
      /catalogEntries\[0\]\.attributes: The attribute 14004 is not one of the valid attributes/,
    ],
    [
      'a value of the wrong type',
      (uuid) => [{ ...colours(uuid), catalogEntries: [{ key: 1, attributes: { 14002: 'x' } }] }],
      /"14002" with the value "x": it must be a whole number/,
    ],
    ['attributes that are no object', (uuid) => [{ ...colours(uuid), catalogEntries: [{ key: 1, attributes: 'x' }] }], /attributes/],
  ])('refuses %s [I6, I16, I42-I44, I46, I82, I188, I191, I202, D3.4, D3.6]', async (_, body, message) => {
    const existing = randomUUID();
    await catalogs.post([colours(existing)]).expect(201);
    expect(messageOf(await catalogs.post(body(randomUUID())).expect(400))).toMatch(message);
    expect(messageOf(await catalogs.put(body(existing)).expect(400))).toMatch(message);
    expect(await catalogs.list()).toEqual([colours(existing)]);
  });

  it('requires name and valid attributes on creation [I82]', async () => {
    for (const name of [undefined, null])
      expect(messageOf(await catalogs.post([{ ...colours(randomUUID()), name }]).expect(400))).toMatch(/\[0\]\.name: must be a text/);
    expect(messageOf(await catalogs.post([{ uuid: randomUUID(), name: 'c' }]).expect(400))).toMatch(/\[0\]\.validAttributes/);
  });

  it('refuses all catalogs of a request when one exists already [I82]', async () => {
    const [uuid, other] = [randomUUID(), randomUUID()];
    await catalogs.post([colours(uuid)]).expect(201);
    const refused = await catalogs.post([colours(other), { ...colours(uuid), name: 'x' }]).expect(409);
    expect(messageOf(refused)).toContain(`[1]: The catalog ${uuid}`);
    expect(refused.body).toMatchObject({ details: [{ field: '[1]', message: `The catalog ${uuid} already exists.` }] });
    expect(await catalogs.list()).toEqual([colours(uuid)]);
  });

  it('adds entries with their own keys or the next free key [I83, I90, D3.6]', async () => {
    const uuid = randomUUID();
    await catalogs.post([{ ...colours(uuid), catalogEntries: [entry(-1, 'a'), entry(10, 'b'), entry(-1, 'c')] }]).expect(201);
    expect(await keysOf(uuid)).toEqual([10, 11, 12]);
    await catalogs.post([entry(-1), entry(5, 'five'), entry(20)], `/${uuid}`).expect(201);
    expect(await keysOf(uuid)).toEqual([5, 10, 11, 12, 20, 21]);
    await catalogs.post([entry(32_767)], `/${uuid}/`).expect(201);
    await catalogs.post([entry(-1)], `/${uuid}`).expect(201);
    expect(await keysOf(uuid)).toEqual([0, 5, 10, 11, 12, 20, 21, 32_767]);
    expect(messageOf(await catalogs.post([entry(6), entry(5)], `/${uuid}`).expect(409))).toMatch(/\[1\].*key 5 already/);
    await catalogs.post([entry(6), entry(6)], `/${uuid}`).expect(400);
    await catalogs.post([{ key: 6, attributes: { 14004: 'not valid here' } }], `/${uuid}`).expect(400);
    await catalogs.post(entry(6), `/${uuid}`).expect(400);
    const before = await stateOf();
    await catalogs.post([], `/${uuid}`).expect(201);
    expect(await stateOf()).toEqual(before);
    expect(await keysOf(uuid)).toHaveLength(8);
  });

  it('replaces the whole catalog [I84, I91, I92]', async () => {
    const [uuid, other] = [randomUUID(), randomUUID()];
    await catalogs.post([colours(uuid), colours(other)]).expect(201);
    await catalogs
      .put([{ uuid, name: 'new', validAttributes: [14004], catalogEntries: [{ key: -1, attributes: { 14004: 'x' } }] }])
      .expect(200);
    expect(await catalogs.read(uuid)).toEqual({
      uuid,
      name: 'new',
      validAttributes: [14004],
      catalogEntries: [{ key: 0, attributes: { 14004: 'x' } }],
    });
    expect(await catalogs.read(other)).toEqual(colours(other));
    expect((await catalogs.list()).map((catalog) => catalog.uuid)).toEqual([uuid, other]);
  });

  it('keeps what an update leaves out or sends as null [I84, I91, I92, D2.1]', async () => {
    const uuid = randomUUID();
    await catalogs.post([colours(uuid)]).expect(201);
    await catalogs.put([{ uuid, name: 'c', catalogEntries: [entry(9, 'nine')] }]).expect(200);
    expect(await catalogs.read(uuid)).toEqual({ uuid, name: 'c', validAttributes: [14001, 14002], catalogEntries: [entry(9, 'nine')] });
    await catalogs.put([{ uuid, name: 'd', validAttributes: [14001] }]).expect(200);
    const expected = { uuid, name: 'd', validAttributes: [14001], catalogEntries: [entry(9, 'nine')] };
    expect(await catalogs.read(uuid)).toEqual(expected);
    await catalogs.put([{ uuid, name: null, validAttributes: null, CatalogEntries: null }]).expect(200);
    await catalogs.put([{ uuid, catalogEntries: [{ key: 9, attributes: null }] }]).expect(200);
    await catalogs.put([]).expect(200);
    expect(await catalogs.read(uuid)).toEqual(expected);
    expect(messageOf(await catalogs.put([{ uuid, validAttributes: [14002] }]).expect(400))).toMatch(
      /14001 is not one of the valid attributes/,
    );
    await catalogs
      .put([
        {
          uuid,
          catalogEntries: [
            { key: 9, attributes: { 14001: null } },
            { key: 10, attributes: null },
          ],
        },
      ])
      .expect(200);
    expect(await catalogs.read(uuid)).toEqual({ ...expected, catalogEntries: [entry(9), entry(10)] });
    await catalogs.put([{ uuid, validAttributes: [], catalogEntries: [] }]).expect(200);
    expect(await catalogs.read(uuid)).toEqual({ ...expected, validAttributes: [], catalogEntries: [] });
  });

  it('deletes entries by list, all entries, catalogs by list, and all catalogs [I7, I85-I88, I184, D1.4, D1.7, D3.4]', async () => {
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    await catalogs.post([colours(a), colours(b), colours(c)]).expect(201);
    await catalogs.delete(`/${a}/{1,3,77}`).expect(200);
    expect(await keysOf(a)).toEqual([2]);
    await catalogs.delete(`/{${b.toUpperCase()}}/2`).expect(200);
    expect(await keysOf(b)).toEqual([1, 3]);
    await catalogs.delete(`/${b}/`).expect(200);
    expect(await catalogs.read(b)).toEqual({ ...colours(b), catalogEntries: [] });
    await catalogs.delete(`/{${a},${c}}/`).expect(200);
    expect(await keysOf(c)).toEqual([]);
    await catalogs.delete(`/{${a}, ${randomUUID()}, {${b}}}`).expect(200);
    expect((await catalogs.list()).map(({ uuid }) => uuid)).toEqual([c]);
    for (const rest of ['/', '/?', '/%20/']) expect(messageOf(await catalogs.delete(rest).expect(400))).toMatch(/nothing was deleted/);
    for (const rest of ['', `/${c}/`]) expect(messageOf(await catalogs.delete(rest).send([c]).expect(400))).toMatch(/nothing was deleted/);
    expect((await catalogs.list()).map(({ uuid }) => uuid)).toEqual([c]);
    await catalogs.delete('').expect(200);
    expect(await catalogs.list()).toEqual([]);
  });

  it.each<[(uuid: string) => string]>([
    [() => '/{}'],
    [() => '/%20'],
    [() => '/colours'],
    [(uuid) => `/{${uuid},}`],
    [(uuid) => `/${uuid}/{}`],
    [(uuid) => `/${uuid}/-1`],
    [(uuid) => `/${uuid}/{1,32768}`],
    [(uuid) => `/${uuid}/red`],
    [(uuid) => `?uuid=${uuid}`],
    [(uuid) => `/${uuid}?keys=1`],
  ])('refuses a deletion without a clear selector: %p [I85-I88]', async (rest) => {
    const uuid = randomUUID();
    await catalogs.post([colours(uuid)]).expect(201);
    expect(messageOf(await catalogs.delete(rest(uuid)).expect(400))).toMatch(/nothing was deleted/);
    expect(await catalogs.list()).toEqual([colours(uuid)]);
  });

  it('does not delete a catalog that an attribute refers to [D2.6, D3.4]', async () => {
    const [used, unused] = [randomUUID(), randomUUID()];
    await catalogs.post([colours(used), colours(unused)]).expect(201);
    await configuration.post('measurement', [catalogAttribute(12001, used)]).expect(201);
    for (const rest of ['', `/${used}`, `/{${unused},${used}}`]) {
      const response = await catalogs.delete(rest).expect(409);
      expect(response.body).toMatchObject({
        ExceptionType: 'InUse',
        message: expect.stringContaining('the measurement attribute 12001'),
        details: [{ field: 'uuid', message: expect.stringContaining(used) }],
      });
    }
    expect(await catalogs.list()).toHaveLength(2);
    await catalogs.delete(`/${unused}`).expect(200);
    await configuration.delete('/measurement/12001').expect(200);
    await catalogs.delete(`/${used}`).expect(200);
  });

  it('removes references to deleted entries only [I93, D3.5]', async () => {
    const [uuid, other] = [randomUUID(), randomUUID()];
    await catalogs.post([colours(uuid), colours(other)]).expect(201);
    await configuration.post('part', [catalogAttribute(11001, uuid), catalogAttribute(11002, other), textAttribute(11003)]).expect(201);
    await configuration.post('characteristic', [catalogAttribute(12001, uuid)]).expect(201);
    const items = {
      one: await replicas.storeItem('part', { 11001: '1', 11002: '1', 11003: '1' }),
      two: await replicas.storeItem('part', { 11001: '2' }),
      // A remaining value of a part, under a key that now belongs to characteristics.
      foreign: await replicas.storeItem('part', { 12001: '1' }),
      characteristic: await replicas.storeItem('characteristic', { 12001: '1', 11001: '1' }),
    };
    const before = await stateOf();
    await catalogs.put([{ ...colours(uuid), catalogEntries: [entry(2, 'changed'), entry(3)] }]).expect(200);
    expect(await replicas.storedAttributes(items.one)).toEqual({ 11002: '1', 11003: '1' });
    expect(await replicas.storedAttributes(items.two)).toEqual({ 11001: '2' });
    expect(await replicas.storedAttributes(items.foreign)).toEqual({ 12001: '1' });
    expect(await replicas.storedAttributes(items.characteristic)).toEqual({ 11001: '1' });
    expect(await stateOf()).toEqual({ revision: before?.revision, catalog_version: (before?.catalog_version ?? 0) + 1 });

    await catalogs.delete(`/${other}/{3,2}`).expect(200);
    expect(await replicas.storedAttributes(items.one)).toEqual({ 11002: '1', 11003: '1' });
    await catalogs.delete(`/${other}/`).expect(200);
    expect(await replicas.storedAttributes(items.one)).toEqual({ 11003: '1' });
    await catalogs.delete(`/${uuid}/{2}`).expect(200);
    expect(await replicas.storedAttributes(items.two)).toEqual({});
  });

  it('changes the ETag of a part when a reference is removed [I93, D3.5]', async () => {
    const [uuid, part] = [randomUUID(), randomUUID()];
    await catalogs.post([colours(uuid)]).expect(201);
    await configuration.post('part', [catalogAttribute(11001, uuid)]).expect(201);
    const url = '/dataServiceRest/parts';
    await request(replicas.plan)
      .post(url)
      .send([{ uuid: part, path: 'P:/cached/', attributes: { 11001: 3 } }])
      .expect(201);
    const before = await request(replicas.plan).get(`${url}/${part}`).expect(200);
    await request(replicas.plan)
      .get(`${url}/${part}`)
      .set('If-None-Match', before.headers['etag'] ?? '')
      .expect(304);
    await catalogs.delete(`/${uuid}/{3}`).expect(200);
    const after = await request(replicas.plan)
      .get(`${url}/${part}`)
      .set('If-None-Match', before.headers['etag'] ?? '')
      .expect(200);
    expect(after.body).toEqual({ ...(before.body as object), attributes: {} });
    await request(replicas.plan)
      .put(url)
      .send([{ uuid: part, attributes: { 11001: 3 } }])
      .expect(400);
  });

  it('removes references when all entries of a full catalog are deleted', async () => {
    const uuid = randomUUID();
    await catalogs
      .post([{ uuid, name: 'full', validAttributes: [14001], catalogEntries: Array.from({ length: 32_768 }, () => entry(-1, 'x')) }])
      .expect(201);
    expect(messageOf(await catalogs.post([entry(-1)], `/${uuid}`).expect(400))).toMatch(/No key is left/);
    await configuration.post('part', [catalogAttribute(11001, uuid)]).expect(201);
    const items = [await replicas.storeItem('part', { 11001: '0' }), await replicas.storeItem('part', { 11001: '32767' })];
    await catalogs.put([{ uuid, name: 'empty', catalogEntries: [] }]).expect(200);
    for (const item of items) expect(await replicas.storedAttributes(item)).toEqual({});
  });

  it('gives entries of two concurrent writers different keys', async () => {
    const uuid = randomUUID();
    await catalogs.post([{ ...colours(uuid), catalogEntries: [entry(0)] }]).expect(201);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? catalogs : elsewhere).post([entry(-1), entry(-1)], `/${uuid}`).then(({ status }) => status),
      ),
    );
    expect(statuses).toEqual(Array(8).fill(201));
    expect(await keysOf(uuid)).toEqual(Array.from({ length: 17 }, (_, key) => key));
    const creations = await Promise.all(
      [catalogs, elsewhere].map((client) => client.post([colours(randomUUID()), colours(uuid)]).then(({ status }) => status)),
    );
    expect(creations).toEqual([409, 409]);
  });

  it('lets all signed-in users read, but only users with the right write', async () => {
    const uuid = randomUUID();
    await catalogs.post([colours(uuid)]).expect(201);
    const reader: Principal = {
      ...EVERYONE,
      rightsKey: 'reader',
      scopeOf: () => PathScope.NOTHING,
      holds: (right) => right === 'configuration:write',
    };
    await replicas.as(reader, async () => {
      expect(await catalogs.list()).toHaveLength(1);
      await catalogs.get(uuid).expect(200);
      await catalogs.post([colours(randomUUID())]).expect(403);
      await catalogs.post([entry(9)], `/${uuid}`).expect(403);
      await catalogs.put([colours(uuid)]).expect(403);
      for (const rest of ['', `/${uuid}`, `/${uuid}/`, `/${uuid}/1`]) await catalogs.delete(rest).expect(403);
    });
    expect(await catalogs.list()).toEqual([colours(uuid)]);
  });
});
