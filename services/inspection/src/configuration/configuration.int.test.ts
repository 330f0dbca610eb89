import { randomUUID } from 'node:crypto';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { ROOT_PART_UUID, type ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  catalogAttribute,
  catalogsClient,
  configurationClient,
  startConfigurationReplicas,
  textAttribute,
  type ConfigurationReplicas,
} from './configuration-replicas.fixture.ts';

describeWith(['postgres'], 'configuration', () => {
  let replicas: ConfigurationReplicas;
  beforeAll(async () => {
    replicas = await startConfigurationReplicas();
  });
  afterAll(() => replicas.stop());
  afterEach(async () => {
    await configuration.delete().expect(200);
    await catalogs.delete().expect(200);
    await replicas.sql('DELETE FROM plan_item WHERE depth > 0');
  });

  const configuration = configurationClient(() => replicas.first.server);
  const elsewhere = configurationClient(() => replicas.second.server);
  const catalogs = catalogsClient(() => replicas.first.server);
  const messageOf = (response: { body: unknown }) => (response.body as ErrorBody).message;
  const plain = (key: number, type: string) => ({ key, description: '', type, definitionType: 'AttributeDefinition' });
  const stateOf = async () => {
    const [state] = await replicas.sql<
      Record<'configuration_version' | 'catalog_version', number> & Record<'configuration_at' | 'catalog_at', Date>
    >('SELECT configuration_version, catalog_version, configuration_at, catalog_at FROM server_state');
    if (!state) throw new Error('no state');
    return state;
  };

  it('announces each change with the keys by entity type, and a refused one not at all', async () => {
    const announced = async () => {
      const rows = await replicas.sql<{ events: object[] }>(
        `SELECT envelope::jsonb #> '{data,events}' AS events FROM outbox WHERE envelope::jsonb ->> 'type' = 'ConfigurationModified' ORDER BY id`,
      );
      return rows.map(({ events }) => events);
    };
    const { length: before } = await announced();
    await configuration.post('part', [textAttribute(1002), textAttribute(1001)]).expect(201);
    await configuration.post('part', [textAttribute(1001)]).expect(409);
    await configuration.put('measurement', [textAttribute(1002), textAttribute(1003)]).expect(200);
    await configuration.delete().expect(200);
    await configuration.delete().expect(200);
    expect((await announced()).slice(before)).toEqual([
      [{ EntityType: 'part', AttributeKeys: [1001, 1002] }],
      [
        { EntityType: 'part', AttributeKeys: [1002] },
        { EntityType: 'measurement', AttributeKeys: [1002, 1003] },
      ],
      [
        { EntityType: 'part', AttributeKeys: [1001] },
        { EntityType: 'measurement', AttributeKeys: [1002, 1003] },
      ],
    ]);
  });

  it('is empty on a new server [I74, D2.2]', async () => {
    expect(await configuration.read()).toEqual({
      partAttributes: [],
      characteristicAttributes: [],
      measurementAttributes: [],
      valueAttributes: [],
      catalogAttributes: [],
      versioningType: 'Client',
    });
  });

  it('returns exactly the documented members by key [I15, I31-I41, I74, I75, I79, I183, D1.2, D1.6, D3.7]', async () => {
    const catalog = randomUUID();
    await configuration.post('catalog', [textAttribute(14001)]).expect(201);
    await catalogs.post([{ uuid: catalog, name: 'colours', validAttributes: [14001] }]).expect(201);
    await configuration
      .post('Parts', [
        { Key: 1002, Description: 'Größe ☃', Type: 'float', Length: 7, DefinitionType: 'attributedefinition', queryEfficient: true },
        { key: '1001', description: null, type: 'ALPHANUMERIC', length: 20, catalog: 'ignored', definitionType: 'AttributeDefinition' },
        { ...catalogAttribute(1003, `{${catalog.toUpperCase()}}`), type: 'ignored', length: -1 },
      ])
      .expect(201);
    await configuration.post('characteristic', [plain(2001, 'Integer')]).expect(201);
    await configuration.post('MEASUREMENT', [plain(4, 'DateTime')]).expect(201);
    await configuration.post('values/', [plain(1, 'Float')]).expect(201);
    expect(await configuration.read()).toEqual({
      partAttributes: [
        { key: 1001, description: '', type: 'AlphaNumeric', length: 20, definitionType: 'AttributeDefinition' },
        { key: 1002, description: 'Größe ☃', type: 'Float', definitionType: 'AttributeDefinition' },
        { key: 1003, description: 'attribute 1003', catalog, definitionType: 'CatalogAttributeDefinition' },
      ],
      characteristicAttributes: [{ key: 2001, description: '', type: 'Integer', definitionType: 'AttributeDefinition' }],
      measurementAttributes: [{ key: 4, description: '', type: 'DateTime', definitionType: 'AttributeDefinition' }],
      valueAttributes: [{ key: 1, description: '', type: 'Float', definitionType: 'AttributeDefinition' }],
      catalogAttributes: [
        { key: 14001, description: 'attribute 14001', type: 'AlphaNumeric', length: 255, definitionType: 'AttributeDefinition' },
      ],
      versioningType: 'Client',
    });
  });

  it('accepts the same sequence of commands twice', async () => {
    for (let round = 0; round < 2; round += 1) {
      const catalog = randomUUID();
      await configuration.post('part', [textAttribute(11001)]).expect(201);
      await configuration.post('catalog', [textAttribute(14001)]).expect(201);
      await catalogs
        .post([{ uuid: catalog, name: 'test', validAttributes: [14001], catalogEntries: [{ key: 1, attributes: { 14001: 'one' } }] }])
        .expect(201);
      await configuration.post('part', [catalogAttribute(11002, catalog)]).expect(201);
      await configuration.put('characteristic', [catalogAttribute(11002, catalog)]).expect(200);
      expect(await configuration.read()).toMatchObject({
        partAttributes: [{ key: 11001 }],
        characteristicAttributes: [{ key: 11002, catalog }],
        catalogAttributes: [{ key: 14001 }],
      });
      await configuration.delete('/part/{11001}').expect(200);
      await configuration.delete('/characteristic/{11002}').expect(200);
      await configuration.delete('/catalog/{14001}').expect(200);
      await catalogs.delete(`/${catalog}`).expect(200);
      expect(await catalogs.list()).toEqual([]);
    }
  });

  it.each<[string, string, unknown, RegExp]>([
    ['an unknown entity type', 'machines', [textAttribute(1001)], /"machines" is no entity type.*characteristic/],
    ['no array', 'part', textAttribute(1001), /must be an array of attribute definitions/],
    ['a definition that is no object', 'part', [7], /must be a JSON object/],
    ['no key', 'part', [{ ...textAttribute(1001), key: undefined }], /\[0\]\.key: is missing/],
    ['a key above 16 bits', 'part', [textAttribute(65_536)], /\[0\]\.key: .*0 to 65535, not "?65536/],
    ['a negative key', 'part', [textAttribute(-1)], /\[0\]\.key/],
    ['a fraction as key', 'part', [textAttribute(1.5)], /\[0\]\.key/],
    ['a number too long for a key', 'part', [{ ...textAttribute(1), key: '99999999999999999999' }], /\[0\]\.key/],
    [
      'no definitionType',
      'part',
      [{ ...textAttribute(1001), definitionType: undefined }],
      /\[0\]\.definitionType: .*CatalogAttributeDefinition/,
    ],
    ['an unknown definitionType', 'part', [{ ...textAttribute(1001), definitionType: 'Text' }], /not "Text"/],
    ['no type', 'part', [{ ...textAttribute(1001), type: undefined }], /\[0\]\.type: must be one of AlphaNumeric/],
    ['an unknown type', 'part', [{ ...textAttribute(1001), type: 'Catalog' }], /\[0\]\.type: .*not "Catalog"/],
    ['a length above 16 bits', 'part', [{ ...textAttribute(1001), length: 65_536 }], /\[0\]\.length/],
    ['a description that is no text', 'part', [{ ...textAttribute(1001), description: 5 }], /\[0\]\.description: must be a text/],
    ['half a character', 'part', [{ ...textAttribute(1001), description: '\ud800' }], /surrogate/],
    ['no catalog', 'part', [{ ...catalogAttribute(1001, ''), catalog: undefined }], /\[0\]\.catalog: must be a uuid/],
    ['a catalog that is no uuid', 'part', [catalogAttribute(1001, 'colours')], /\[0\]\.catalog: must be a uuid/],
    ['a catalog that does not exist', 'part', [catalogAttribute(1001, ROOT_PART_UUID)], /\[0\]\.catalog: There is no catalog 0000/],
    ['a catalog attribute for catalogs', 'catalog', [catalogAttribute(1001, ROOT_PART_UUID)], /cannot refer to a catalog/],
    ['a key twice', 'part', [textAttribute(1001), textAttribute(1002), textAttribute(1001)], /\[2\]\.key: .*1001 stands in \[0\]/],
    ['the measured value for parts', 'part', [plain(1, 'Float')], /1 is reserved for the entity type value with the type Float/],
    ['the measured value as a text', 'value', [textAttribute(1)], /1 is reserved/],
    ['the time for values', 'value', [plain(4, 'DateTime')], /4 is reserved for the entity type measurement with the type DateTime/],
  ])('refuses %s [I6, I33-I37, I40, I41, I75, I191, D2.2, D3.4]', async (_, entity, definitions, message) => {
    for (const send of [configuration.post, configuration.put]) {
      expect(messageOf(await send(entity, definitions).expect(400))).toMatch(message);
    }
    expect(await configuration.read()).toMatchObject({ partAttributes: [], valueAttributes: [], catalogAttributes: [] });
  });

  it.each([[undefined], [null]])('uses 255 as the length of a text whose length is %p [D2.2]', async (length) => {
    await configuration
      .post('part', [
        { ...textAttribute(1001), length: 3 },
        { ...textAttribute(1002), length },
      ])
      .expect(201);
    await configuration.put('part', [{ ...textAttribute(1001), length }]).expect(200);
    expect(await configuration.read()).toMatchObject({
      partAttributes: [
        { key: 1001, length: 255 },
        { key: 1002, length: 255 },
      ],
    });
  });

  it('creates all definitions or none, and refuses keys that exist for any entity type [I33, I38, I75, D3.1]', async () => {
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    const refused = await configuration.post('characteristic', [textAttribute(1002), textAttribute(1001)]).expect(409);
    expect(refused.body).toMatchObject({ ExceptionType: 'AlreadyExists', message: expect.stringMatching(/\[1\].*1001.*part/) });
    expect(refused.body).toMatchObject({ details: [{ field: '[1]', message: expect.stringContaining('1001') }] });
    expect(await configuration.read()).toMatchObject({ characteristicAttributes: [] });
    await configuration.post('part', []).expect(201);
    await configuration.put('part', []).expect(200);
  });

  it('changes everything except the key, and creates missing definitions [I76, I202, D3.1]', async () => {
    await configuration.post('part', [textAttribute(1001, 'old')]).expect(201);
    await configuration.put('part', [{ ...textAttribute(1001, 'new'), length: 3 }, plain(1002, 'Integer')]).expect(200);
    expect(await configuration.read()).toMatchObject({
      partAttributes: [
        { key: 1001, description: 'new', length: 3 },
        { key: 1002, type: 'Integer' },
      ],
    });
  });

  it.each<[string, string, unknown, boolean]>([
    ['a text that is no number', 'abc', plain(1001, 'Integer'), false],
    ['a fraction', '1.5', plain(1001, 'Integer'), false],
    ['a fraction', '1.5', plain(1001, 'Float'), true],
    ['a day that does not exist', '2026-02-30', plain(1001, 'DateTime'), false],
    ['a day', '2026-02-28', plain(1001, 'DateTime'), true],
    ['four characters', 'äöü😀', { ...textAttribute(1001), length: 3 }, false],
    ['three characters', 'äö😀', { ...textAttribute(1001), length: 3 }, true],
  ])('checks a stored value against a new type: %s %s [I76, D3.3]', async (_, value, definition, fits) => {
    await configuration.post('part', [textAttribute(1001, 'before')]).expect(201);
    const uuid = await replicas.storeItem('part', { 1001: value });
    await replicas.storeItem('characteristic', { 1001: 'value of another entity type' });
    const response = await configuration.put('part', [plain(1002, 'Float'), definition]);
    expect(response.status).toBe(fits ? 200 : 400);
    if (!fits) {
      expect(messageOf(response)).toMatch(
        /^\[1\]: The part attribute 1001 cannot change its type, because a stored value does not fit: it /,
      );
      expect(messageOf(response)).not.toContain(value);
      expect(await configuration.read()).toMatchObject({ partAttributes: [{ description: 'before' }] });
    }
    expect(await replicas.storedAttributes(uuid)).toEqual({ 1001: value });
  });

  it('finds one value among many that does not fit the new type', async () => {
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    await replicas.storeItem('part', { 1001: 'zzz' });
    await replicas.sql(
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes, version, plan_version, modified_at,
         characteristics_modified_at)
       SELECT nextval('plan_item_id'), gen_random_uuid(), 'part', 1, 1, 'many' || n, 'many' || n, 'pmany' || n || '/', 'P:/many' || n || '/', 1,
         jsonb_build_object('1001', n::text), 0, 0, now(), now()
       FROM generate_series(1, 12000) AS n`,
    );
    await configuration.put('part', [plain(1001, 'Integer')]).expect(400);
    await replicas.sql(`DELETE FROM plan_item WHERE attributes ->> '1001' = 'zzz'`);
    await configuration.put('part', [plain(1001, 'Integer')]).expect(200);
  });

  it('checks stored values against the entries of a catalog, and values of catalog entries against a new type [D3.3]', async () => {
    const [colours, shapes] = [randomUUID(), randomUUID()];
    await configuration.post('catalog', [textAttribute(14001)]).expect(201);
    await catalogs
      .post([
        {
          uuid: colours,
          name: 'colours',
          validAttributes: [14001],
          catalogEntries: [{ key: 1, attributes: { 14001: 'red' } }, { key: 2 }],
        },
        { uuid: shapes, name: 'shapes', validAttributes: [14001], catalogEntries: [{ key: 1, attributes: { 14001: '7' } }] },
      ])
      .expect(201);
    expect(messageOf(await configuration.put('catalog', [plain(14001, 'Integer')]).expect(400))).toMatch(/a stored value does not fit/);
    await configuration.post('part', [plain(1001, 'Integer')]).expect(201);
    await replicas.storeItem('part', { 1001: '2' });
    expect(messageOf(await configuration.put('part', [catalogAttribute(1001, shapes)]).expect(400))).toMatch(/the catalog has no entry/);
    await configuration.put('part', [catalogAttribute(1001, colours)]).expect(200);
    await configuration.put('part', [catalogAttribute(1001, shapes)]).expect(400);
    await configuration.put('part', [plain(1001, 'Integer')]).expect(200);
  });

  it('moves a key to another entity type and removes the values of the old one [I76, D3.1, D3.3]', async () => {
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    const part = await replicas.storeItem('part', { 1001: 'x', 1002: 'stays' });
    await configuration.put('characteristics', [plain(1001, 'Integer')]).expect(200);
    expect(await configuration.read()).toMatchObject({ partAttributes: [], characteristicAttributes: [{ key: 1001, type: 'Integer' }] });
    const characteristic = await replicas.storeItem('characteristic', { 1001: '5' });
    await configuration.put('part', [plain(1001, 'Float')]).expect(200);
    expect(await replicas.storedAttributes(part)).toEqual({ 1002: 'stays' });
    await configuration.put('characteristic', [plain(1001, 'Float')]).expect(200);
    expect(await replicas.storedAttributes(characteristic)).toEqual({});
  });

  it('removes a deleted or moved attribute from the catalogs [D3.2]', async () => {
    const uuid = randomUUID();
    const keys = [14003, 14001, 14002];
    await configuration
      .post(
        'catalog',
        keys.map((key) => textAttribute(key)),
      )
      .expect(201);
    await catalogs
      .post([
        {
          uuid,
          name: 'c',
          validAttributes: keys,
          catalogEntries: [{ key: 5, attributes: Object.fromEntries(keys.map((key) => [key, `v${key}`])) }],
        },
      ])
      .expect(201);
    const before = await stateOf();
    await configuration.delete('/catalogs/14001').expect(200);
    expect(await catalogs.read(uuid)).toEqual({
      uuid,
      name: 'c',
      validAttributes: [14003, 14002],
      catalogEntries: [{ key: 5, attributes: { 14002: 'v14002', 14003: 'v14003' } }],
    });
    const after = await stateOf();
    expect(after.catalog_version).toBe(before.catalog_version + 1);
    expect(after.configuration_version).toBe(before.configuration_version + 1);
    await configuration.put('part', [textAttribute(14003)]).expect(200);
    expect(await catalogs.read(uuid)).toMatchObject({
      validAttributes: [14002],
      catalogEntries: [{ key: 5, attributes: { 14002: 'v14002' } }],
    });
    await configuration.put('catalog', [textAttribute(14003)]).expect(200);
    expect(await replicas.sql('SELECT attributes FROM catalog_entry')).toEqual([{ attributes: { 14002: 'v14002' } }]);
  });

  it('deletes by list, by entity type, and completely [I7, I77-I79, I184, D1.3, D1.4, D1.7]', async () => {
    const fill = async () => {
      await configuration.put('part', [textAttribute(1001), textAttribute(1002), textAttribute(1003)]).expect(200);
      await configuration.put('characteristic', [textAttribute(2001)]).expect(200);
    };
    const keys = async () => {
      const read = await configuration.read();
      return [...read.partAttributes, ...read.characteristicAttributes].map(({ key }) => key);
    };
    await fill();
    await configuration.delete('/PARTS/1001, 9999,{2001}').expect(400);
    await configuration.delete('/PARTS/%7B1001,%209999,2001%7D/').expect(200);
    expect(await keys()).toEqual([1002, 1003, 2001]);
    await configuration.delete('/part/1001').expect(200);
    for (const rest of ['/part/', '/', '/part/?', '/%20'])
      expect(messageOf(await configuration.delete(rest).expect(400))).toMatch(/nothing was deleted|no entity type/);
    for (const rest of ['', '/part']) await configuration.delete(rest).send([1002]).expect(400);
    expect(await keys()).toEqual([1002, 1003, 2001]);
    await configuration.delete('/part').expect(200);
    expect(await keys()).toEqual([2001]);
    await fill();
    await configuration.delete('').expect(200);
    expect(await keys()).toEqual([]);
    const before = await stateOf();
    await configuration.delete('').expect(200);
    expect(await stateOf()).toEqual(before);
  });

  it.each<[string, RegExp]>([
    ['/part/{}', /names no key, so nothing was deleted/],
    ['/part/%20', /names no key/],
    ['/part/{1001,}', /"" is no key/],
    ['/part/abc', /"abc" is no key/],
    ['/part/-1', /"-1" is no key/],
    ['/part/65536', /"65536" is no key from 0 to 65535/],
    ['/machine', /no entity type/],
    ['/part?keys=1001', /"keys" is not known, so nothing was deleted/],
  ])('refuses the deletion of %s [I77, I78]', async (rest, message) => {
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    expect(messageOf(await configuration.delete(rest).expect(400))).toMatch(message);
    expect(await configuration.read()).toMatchObject({ partAttributes: [{ key: 1001 }] });
  });

  it('never removes stored measured values and times [D3.2]', async () => {
    await configuration.post('value', [plain(1, 'Float'), textAttribute(2)]).expect(201);
    await configuration.post('measurement', [plain(4, 'DateTime')]).expect(201);
    const before = await stateOf();
    await configuration.delete().expect(200);
    const purged = await replicas.sql('SELECT entity, key FROM attribute_purge');
    expect(purged).toContainEqual({ entity: 'value', key: 2 });
    expect(purged).not.toContainEqual({ entity: 'value', key: 1 });
    expect(purged).not.toContainEqual({ entity: 'measurement', key: 4 });
    expect((await stateOf()).configuration_at.getTime()).toBeGreaterThanOrEqual(before.configuration_at.getTime());
    await configuration.post('value', [plain(1, 'Float')]).expect(201);
  });

  it('accepts one of two concurrent writers', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? configuration : elsewhere).post('part', [textAttribute(1001), textAttribute(1010 + i)]).then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect((await configuration.read()).partAttributes).toHaveLength(2);
  });

  it('shows each replica the changes of other replicas', async () => {
    const uuid = randomUUID();
    const catalogsElsewhere = catalogsClient(() => replicas.second.server);
    await configuration.post('catalog', [textAttribute(14001)]).expect(201);
    expect(await elsewhere.read()).toEqual(await configuration.read());
    await catalogsElsewhere.post([{ uuid, name: 'c', validAttributes: [14001] }]).expect(201);
    await configuration.post('part', [catalogAttribute(1001, uuid)]).expect(201);
    await catalogsElsewhere.delete(`/${uuid}`).expect(409);
    await elsewhere.delete('/part').expect(200);
    expect((await configuration.read()).partAttributes).toEqual([]);
    await catalogs.delete(`/${uuid}`).expect(200);
    await elsewhere.post('part', [catalogAttribute(1001, uuid)]).expect(400);
  });

  it('lets all signed-in users read, but only users with the right write', async () => {
    const reader: Principal = {
      ...EVERYONE,
      rightsKey: 'reader',
      scopeOf: () => PathScope.NOTHING,
      holds: (right) => right === 'catalog:write',
    };
    await replicas.as(reader, async () => {
      await configuration.read();
      await configuration.post('part', [textAttribute(1001)]).expect(403);
      await configuration.put('part', [textAttribute(1001)]).expect(403);
      await configuration.delete().expect(403);
      await configuration.delete('/part').expect(403);
      await configuration.delete('/part/1').expect(403);
    });
  });

  it('names the allowed methods of an address', async () => {
    const response = await request(replicas.first.server).put('/dataServiceRest/configuration').send([]).expect(405);
    expect(response.headers['allow']).toBe('DELETE, GET, HEAD');
  });
});
