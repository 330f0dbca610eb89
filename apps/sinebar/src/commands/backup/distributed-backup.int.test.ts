import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { connectNatsBus, inspectNatsStream } from '@sinebar/message-bus';
import { S3BlobStore } from '@sinebar/raw-data/s3-blob-store';
import { backing, createTestDatabase, describeWith, testBucket, testSubjects, type TestDatabase } from '@sinebar/testing';
import { SILENT_PROGRESS } from '../../command-line/progress.ts';
import { startSinebar, typed } from '../../running-sinebar.fixture.ts';
import type { Store } from '../../stores/store.ts';
import { doctorCommand } from '../doctor/doctor-command.ts';
import { backupCommand } from './backup-command.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { restoreCommand } from './restore-command.ts';

const PART = '05040c4c-f0af-46b8-810e-30c0c00a379e';

describeWith(['postgres', 'nats', 's3'], 'backup and restore of the distributed services', () => {
  let root: string;
  let database: TestDatabase;
  let env: Record<string, string>;
  let manifest: Manifest;
  const databases: TestDatabase[] = [];
  const emptyDatabase = async () => {
    const made = await createTestDatabase();
    databases.push(made);
    return made;
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-distributed-'));
    const { client, stop } = await startSinebar(join(root, 'data'));
    await client.parts.create([{ uuid: PART, path: 'P:/Pump/' }]);
    await client.rawData.upload({ entity: 'Part', uuid: PART }, { fileName: 'large', content: 'x'.repeat(20 * 2 ** 20) });
    await client.rawData.upload({ entity: 'Part', uuid: ROOT_PART_UUID }, { fileName: 'small', content: '' });
    await stop();
    database = await emptyDatabase();
    const { endpoint, accessKey, secretKey } = backing().s3;
    env = {
      DATABASE_URL: database.url,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_BUCKET: testBucket(),
    };
  }, 120_000);
  afterAll(async () => {
    for (const made of databases) await made.drop();
    await rm(root, { recursive: true, force: true });
  });

  it('restores a backup of a data folder and creates an equal one', async () => {
    const embedded = { SINEBAR_DATA_DIR: join(root, 'data') };
    expect((await typed(backupCommand, [join(root, 'first')], embedded)).code).toBe(0);
    expect(await typed(restoreCommand, [join(root, 'first')], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Start the services'),
    });
    manifest = await readManifest(join(root, 'first'));
    expect((await typed(backupCommand, [join(root, 'second')], env)).code).toBe(0);
    const content = ({ tables, sequences, files }: Manifest) => ({
      tables: tables.filter(({ name }) => name !== 'follow_position'),
      sequences,
      files,
    });
    expect(content(await readManifest(join(root, 'second')))).toEqual(content(manifest));
    const { stdout } = await typed(doctorCommand, ['--json', '--older-than-hours', '0'], env);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] };
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check)).toEqual(['event stream']);
  });

  it('is refused when data exists already', async () => {
    expect(await typed(restoreCommand, [join(root, 'first')], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds data of Sinebar already'),
    });
    const other = { ...env, DATABASE_URL: (await emptyDatabase()).url };
    expect(await typed(restoreCommand, [join(root, 'first')], other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('store for files is not empty'),
    });
    // The refusals removed nothing from the used store.
    expect((await typed(backupCommand, [join(root, 'third')], env)).code).toBe(0);
  });

  it('does not continue with a newer event stream', async () => {
    const { stream: name, prefix: subjectPrefix } = testSubjects();
    const servers = backing().natsUrl;
    const bus = await connectNatsBus({ servers, name: 'test', streamName: name, subjectPrefix, stream: { maxBytes: 2 ** 20 } });
    const before = await bus.streamState();
    await bus.close();
    expect(await inspectNatsStream({ servers, name })).toMatchObject({ epoch: before.epoch, messages: 0, readersBehind: [] });
    const { endpoint, accessKey, secretKey } = backing().s3;
    const blobs = new S3BlobStore({ endpoint, accessKey, secretKey, region: 'us-east-1', bucket: testBucket() });
    const store: Store = {
      kind: 'distributed',
      name: 'a test',
      databaseUrl: (await emptyDatabase()).url,
      plant: '',
      blobs,
      dataDir: undefined,
      stream: { servers, name },
      isStopped: false,
      close: () => Promise.resolve(),
    };
    const { signal } = new AbortController();
    const restore = (replaceStream: boolean) =>
      restoreBackup({ folder: join(root, 'first'), manifest, store, replaceStream, progress: SILENT_PROGRESS, signal });
    await expect(restore(false)).rejects.toThrow('--replace-event-stream');
    expect(await inspectNatsStream({ servers, name })).toMatchObject({ epoch: before.epoch });
    await restore(true);
    expect(await inspectNatsStream({ servers, name })).toBeUndefined();
    blobs.close();
  });

  it('names lost files and keeps the rest, and refuses damaged ones', async () => {
    const folder = join(root, 'files');
    const other = { DATABASE_URL: (await emptyDatabase()).url, SINEBAR_FILE_DIR: folder };
    expect((await typed(restoreCommand, [join(root, 'first')], other)).code).toBe(0);
    const [first, second] = await filesOf(folder);
    await rm(first as string);
    const lost = await typed(backupCommand, [join(root, 'without')], other);
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('LOST') });
    expect((await readManifest(join(root, 'without'))).missing).toHaveLength(1);
    await appendFile(second as string, 'more');
    expect(await typed(backupCommand, [join(root, 'damaged')], other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is damaged'),
    });
  });
});

async function filesOf(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) paths.push(join(entry.parentPath, entry.name));
  return paths;
}
