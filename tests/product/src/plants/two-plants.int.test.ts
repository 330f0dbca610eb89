import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { schemaOfPlant, streamOfPlant } from '@sinebar/contracts';
import { advisoryKey, openDatabase } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { removeNatsStream } from '@sinebar/message-bus';
import { rawDataMigrations } from '@sinebar/raw-data';
import {
  backing,
  createTestDatabase,
  describeWith,
  eventually,
  templateDatabase,
  testBucket,
  queryOnce,
  type TestDatabase,
} from '@sinebar/testing';
import { ADMIN, createPlantSchemas, startPlant, startProduct, type RunningProduct } from '../access/running-product.fixture.ts';
import { fileHeaders } from '../access/world.fixture.ts';

const NORTH = 'north';
const SOUTH = 'south-2';
const DATA = '/dataServiceRest';
const FILES = '/rawDataServiceRest/rawData';
/** The same in both plants: what is the key of one is no key of the other. */
const part = { uuid: randomUUID() as string, path: 'P:/Pump/' };

describeWith(['postgres', 'nats', 's3'], 'two plants in one database, one broker and one bucket', () => {
  let database: TestDatabase;
  let north: RunningProduct;
  let south: RunningProduct;
  const post = (product: RunningProduct, resource: string, body: unknown) =>
    product.send({ who: ADMIN, method: 'POST', path: `${DATA}/${resource}`, body });
  const partNames = async (product: RunningProduct) =>
    (await product.read<{ path: string }[]>(ADMIN, `${DATA}/parts?depth=10`)).map(({ path }) => path).sort();
  const upload = (product: RunningProduct, content: string) =>
    product.send({
      who: ADMIN,
      method: 'POST',
      path: `${FILES}/Part/${part.uuid}/0`,
      headers: fileHeaders('drawing.txt'),
      body: Buffer.from(content),
    });
  const download = async (product: RunningProduct) => {
    const { status, text } = await product.send({ who: ADMIN, path: `${FILES}/Part/${part.uuid}/0` });
    return status === 200 ? text : status;
  };

  beforeAll(async () => {
    const bucket = testBucket();
    const template = templateDatabase(`two plants ${inspectionMigrations.length} ${rawDataMigrations.length}`, async (databaseUrl) => {
      for (const plant of [NORTH, SOUTH]) await createPlantSchemas({ plant, databaseUrl, bucket });
    });
    database = await createTestDatabase(template);
    north = await startPlant({ plant: NORTH, databaseUrl: database.url, bucket });
    south = await startPlant({ plant: SOUTH, databaseUrl: database.url, bucket });
  }, 120_000);
  afterAll(async () => {
    await north?.stop();
    await south?.stop();
    for (const plant of [NORTH, SOUTH]) {
      await removeNatsStream({ servers: backing().natsUrl, name: streamOfPlant(plant).streamName }).catch(() => undefined);
    }
    await database?.drop();
  });

  it('have schemas of their own, with _ for the hyphen, and leave the default schemas free', async () => {
    const schemas = await queryOnce(database.url, `SELECT nspname FROM pg_namespace WHERE nspname ~ '^(inspection|raw_data)' ORDER BY 1`);
    expect(schemas.map(({ nspname }) => nspname)).toEqual(['inspection_north', 'inspection_south_2', 'raw_data_north', 'raw_data_south_2']);
  });

  it('hold the same uuids and paths without a conflict', async () => {
    expect((await post(north, 'parts', [part])).status).toBe(201);
    expect((await post(south, 'parts', [part])).status).toBe(201);
  });

  it('do not see the parts of each other', async () => {
    expect((await post(north, 'parts', [{ uuid: randomUUID(), path: 'P:/Only north/' }])).status).toBe(201);
    expect(await partNames(north)).toContain('P:/Only north/');
    expect(await partNames(south)).not.toContain('P:/Only north/');
  });

  it('do not get the events of each other', async () => {
    const [before, other] = [await north.lastEvent(), await south.lastEvent()];
    expect((await post(north, 'parts', [{ uuid: randomUUID(), path: 'P:/Announced/' }])).status).toBe(201);
    await eventually(async () => (await north.lastEvent()) > before, 'the event of the north is published');
    expect(await south.lastEvent()).toBe(other);
  });

  it('keep files of the same target apart, and a deletion in one leaves those of the other', async () => {
    await eventually(async () => (await upload(north, 'of the north')).status === 201, 'the file of the north is stored');
    await eventually(async () => (await upload(south, 'of the south')).status === 201, 'the file of the south is stored');
    expect(await download(north)).toBe('of the north');
    expect(await download(south)).toBe('of the south');
    const removed = await north.send({ who: ADMIN, method: 'DELETE', path: `${FILES}/Part/${part.uuid}/0` });
    expect(removed.status).toBe(200);
    expect(await download(north)).toBe(404);
    expect(await download(south)).toBe('of the south');
  });

  it('do not wait for the plan lock of each other', async () => {
    const schema = schemaOfPlant(INSPECTION_SCHEMA, NORTH);
    const holder = await openDatabase({ url: database.url, schema, applicationName: 'test' });
    try {
      let late: Promise<unknown> | undefined;
      await holder.write({ signal: AbortSignal.timeout(30_000), statementTimeoutMs: 10_000 }, async (session) => {
        await session.query(`SELECT pg_advisory_xact_lock(${advisoryKey('plan')})`);
        let finished = false;
        late = post(north, 'parts', [{ uuid: randomUUID(), path: 'P:/Late/' }]).finally(() => (finished = true));
        expect((await post(south, 'parts', [{ uuid: randomUUID(), path: 'P:/Not late/' }])).status).toBe(201);
        expect(finished).toBe(false);
      });
      expect(await late).toMatchObject({ status: 201 });
    } finally {
      await holder.close();
    }
  });

  it('runs beside a product without plants', async () => {
    const only = await startProduct();
    try {
      expect(await partNames(only)).toEqual(['/']);
    } finally {
      await only.stop();
    }
  });
});
