import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate, openServiceDatabase } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { connectNatsBus, createInProcessBus, inspectNatsStream, MemoryMessageLog, outboxStream } from '@sinebar/message-bus';
import { FileBlobStore } from '@sinebar/raw-data';
import { createLogger } from '@sinebar/runtime';
import { backing, createTestDatabase, describeWith, testSubjects, type TestDatabase } from '@sinebar/testing';
import { SILENT_PROGRESS } from '../../command-line/progress.ts';
import { startSinebar, typed } from '../../running-sinebar.fixture.ts';
import type { Store } from '../../stores/store.ts';
import { backupCommand } from './backup-command.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { beginRestore, noteFilled } from './unfinished-restore.ts';

const PART = '05040c4c-f0af-46b8-810e-30c0c00a379f';

describeWith(['postgres', 'nats'], 'an interrupted restore', () => {
  let root: string;
  let folder: string;
  let manifest: Manifest;
  let database: TestDatabase;
  let store: Store;
  let epoch: string;
  let subjectPrefix: string;
  const { signal } = new AbortController();

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-interrupted-'));
    folder = join(root, 'backup');
    const { client, stop } = await startSinebar(join(root, 'data'));
    await client.parts.create([{ uuid: PART, path: 'P:/Pump/' }]);
    await client.rawData.upload({ entity: 'Part', uuid: PART }, { fileName: 'drawing', content: 'lines' });
    await stop();
    await typed(backupCommand, [folder], { SINEBAR_DATA_DIR: join(root, 'data') });
    manifest = await readManifest(folder);
  }, 120_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  beforeEach(async () => {
    const names = testSubjects();
    const name = names.stream;
    subjectPrefix = names.prefix;
    const servers = backing().natsUrl;
    const bus = await connectNatsBus({ servers, name: 'test', streamName: name, subjectPrefix, stream: { maxBytes: 2 ** 20 } });
    ({ epoch } = await bus.streamState());
    await bus.close();
    database = await createTestDatabase();
    store = {
      kind: 'distributed',
      name: 'a test',
      databaseUrl: database.url,
      plant: '',
      blobs: new FileBlobStore(await mkdtemp(join(root, 'files-'))),
      dataDir: undefined,
      stream: { servers, name },
      isStopped: false,
      close: () => Promise.resolve(),
    };
  });
  afterEach(() => database.drop());

  const restore = (from = manifest) =>
    restoreBackup({ folder, manifest: from, store, replaceStream: true, progress: SILENT_PROGRESS, signal });
  const sql = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const names = () =>
    sql(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT name FROM ${INSPECTION_SCHEMA}.plan_item WHERE kind = 'part' AND name <> ''`,
      );
      return rows.map(({ name }) => name);
    });
  const start = () => {
    const log = createLogger({ service: 'test', level: 'silent' });
    const bus = createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 10 }) });
    return openServiceDatabase({
      url: database.url,
      schema: INSPECTION_SCHEMA,
      plant: '',
      service: 'inspection',
      migrations: inspectionMigrations,
      migrateAtStart: true,
      poolSizes: { requests: 2, streams: 1 },
      startTimeoutMs: 5_000,
      stream: outboxStream(bus, 'inspection'),
      log,
    });
  };

  it('keeps the event stream after a failure', async () => {
    const wrong = { ...manifest, tables: manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 })) };
    await expect(restore(wrong)).rejects.toThrow(/took \d+ rows of/);
    expect(await inspectNatsStream(store.stream as NonNullable<Store['stream']>)).toMatchObject({ epoch });
    await restore();
    expect(await names()).toEqual(['Pump']);
  });

  it('before the rows prevents the start of services, and is repeated by the next attempt', async () => {
    await sql((client) => beginRestore(client, '', epoch));
    await migrate(database.url, INSPECTION_SCHEMA, inspectionMigrations);
    await expect(start()).rejects.toThrow('a restore of it was interrupted');
    await restore();
    expect(await names()).toEqual(['Pump']);
    expect(await inspectNatsStream(store.stream as NonNullable<Store['stream']>)).toBeUndefined();
    await (await start()).close();
  });

  it('before the removal of the event stream prevents the start of services, and is completed by the next attempt', async () => {
    await restore();
    const { servers = '', name: streamName = '' } = store.stream ?? {};
    const bus = await connectNatsBus({ servers, name: 'test', streamName, subjectPrefix, stream: { maxBytes: 2 ** 20 } });
    const state = await bus.streamState();
    await bus.close();
    await sql(async (client) => {
      await beginRestore(client, '', state.epoch);
      await noteFilled(client, '');
    });
    await expect(start()).rejects.toThrow('a restore of it was interrupted');
    await restore();
    expect(await inspectNatsStream(store.stream as NonNullable<Store['stream']>)).toBeUndefined();
    expect(await names()).toEqual(['Pump']);
  });
});
