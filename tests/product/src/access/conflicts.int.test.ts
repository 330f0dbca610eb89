import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { describeWith, recordDatabaseErrors, type DatabaseErrors } from '@sinebar/testing';
import { ADMIN, startProduct, type Asked, type RunningProduct } from './running-product.fixture.ts';
import { fileHeaders } from './world.fixture.ts';

const DATA = '/dataServiceRest';
const FILES = '/rawDataServiceRest/rawData';
const REPEATS = 8;

const part = { uuid: randomUUID() as string, path: 'P:/Pump/' };
const characteristic = { uuid: randomUUID() as string, path: 'PC:/Pump/Bore/' };
const measurement = { uuid: randomUUID() as string, partUuid: part.uuid };
const catalog = { uuid: randomUUID() as string, name: 'Machines', validAttributes: [], catalogEntries: [{ key: 1, attributes: {} }] };
const attribute = { key: 13001, description: 'Order', type: 'AlphaNumeric', length: 20, definitionType: 'AttributeDefinition' };

type Request = Omit<Asked, 'who'>;
const post = (resource: string, body: unknown): Request => ({ method: 'POST', path: `${DATA}/${resource}`, body });
const STORED: readonly Request[] = [
  post('configuration/part', [attribute]),
  post('catalogs', [catalog]),
  post('parts', [part]),
  post('characteristics', [characteristic]),
  post('values', [{ ...measurement, characteristics: { [characteristic.uuid]: { 1: 1.5 } } }]),
];

/** Requests for which something exists already. */
const CONFLICTS: readonly (readonly [name: string, request: Request])[] = [
  ['an attribute definition', post('configuration/part', [attribute])],
  ['a catalog', post('catalogs', [catalog])],
  ['an entry of a catalog', post(`catalogs/${catalog.uuid}`, catalog.catalogEntries)],
  ['the uuid of a part', post('parts', [{ ...part, path: 'P:/Valve/' }])],
  ['the path of a part', post('parts', [{ ...part, uuid: randomUUID() }])],
  ['the uuid of a characteristic', post('characteristics', [{ ...characteristic, path: 'PC:/Pump/Stroke/' }])],
  ['the path of a characteristic', post('characteristics', [{ ...characteristic, uuid: randomUUID() }])],
  ['a measurement', post('measurements', [{ ...measurement }])],
  ['a measurement with values', post('values', [{ ...measurement, characteristics: { [characteristic.uuid]: { 1: 2 } } }])],
];

describeWith(['postgres', 'nats', 's3'], 'conflicts', () => {
  let product: RunningProduct;
  let database: DatabaseErrors;
  const status = async (request: Request) => (await product.send({ who: ADMIN, ...request })).status;
  beforeAll(async () => {
    product = await startProduct({
      postgres: async (url) => {
        database = await recordDatabaseErrors(url);
        return database.url;
      },
    });
    for (const request of STORED) expect(await status(request)).toBe(201);
  });
  afterEach(() => void database.errors.splice(0));
  afterAll(async () => {
    await product?.stop();
    await database?.close();
  });

  it.each(CONFLICTS)('with %s answer 409 without an error of the database', async (_, request) => {
    expect(await status(request)).toBe(409);
    expect(database.errors).toEqual([]);
  });

  it('of one measurement that several requests create at once are no error of the database', async () => {
    const uuid = randomUUID();
    const body = [{ ...measurement, uuid }];
    const answers = await Promise.all(Array.from({ length: REPEATS }, () => status(post('measurements', body))));
    expect(answers.sort()).toEqual([201, ...Array<number>(REPEATS - 1).fill(409)]);
    expect(database.errors).toEqual([]);
  });

  it('of one key that several uploads take at once are no error of the database', async () => {
    const file: Request = { method: 'POST', path: `${FILES}/part/${part.uuid}/7`, headers: fileHeaders('a.txt'), body: Buffer.from('a') };
    const answers = await Promise.all(Array.from({ length: REPEATS }, () => status(file)));
    expect(answers).toEqual(Array<number>(REPEATS).fill(201));
    expect(database.errors).toEqual([]);
  });
});
