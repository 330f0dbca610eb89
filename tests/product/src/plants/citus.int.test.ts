import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { schemaOfPlant, streamOfPlant } from '@sinebar/contracts';
import { migrate, type Migration } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { removeNatsStream } from '@sinebar/message-bus';
import { RAW_DATA_SCHEMA, rawDataMigrations } from '@sinebar/raw-data';
import {
  backing,
  backingVariables,
  createTestDatabase,
  describeWith,
  eventually,
  queryOnce,
  sinebarCommand,
  startProcess,
  testBucket,
  uniqueId,
  type TestDatabase,
  describeUnless,
} from '@sinebar/testing';
import { ADMIN, startPlant, type RunningProduct } from '../access/running-product.fixture.ts';
import { fileHeaders } from '../access/world.fixture.ts';

const SCHEMAS: readonly (readonly [schema: string, migrations: readonly Migration[]])[] = [
  [INSPECTION_SCHEMA, inspectionMigrations],
  [RAW_DATA_SCHEMA, rawDataMigrations],
];
/** Newest migrations that run on a schema that was distributed before them. */
const LATER = 2;
const DATA = '/dataServiceRest';
const FILES = '/rawDataServiceRest/rawData';

const citus = process.env['SINEBAR_TEST_CITUS'];
describeUnless(citus ? undefined : 'no SINEBAR_TEST_CITUS', 'on a Citus cluster', () => {
  describeWith(['postgres', 'nats', 's3'], 'a plant', () => {
    let database: TestDatabase;
    let folder: string;
    let env: Record<string, string>;
    const plants: string[] = [];
    const newPlant = (name: string) => {
      const plant = `${name}-${uniqueId()}`;
      plants.push(plant);
      return plant;
    };
    /** Runs a command of the tools. @throws with its output when it fails */
    const run = async (command: 'plants' | 'backup' | 'restore' | 'doctor', args: string[], variables: Record<string, string> = {}) => {
      const running = await startProcess(process.execPath, sinebarCommand(command, ...args), {
        env: { NODE_OPTIONS: undefined, ...env, ...variables },
      });
      const { code } = await running.exited;
      if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with code ${code}:\n${running.output()}`);
      return running.output();
    };
    /** Tables that lie on no node of the cluster. */
    const localTables = async (plant: string) =>
      (
        await queryOnce(
          database.url,
          `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
           WHERE nspname IN ('${SCHEMAS.map(([schema]) => schemaOfPlant(schema, plant)).join("', '")}') AND relkind IN ('r', 'p')
             AND NOT relispartition AND pg_class.oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)`,
        )
      ).map(({ relname }) => relname);
    /** Writes a part and a file, and reads them. */
    const use = async (product: RunningProduct) => {
      const uuid = randomUUID();
      const created = await product.send({ who: ADMIN, method: 'POST', path: `${DATA}/parts`, body: [{ uuid, path: `P:/${uuid}/` }] });
      expect(created.status).toBe(201);
      const file = { who: ADMIN, path: `${FILES}/Part/${uuid}/0` };
      const headers = fileHeaders('note.txt');
      const upload = () => product.send({ ...file, method: 'POST', headers, body: Buffer.from(uuid) });
      await eventually(async () => (await upload()).status === 201, 'the file is stored');
      const path = `${DATA}/parts/${uuid}`;
      const renamed = await product.send({
        who: ADMIN,
        method: 'PUT',
        path: `${DATA}/parts`,
        body: [{ uuid, path: `P:/Renamed ${uuid}/` }],
      });
      expect(renamed.status).toBe(200);
      return { uuid, read: async (from: RunningProduct) => [(await from.send({ who: ADMIN, path })).status, (await from.send(file)).text] };
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sinebar-citus-test-'));
      database = await createTestDatabase();
      env = {
        ...backingVariables(),
        DATABASE_URL: database.url,
        S3_BUCKET: testBucket(),
        SINEBAR_EVENTS_MAX_BYTES: String(2 ** 25),
      };
    }, 120_000);
    afterAll(async () => {
      for (const plant of plants) {
        await removeNatsStream({ servers: backing().natsUrl, name: streamOfPlant(plant).streamName }).catch(() => undefined);
      }
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    });

    it('is migrated to later versions after it was distributed', async () => {
      const plant = newPlant('later');
      for (const [schema, migrations] of SCHEMAS) await migrate(database.url, schemaOfPlant(schema, plant), migrations.slice(0, -LATER));
      await run('plants', ['distribute', plant]);
      for (const [schema, migrations] of SCHEMAS) await migrate(database.url, schemaOfPlant(schema, plant), migrations);
      expect(await localTables(plant)).toEqual([]);
      const product = await startPlant({ plant, databaseUrl: database.url, bucket: env['S3_BUCKET'] ?? '' });
      try {
        await use(product);
      } finally {
        await product.stop();
      }
    }, 180_000);

    it('is backed up, removed, restored, and distributed again', async () => {
      const plant = newPlant('saved');
      const place = { plant, databaseUrl: database.url, bucket: env['S3_BUCKET'] ?? '' };
      await run('plants', ['create', plant]);
      await run('plants', ['distribute', plant]);
      const before = await startPlant(place);
      let used: Awaited<ReturnType<typeof use>>;
      try {
        used = await use(before);
      } finally {
        await before.stop();
      }
      const { uuid, read } = used;
      const target = join(folder, 'backup');
      await run('backup', [target], { SINEBAR_PLANT: plant });
      await run('plants', ['remove', plant, '--yes']);
      await run('restore', [target], { SINEBAR_PLANT: plant });
      await run('plants', ['distribute', plant]);
      expect(await localTables(plant)).toEqual([]);
      const after = await startPlant(place);
      try {
        expect(await read(after)).toEqual([200, uuid]);
        await use(after);
      } finally {
        await after.stop();
      }
    }, 180_000);

    it('is used by a role without superuser rights', async () => {
      const plant = newPlant('roles');
      const role = `sinebar_${uniqueId()}`;
      const url = new URL(database.url);
      url.username = role;
      url.password = 'word';
      // The extension passes the role on to the nodes.
      await queryOnce(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'word' NOSUPERUSER`);
      try {
        await run('plants', ['create', plant, '--inspection-role', role, '--raw-data-role', role]);
        for (const [schema, migrations] of SCHEMAS) await migrate(url.href, schemaOfPlant(schema, plant), migrations);
        await run('plants', ['distribute', plant]);
        const product = await startPlant({ plant, databaseUrl: url.href, bucket: env['S3_BUCKET'] ?? '' });
        try {
          await use(product);
        } finally {
          await product.stop();
        }
      } finally {
        await run('plants', ['remove', plant, '--yes']);
        await queryOnce(database.url, `DROP ROLE ${role}`);
      }
    }, 180_000);
  });
});
