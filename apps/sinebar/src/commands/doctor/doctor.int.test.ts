import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { FileBlobStore, RAW_DATA_SCHEMA, rawDataMigrations } from '@sinebar/raw-data';
import { createTestDatabase, describeWith, type TestDatabase } from '@sinebar/testing';
import pg from 'pg';
import { typed } from '../../running-sinebar.fixture.ts';
import type { Store } from '../../stores/store.ts';
import { COULD_NOT_CHECK, doctorCommand } from './doctor-command.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

const PART = '05040c4c-f0af-46b8-810e-30c0c00a379e';
const GAP = '15040c4c-f0af-46b8-810e-30c0c00a379e';
const MEASUREMENT = '25040c4c-f0af-46b8-810e-30c0c00a379e';
const LOST = '45040c4c-f0af-46b8-810e-30c0c00a379e';

/** Part 2 with characteristic 3 and a measurement of it, and a file. */
const CONTENT = `
  INSERT INTO inspection.plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, version,
    plan_version, modified_at, characteristics_modified_at)
  VALUES (2, '${PART}', 'part', 1, 2, 'A/B', 'a/b', 'pa\\/b/', 'P:/A\\/B/', 1, 0, 0, now(), now()),
    (3, '${GAP}', 'characteristic', 2, 2, 'Gap', 'gap', 'pa\\/b/cgap/', 'PC:/A\\/B/Gap/', 2, 0, 0, now(), now());
  INSERT INTO inspection.characteristic_set (part_id, characteristic_ids, hash) VALUES (2, '{3}', '\\x00');
  INSERT INTO inspection.measurement (uuid, part_id, last_modified, created, characteristic_set_id, aggregation, attributes, "values")
  VALUES ('${MEASUREMENT}', 2, now(), now(), 1, false, '{}', '{1.5}');
  INSERT INTO raw_data.part (uuid, path) SELECT uuid, path FROM inspection.plan_item WHERE kind = 'part';
  UPDATE raw_data.follow_position SET epoch = 'e';`;

const file = (object: string, target = PART, entity = 'Part') => `
  INSERT INTO raw_data.raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
    created, last_modified, object_name)
  VALUES ('${entity}', '${target}', '00000000-0000-0000-0000-000000000000', '${PART}', 7, 'a', 'b', 1, decode(md5('x'), 'hex'),
    now(), now(), '${object}')`;
const NO_FILES = 'DELETE FROM raw_data.raw_data_object';

