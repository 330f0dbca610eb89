import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '@sinebar/client';
import {
  backing,
  createTestDatabase,
  describeWith,
  eventually,
  startProcess,
  startBuiltProduct,
  testBucket,
  type TestDatabase,
} from '@sinebar/testing';
import { typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { COULD_NOT_CHECK, doctorCommand } from '../doctor/doctor-command.ts';
import { backupCommand } from './backup-command.ts';
import { expectRestored, keepWriting, rowsOf } from './continuous-writes.fixture.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { restoreCommand } from './restore-command.ts';

const LISTENING = /Listening for client connections on (127\.0\.0\.1:\d+)/;

/**
 * The steps of docs/backup.md, with the services as processes of their own.
 * The broker is one of the test, which removes the event stream, whose name all services share.
 */
describeWith(['postgres', 's3', 'nats-server'], 'backup of the distributed services during writes', () => {
  let root: string;
  let broker: Awaited<ReturnType<typeof startProcess>>;
  let running: RunningSinebar | undefined;
  let original: Record<string, string>;
  let manifest: Manifest;
  let before: string[];
  let folder: string;
  const databases: TestDatabase[] = [];

  /** Makes the variables of an empty installation. */
  async function emptyInstallation(): Promise<Record<string, string>> {
    const database = await createTestDatabase();
    databases.push(database);
    const { endpoint, accessKey, secretKey } = backing().s3;
    return {
      DATABASE_URL: database.url,
      NATS_URL: `nats://${LISTENING.exec(broker.output())?.[1]}`,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_BUCKET: testBucket(),
    };
  }

  async function startServices(env: Record<string, string>): Promise<RunningSinebar> {
    const { url, running } = await startBuiltProduct('distributed', { env });
    return { url, client: await connect({ url }), stop: async () => void (await running.stop(60_000)) };
  }

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-distributed-writes-'));
    const dataDir = join(root, 'nats');
    broker = await startProcess(backing().natsServer, ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', dataDir], {
      ready: /Server is ready/,
    });
    original = await emptyInstallation();
    running = await startServices(original);
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    await broker?.stop();
    for (const database of databases) await database.drop();
    await rm(root, { recursive: true, force: true });
  }, 120_000);

  it('copies one moment', async () => {
    const { client } = running as RunningSinebar;
    const stop = new AbortController();
    const acknowledged: string[] = [];
    const writing = [0, 1, 2].map((worker) => keepWriting(client, worker, stop.signal, acknowledged));
    try {
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(100), { timeoutMs: 60_000 });
      // On a slow machine a whole backup may run between two answers; such a backup is repeated, since no write overlapped.
      do {
        folder = join(root, `backup at ${acknowledged.length}`);
        await rm(folder, { recursive: true, force: true });
        before = [...acknowledged];
        expect(await typed(backupCommand, [folder], original)).toMatchObject({ code: 0 });
      } while (acknowledged.length === before.length);
    } finally {
      stop.abort();
      await Promise.all(writing);
    }
    manifest = await readManifest(folder);
    expect(manifest.missing).toEqual([]);
    expect(rowsOf(manifest, 'measurement')).toBeGreaterThanOrEqual(before.length);
    expect(manifest.files.count).toBe((rowsOf(manifest, 'raw_data_object') ?? 0) + (rowsOf(manifest, 'thumbnail') ?? 0));
  }, 120_000);

  it('is restored by the documented steps without problems', async () => {
    await running?.stop();
    running = undefined;
    const restored = await emptyInstallation();
    expect(await typed(restoreCommand, [folder], restored)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--replace-event-stream'),
    });
    expect(await typed(restoreCommand, [folder, '--replace-event-stream'], restored)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Start the services'),
    });
    running = await startServices(restored);
    expect(await typed(doctorCommand, ['--thorough', '--older-than-hours', '0'], restored, COULD_NOT_CHECK)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Everything is in order.'),
    });
    await expectRestored(running.client, manifest, before);
  }, 180_000);

  it('creates the same backup again', async () => {
    await running?.stop();
    running = undefined;
    const again = await emptyInstallation();
    expect((await typed(restoreCommand, [folder, '--replace-event-stream'], again)).code).toBe(0);
    expect((await typed(backupCommand, [join(root, 'second')], again)).code).toBe(0);
    const content = ({ tables, sequences, files }: Manifest) => ({
      // The position in the event stream is not restored.
      tables: tables.filter(({ name }) => name !== 'follow_position'),
      sequences,
      files,
    });
    expect(content(await readManifest(join(root, 'second')))).toEqual(content(manifest));
  }, 120_000);
});
