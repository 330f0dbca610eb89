import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startProcess, type RunningProcess, describeUnless } from '@sinebar/testing';
import { Client } from 'minio';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startBackingServices, type BackingService, type BackingServices, type StartOptions } from './backing-services.ts';
import { commandLineOf } from './processes.ts';
import { canBuild, findInstalled, findProgram, MINIO, NATS_SERVER, type ProgramSource } from './programs.ts';

const BUILD_TIMEOUT_MS = 15 * 60_000;

/** Environment without the variables that name existing services. */
const OWN = {
  ...process.env,
  DATABASE_URL: undefined,
  NATS_URL: undefined,
  S3_ENDPOINT: undefined,
  S3_ACCESS_KEY: undefined,
  S3_SECRET_KEY: undefined,
};

let dataDir: string;
const started: BackingServices[] = [];
const processes: RunningProcess[] = [];

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sinebar-int-'));
  // Root's servers run as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o711);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
afterEach(async () => {
  for (const services of started.splice(0)) await services.stop();
  for (const running of processes.splice(0)) await running.kill9();
});

const start = async (need: BackingService[], options: Partial<StartOptions> = {}) => {
  const services = await startBackingServices({ need, dataDir, environment: OWN, ...options });
  started.push(services);
  return services;
};
const pidOf = (services: BackingServices, name: BackingService) => services.servers.get(name)?.pid as number;

describe('the embedded Postgres', () => {
  it('starts, writes through to the disk, folds case beyond ASCII, refuses other users and leaves nothing behind', async () => {
    const services = await start(['postgres']);
    expect(services.missing).toEqual([]);
    const url = services.variables.DATABASE_URL as string;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    expect((await client.query(`SELECT lower('Ä') AS folded, current_setting('server_encoding') AS encoding`)).rows).toEqual([
      { folded: 'ä', encoding: 'UTF8' },
    ]);
    expect((await client.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }]);
    await client.end();

    const wrongClient = new pg.Client({ connectionString: url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(wrongClient.connect()).rejects.toThrow('password authentication failed');

    const pid = pidOf(services, 'postgres');
    expect(commandLineOf(pid)).toContain(dataDir);
    await services.stop();
    await services.stop();
    expect(commandLineOf(pid)).toBeUndefined();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('writes without fsync when it is asked to, and stops while clients are connected', async () => {
    const services = await start(['postgres'], { fsync: false });
    const client = new pg.Client({ connectionString: services.variables.DATABASE_URL as string });
    client.on('error', () => undefined);
    await client.connect();
    expect((await client.query('SHOW fsync')).rows).toEqual([{ fsync: 'off' }]);
    const startedAt = Date.now();
    await services.stop();
    expect(Date.now() - startedAt).toBeLessThan(8000);
    await client.end().catch(() => undefined);
  });

  it('of a killed process is stopped by the next start', async () => {
    const entry = new URL('./index.ts', import.meta.url).href;
    const script = `import { startBackingServices } from ${JSON.stringify(entry)};
      const services = await startBackingServices({ need: ['postgres'], environment: {}, dataDir: ${JSON.stringify(dataDir)} });
      console.log('server ' + services.servers.get('postgres').pid + ';'); setInterval(() => {}, 1000);`;
    const parent = await startProcess(process.execPath, ['--input-type=module', '-e', script], {
      env: { DATABASE_URL: undefined },
      ready: /server \d+;/,
    });
    processes.push(parent);
    const orphan = Number(/server (\d+);/.exec(parent.output())?.[1]);
    await parent.kill9();
    expect(commandLineOf(orphan)).toContain(dataDir);

    await start(['postgres']);
    await eventually(() => commandLineOf(orphan) === undefined);
    expect(readdirSync(dataDir)).toHaveLength(1);
  });
});

await describeProgram(NATS_SERVER, () => {
  it('starts with JetStream and stops', async () => {
    const services = await start(['nats']);
    expect(services.missing).toEqual([]);
    const url = new URL(services.variables.NATS_URL as string);
    const greeting = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname).once('error', reject);
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
    });
    expect(greeting).toContain('"jetstream":true');
    const pid = pidOf(services, 'nats');
    await services.stop();
    expect(commandLineOf(pid)).toBeUndefined();
  });
});

