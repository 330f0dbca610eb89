import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { schemaOfPlant } from '@sinebar/contracts';
import { advisoryKey } from '@sinebar/database';
import { inspectNatsStream } from '@sinebar/message-bus';
import { backingVariables, createTestDatabase, describeWith, queryOnce, testBucket, uniqueId, type TestDatabase } from '@sinebar/testing';
import pg from 'pg';
import { backupCommand } from '../backup/backup-command.ts';
import { restoreCommand } from '../backup/restore-command.ts';
import { runCommandLine, type CommandContext } from '../../command-line/command.ts';
import { doctorCommand } from '../doctor/doctor-command.ts';
import type { Store } from '../../stores/store.ts';
import { isRecentCitus } from './place-plant.ts';
import { openPlant } from './plant-store.ts';
import type { Ask } from './plants-command.ts';
import { runPlants } from './run-plants.ts';

const NORTH = `north-${uniqueId()}`;
const SOUTH = `south-${uniqueId()}`;

describeWith(['postgres', 'nats', 's3'], 'npm run sinebar -- plants', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let printed: string[] = [];
  const contextOf = (variables: Record<string, string>): CommandContext => ({
    env: variables,
    signal: new AbortController().signal,
    print: (line) => void printed.push(line),
    stderr: { isTTY: false, write: (text: string) => printed.push(text) > 0 } as unknown as NodeJS.WriteStream,
  });
  /** @returns exit code and output */
  const run = async (
    argv: string[],
    { variables = env, ask = () => Promise.resolve(undefined) }: { variables?: typeof env; ask?: Ask } = {},
  ) => {
    printed = [];
    let code = -1;
    await runPlants(argv, ask, async (command, rest) => {
      code = await runCommandLine(command, rest, contextOf(variables));
    });
    return { code, text: printed.join('\n') };
  };
  const schemas = async () =>
    (await queryOnce(database.url, `SELECT nspname FROM pg_namespace WHERE nspname ~ '^(inspection|raw_data)_' ORDER BY 1`)).map(
      ({ nspname }) => nspname,
    );
  const schemasOf = (plant: string) => [schemaOfPlant('inspection', plant), schemaOfPlant('raw_data', plant)];
  const withStore = async <T>(plant: string, work: (store: Store) => Promise<T>) => {
    const store = await openPlant(plant, contextOf(env));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const storeFile = (plant: string) =>
    withStore(plant, async ({ blobs }) => {
      const path = join(folder, randomUUID());
      await writeFile(path, plant);
      await blobs.put(randomUUID(), path, Buffer.byteLength(plant));
    });
  const filesOf = (plant: string) =>
    withStore(plant, async ({ blobs }) => {
      let count = 0;
      for await (const { sizeBytes } of blobs.list()) count += sizeBytes > 0 ? 1 : 0;
      return count;
    });
  const streamOf = (plant: string) => withStore(plant, async ({ stream }) => stream && (await inspectNatsStream(stream)));
  const definitions = (plant: string) =>
    queryOnce(database.url, `SELECT description FROM "${schemaOfPlant('inspection', plant)}".attribute_definition ORDER BY 1`);

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'sinebar-plants-'));
    env = {
      ...backingVariables(),
      DATABASE_URL: database.url,
      S3_BUCKET: testBucket(),
      // Each stream reserves its bytes.
      SINEBAR_EVENTS_MAX_BYTES: String(2 ** 21),
    };
  });
  afterAll(async () => {
    for (const plant of [NORTH, SOUTH]) await run(['remove', plant, '--yes']);
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['a_b', /must consist of letters \(a to z\), digits and hyphens/],
    ['x'.repeat(41), /has 41 characters, at most 40 are allowed/],
  ])('refuses the name %s', async (name, sentence) => {
    const { code, text } = await run(['create', name]);
    expect(text).toMatch(sentence);
    expect(code).toBe(2);
  });

  it('refuses an unknown action', async () => {
    expect(await run(['destroy', 'a'])).toMatchObject({ code: 2, text: expect.stringContaining('There is no action destroy') });
  });

  it('says that a data folder holds one plant', async () => {
    const { code, text } = await run(['list'], { variables: { SINEBAR_DATA_DIR: folder } });
    expect(text).toMatch(/Plants share servers: name these with DATABASE_URL/);
    expect(code).toBe(1);
  });

  it('creates schemas, tables and the event stream', async () => {
    for (const plant of [NORTH, SOUTH]) expect((await run(['create', plant])).code).toBe(0);
    expect(await schemas()).toEqual([...schemasOf(NORTH), ...schemasOf(SOUTH)].sort());
    expect(await streamOf(NORTH)).toMatchObject({ messages: 0 });
  });

  it('creates what is missing of a plant that exists', async () => {
    expect(await run(['create', NORTH.toUpperCase()])).toMatchObject({
      code: 0,
      text: expect.stringContaining('Checked the schemas'),
    });
  });

  it('lists the plants', async () => {
    const { text } = await run(['list']);
    expect(text).toMatch(new RegExp(`^${NORTH} .* 0 events$`, 'm'));
    expect(text).toMatch(new RegExp(`^${SOUTH} .* 0 events$`, 'm'));
  });

  it('refuses a name that another installation uses in the same broker', async () => {
    const other = await createTestDatabase();
    try {
      const { code, text } = await run(['create', NORTH], { variables: { ...env, DATABASE_URL: other.url, S3_BUCKET: testBucket() } });
      expect(text).toContain(`The message broker has the event stream of another plant "${NORTH}", which is not in this database.`);
      expect(code).toBe(1);
      expect(await queryOnce(other.url, `SELECT FROM pg_namespace WHERE nspname ~ '^inspection'`)).toEqual([]);
    } finally {
      await other.drop();
    }
  });

  it.each([['distribute'], ['move']])('says that %s needs Citus', async (action) => {
    const { code, text } = await run([action, NORTH, ...(action === 'move' ? ['127.0.0.1:5432'] : [])]);
    expect(text).toContain('This PostgreSQL has no Citus');
    expect(code).toBe(1);
  });

  it('refuses a node without a port', async () => {
    expect(await run(['move', NORTH, 'worker'])).toMatchObject({ code: 2, text: expect.stringContaining('NODE is host:port') });
  });

  it('names the plants that exist where one does not', async () => {
    const { code, text } = await run(['remove', 'nowhere', '--yes']);
    expect(text).toContain(`There is no plant "nowhere" in this database. It has: ${NORTH}, ${SOUTH}.`);
    expect(code).toBe(1);
  });

  it('asks before it removes', async () => {
    expect(await run(['remove', NORTH])).toMatchObject({ code: 1, text: expect.stringContaining('confirm with --yes') });
    const wrong = await run(['remove', NORTH], { ask: () => Promise.resolve(SOUTH) });
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('that is not its name') });
    expect(await schemas()).toEqual(expect.arrayContaining(schemasOf(NORTH)));
  });

  it('does not remove a plant whose services run', async () => {
    const relay = new pg.Client(database.url);
    await relay.connect();
    try {
      await relay.query(`SELECT pg_advisory_lock(${advisoryKey('outbox', { schema: schemaOfPlant('inspection', NORTH) })})`);
      const { code, text } = await run(['remove', NORTH, '--yes']);
      expect(text).toContain(`The plant "${NORTH}" is in use`);
      expect(code).toBe(1);
    } finally {
      await relay.end();
    }
    expect(await schemas()).toEqual(expect.arrayContaining(schemasOf(NORTH)));
  });

  it('backs up, removes and restores one plant, and touches no other', async () => {
    for (const plant of [NORTH, SOUTH]) {
      await queryOnce(
        database.url,
        `INSERT INTO "${schemaOfPlant('inspection', plant)}".attribute_definition (key, entity, description, type, length)
         VALUES (13001, 'part', '${plant}', 'AlphaNumeric', 20)`,
      );
    }
    await storeFile(SOUTH);
    // A migration of the first plant may have created the extension in its schema.
    await queryOnce(database.url, `ALTER EXTENSION pg_trgm SET SCHEMA "${schemaOfPlant('raw_data', NORTH)}"`);
    const context = contextOf({ ...env, SINEBAR_PLANT: NORTH });
    const target = join(folder, 'backup');
    expect(await runCommandLine(backupCommand, [target], context)).toBe(0);

    await storeFile(NORTH);
    const removed = await run(['remove', NORTH, '--yes']);
    expect(removed.text).toContain('files    1 stored objects');
    expect(removed.code).toBe(0);
    expect(await schemas()).toEqual(schemasOf(SOUTH));
    expect(await streamOf(NORTH)).toBeUndefined();
    expect(await streamOf(SOUTH)).toBeDefined();
    expect(await filesOf(NORTH)).toBe(0);
    expect(await filesOf(SOUTH)).toBe(1);
    const indexes = await queryOnce(database.url, `SELECT indexname FROM pg_indexes WHERE indexname = 'raw_data_object_trigrams'`);
    expect(indexes).toHaveLength(1);

    expect(await runCommandLine(restoreCommand, [target], context)).toBe(0);
    expect(await definitions(NORTH)).toEqual([{ description: NORTH }]);
    expect(await definitions(SOUTH)).toEqual([{ description: SOUTH }]);
  }, 120_000);

  it('examines one plant', async () => {
    printed = [];
    await runCommandLine(doctorCommand, ['--json'], contextOf({ ...env, SINEBAR_PLANT: NORTH, NATS_URL: '' }));
    const { findings } = JSON.parse(printed.join('')) as { findings: { check: string; state: string }[] };
    const checks = findings.filter(({ check }) => check.startsWith('schema ')).map(({ check }) => check);
    expect(checks).toEqual(schemasOf(NORTH).map((schema) => `schema ${schema}`));
    expect(findings.filter(({ check }) => check.startsWith('plan: ')).every(({ state }) => state === 'ok')).toBe(true);
  });

  it.each([
    ['13.2-1', true],
    ['12.1-1', true],
    ['12.0-1', false],
    ['11.3', false],
  ])('Citus %s moves schemas: %s', (version, expected) => {
    expect(isRecentCitus(version)).toBe(expected);
  });
});