describeWith(['postgres'], 'doctor', () => {
  let root: string;
  let database: TestDatabase;
  let store: Store;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const look = (changes: Partial<Store> = {}) =>
    examine({ ...store, ...changes }, { thorough: true, olderThanMs: -60_000, settleMs: 0 }, new AbortController().signal);
  const bad = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== 'ok');

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-doctor-'));
    database = await createTestDatabase();
    await migrate(database.url, INSPECTION_SCHEMA, inspectionMigrations);
    await migrate(database.url, RAW_DATA_SCHEMA, rawDataMigrations);
    await run(CONTENT);
    const blobs = new FileBlobStore(join(root, 'files'));
    await blobs.prepare(new Date(), false);
    store = {
      kind: 'embedded',
      name: 'a test',
      databaseUrl: database.url,
      plant: '',
      blobs,
      dataDir: root,
      stream: undefined,
      isStopped: false,
      close: () => Promise.resolve(),
    };
  });
  afterAll(async () => {
    await database.drop();
    await rm(root, { recursive: true });
  });

  it('finds no problem in a correct installation', async () => {
    expect(bad(await look())).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    [
      'plan: root',
      '00000000',
      `UPDATE inspection.plan_item SET path = 'x' WHERE id = 1`,
      `UPDATE inspection.plan_item SET path = '' WHERE id = 1`,
    ],
    [
      'plan: parents',
      GAP,
      'UPDATE inspection.plan_item SET parent_id = 99 WHERE id = 3',
      'UPDATE inspection.plan_item SET parent_id = 2 WHERE id = 3',
    ],
    [
      'plan: kinds',
      GAP,
      'UPDATE inspection.plan_item SET part_id = 1 WHERE id = 3',
      'UPDATE inspection.plan_item SET part_id = 2 WHERE id = 3',
    ],
    [
      'plan: paths',
      GAP,
      `UPDATE inspection.plan_item SET path = 'pb/cgap/' WHERE id = 3`,
      `UPDATE inspection.plan_item SET path = 'pa\\/b/cgap/' WHERE id = 3`,
    ],
    [
      'plan: paths',
      PART,
      `UPDATE inspection.plan_item SET depth = 2 WHERE id = 2`,
      `UPDATE inspection.plan_item SET depth = 1 WHERE id = 2`,
    ],
    [
      'plan: paths',
      GAP,
      `UPDATE inspection.plan_item SET marked_path = 'PP:/A\\/B/Gap/' WHERE id = 3`,
      `UPDATE inspection.plan_item SET marked_path = 'PC:/A\\/B/Gap/' WHERE id = 3`,
    ],
    ['measurements: parts', '99', 'UPDATE inspection.measurement SET part_id = 99', 'UPDATE inspection.measurement SET part_id = 2'],
    [
      'measurements: characteristics',
      '1',
      `UPDATE inspection.characteristic_set SET characteristic_ids = '{99}'`,
      `UPDATE inspection.characteristic_set SET characteristic_ids = '{3}'`,
    ],
    [
      'measurements: values',
      MEASUREMENT,
      `UPDATE inspection.measurement SET "values" = '{1,2}'`,
      `UPDATE inspection.measurement SET "values" = '{1}'`,
    ],
    [
      'measurements: values',
      MEASUREMENT,
      `UPDATE inspection.measurement SET digits = '\\xffff'`,
      'UPDATE inspection.measurement SET digits = NULL',
    ],
    [
      'measurements: values',
      MEASUREMENT,
      'UPDATE inspection.measurement SET characteristic_set_id = 99',
      'UPDATE inspection.measurement SET characteristic_set_id = 1',
    ],
    [
      'outbox inspection',
      '',
      `INSERT INTO inspection.outbox (event_id, envelope, created_at) VALUES (gen_random_uuid(), '{}', now() - interval '1 hour')`,
      'DELETE FROM inspection.outbox',
    ],
    [
      'event stream',
      '',
      `CREATE SCHEMA bus; CREATE TABLE bus.stream AS SELECT 'e' AS epoch, 1 AS first_sequence, 3 AS last_sequence, 0 AS kept_bytes;
       CREATE TABLE bus.message (size_bytes int); UPDATE raw_data.follow_position SET sequence = 3`,
      'DROP SCHEMA bus CASCADE',
    ],
    [
      'followed by raw-data',
      '',
      `CREATE SCHEMA bus; CREATE TABLE bus.stream AS SELECT 'other' AS epoch, 1 AS first_sequence, 0 AS last_sequence, 0 AS kept_bytes;
       CREATE TABLE bus.message (size_bytes int)`,
      'DROP SCHEMA bus CASCADE',
    ],
    [
      'part mirror',
      PART,
      `UPDATE raw_data.part SET path = 'old/' WHERE uuid = '${PART}'`,
      `UPDATE raw_data.part SET path = 'pa\\/b/' WHERE uuid = '${PART}'`,
    ],
    ['files: rows without bytes', LOST, file(LOST), NO_FILES],
  ])('reports a problem: %s, %s', async (check, example, breakIt, repair) => {
    await run(breakIt);
    try {
      const found = bad(await look());
      expect(found[0]).toMatchObject({ check, state: 'problem' });
      expect((found[0]?.examples ?? []).join()).toContain(example);
    } finally {
      await run(repair);
    }
  });

  it('names files of deleted targets, and objects without file', async () => {
    const [orphan, used] = [randomUUID(), randomUUID()] as [string, string];
    for (const name of [orphan, used]) {
      await writeFile(join(root, 'x'), 'x');
      await store.blobs.put(name, join(root, 'x'), 1);
    }
    await run(file(used, MEASUREMENT));
    expect(bad(await look())).toMatchObject([
      { check: 'files: bytes without rows', state: 'problem', examples: [orphan] },
      { check: 'files: targets', state: 'problem', examples: [`Part ${MEASUREMENT}`] },
    ]);
    await run(NO_FILES);
    await store.blobs.remove([orphan, used]);
  });

  it('treats work for the next start as normal when the product is stopped', async () => {
    await run(
      `INSERT INTO inspection.outbox (event_id, envelope, created_at)
       VALUES (gen_random_uuid(), '{}', now() - interval '1 hour');
       DELETE FROM raw_data.part`,
    );
    expect(bad(await look({ isStopped: true }))).toEqual([]);
    await run(
      `DELETE FROM inspection.outbox;
       INSERT INTO raw_data.part (uuid, path) SELECT uuid, path FROM inspection.plan_item WHERE kind = 'part'`,
    );
  });

  it('reports what it could not check', async () => {
    const env = { DATABASE_URL: database.url, SINEBAR_FILE_DIR: join(root, 'files') };
    const table = await typed(doctorCommand, [], env, COULD_NOT_CHECK);
    expect(table).toMatchObject({ code: 2, stdout: expect.stringMatching(/NOT CHECKED +event stream +NATS_URL is not set/) });
    const json = await typed(doctorCommand, ['--json'], { ...env, NATS_URL: 'nats://127.0.0.1:1' }, COULD_NOT_CHECK);
    expect(JSON.parse(json.stdout)).toMatchObject({ result: 'incomplete', store: 'distributed' });
    expect(json.stdout).toContain('cannot be reached');
  });

  it('checks nothing else when the schema is missing or of another release', async () => {
    await run('UPDATE inspection.schema_version SET current = 1');
    const found = bad(await look());
    expect(found[0]).toMatchObject({ check: 'schema inspection', state: 'problem', detail: expect.stringContaining('start the product') });
    expect(new Set(found.slice(1).map(({ state }) => state))).toEqual(new Set(['unchecked']));
    await run('UPDATE inspection.schema_version SET current = 99');
    expect((await look())[0]).toMatchObject({ state: 'ok', detail: expect.stringContaining('newer release') });
    await run('UPDATE inspection.schema_version SET oldest_code = 99');
    expect((await look())[0]).toMatchObject({ state: 'problem', detail: expect.stringContaining('newer release') });
    const empty = await createTestDatabase();
    const env = { DATABASE_URL: empty.url, SINEBAR_FILE_DIR: join(root, 'files') };
    expect(await typed(doctorCommand, [], env, COULD_NOT_CHECK)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not in this database'),
    });
    await empty.drop();
  });

  it('reports wrong use, and what it cannot reach', async () => {
    expect(await typed(doctorCommand, ['--older-than-hours', 'x'], {}, COULD_NOT_CHECK)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"x"'),
    });
    expect(await typed(doctorCommand, ['here'], {}, COULD_NOT_CHECK)).toMatchObject({ code: 2, stderr: expect.stringContaining('here') });
    expect(await typed(doctorCommand, ['--help'], {}, COULD_NOT_CHECK)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Exit code'),
    });
    const env = { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/x', SINEBAR_FILE_DIR: root };
    expect(await typed(doctorCommand, [], env, COULD_NOT_CHECK)).toMatchObject({ code: 2, stdout: '' });
    expect(await typed(doctorCommand, [], { DATABASE_URL: 'nonsense' }, COULD_NOT_CHECK)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('postgres://'),
    });
  });
});