await describeProgram(MINIO, () => {
  it('starts, allows access with its keys only, and stops', async () => {
    const services = await start(['s3']);
    expect(services.missing).toEqual([]);
    const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = services.variables;
    const url = new URL(S3_ENDPOINT as string);
    const settings = {
      endPoint: url.hostname,
      port: Number(url.port),
      useSSL: false,
      accessKey: S3_ACCESS_KEY as string,
      region: 'us-east-1',
    };
    const client = new Client({ ...settings, secretKey: S3_SECRET_KEY as string });
    await client.makeBucket('files');
    await client.putObject('files', 'a', Buffer.from('bytes'));
    expect((await client.statObject('files', 'a')).size).toBe(5);
    await expect(new Client({ ...settings, secretKey: 'wrong-secret' }).statObject('files', 'a')).rejects.toThrow();
    const pid = pidOf(services, 's3');
    await services.stop();
    expect(commandLineOf(pid)).toBeUndefined();
  });
});

describe('startBackingServices', () => {
  it('uses servers that the environment names and starts none of these', async () => {
    const environment = {
      DATABASE_URL: 'postgres://h/d',
      NATS_URL: 'nats://h',
      S3_ENDPOINT: 'http://h',
      S3_ACCESS_KEY: 'a',
      S3_SECRET_KEY: 's',
      OTHER: 'x',
    };
    const services = await start(['postgres', 'nats', 's3'], { environment, dataDir: join(dataDir, 'unused') });
    const { OTHER: _, ...named } = environment;
    expect(services).toMatchObject({ variables: named, missing: [] });
    expect(services.servers.size).toBe(0);
    expect(existsSync(join(dataDir, 'unused'))).toBe(false);
  });

  it('does not start a second store when the environment is incomplete', async () => {
    const services = await start(['s3'], { environment: { S3_ENDPOINT: 'http://h', S3_ACCESS_KEY: 'a' } });
    expect(services.missing).toEqual([{ name: 's3', why: expect.stringContaining('S3_SECRET_KEY is not') }]);
    expect(services.variables).toEqual({});
  });

  it('lists unavailable servers with the reason, and starts the others', async () => {
    const services = await start(['nats', 'postgres'], { environment: { PATH: '', SINEBAR_CACHE_DIR: join(dataDir, 'no-cache') } });
    expect(services.missing).toEqual([{ name: 'nats', why: expect.stringContaining('no Go on this machine') }]);
    expect(services.variables.DATABASE_URL).toContain('127.0.0.1');
  });

  it('rejects and leaves nothing behind when it is interrupted', async () => {
    const interrupted = new AbortController();
    const starting = startBackingServices({ need: ['postgres'], dataDir, environment: OWN, signal: interrupted.signal });
    interrupted.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('with-services', () => {
  const program = new URL('./commands/with-services.ts', import.meta.url).pathname;
  const given = { DATABASE_URL: 'postgres://h/d', NATS_URL: 'nats://h', S3_ENDPOINT: 'http://h', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 's' };
  const run = (args: string[], ready?: RegExp) =>
    startProcess(process.execPath, [program, ...args], { env: given, ...(ready ? { ready } : {}) });

  it('passes the variables to the command and returns its exit code', async () => {
    const running = await run(['--', process.execPath, '-e', 'console.log(process.env.NATS_URL); process.exit(7)']);
    expect((await running.exited).code).toBe(7);
    expect(running.output()).toContain('nats://h');
  });

  it('passes SIGTERM to the command and waits for it', async () => {
    const script = `process.on('SIGTERM', () => { console.log('tidy'); process.exit(5) }); console.log('up'); setInterval(() => {}, 1000)`;
    const running = await run(['--', process.execPath, '-e', script], /up/);
    expect((await running.stop()).code).toBe(5);
    expect(running.output()).toContain('tidy');
  });

  it('prints its usage', async () => {
    const running = await run(['node', 'x.js']);
    expect((await running.exited).code).toBe(2);
    expect(running.output()).toContain('usage: with-services -- command');
  });
});

/** Declares a suite for a program on this machine or one that can be built; otherwise it is skipped with a reason. */
async function describeProgram(source: ProgramSource, fn: () => void): Promise<void> {
  const canBeHad =
    canBuild(process.env) || (await findInstalled(source, { environment: process.env, onProgress: () => undefined })) !== undefined;
  describeUnless(canBeHad ? undefined : `no ${source.name}, and no Go to build it`, source.name, () => {
    beforeAll(async () => {
      await findProgram(source, { environment: process.env, onProgress: () => undefined });
    }, BUILD_TIMEOUT_MS);
    fn();
  });
}
