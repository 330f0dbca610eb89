import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram, PROMETHEUS } from '@sinebar/local-servers';
import { eventually } from '@sinebar/testing';
import { ComposeStack, freePorts, ROOT } from '../support/compose-stack.ts';
import { docker } from '../support/docker.ts';
import { describeWithDocker } from '../support/engines.ts';
import { IdleSockets } from '../support/alerts/idle-sockets.ts';
import { send } from '../support/load.ts';
import { raiseAlarm } from '../support/alerts/raise-alarm.ts';
import { Prometheus, writeConfiguration } from '../support/alerts/prometheus.ts';

const MIB = 2 ** 20;
const SPOOL_BYTES = 32 * MIB;
const STREAM_BYTES = 8 * MIB;
const MINUTES = 60_000;
/** Folder of the small disk in the container of the database. */
const DISK = '/var/lib/postgresql';
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
const CHIEF = basic('chief', 'feihc');
const POLICY = `
roles:
  all:
    grants:
      - { path: /, rights: [plan:read, plan:write, measurement:read, measurement:write, rawData:read, rawData:write] }
      - rights: [configuration:write, catalog:write, policy:write]
users:
  chief:
    password: $argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE
    roles: [all]
`;
const PARTS = '/dataServiceRest/parts';
const JOBS = ['sinebar-backup', 'sinebar-events', 'sinebar-inspection', 'sinebar-raw-data'];

/** Every alert of the rules, by its real cause. A minute of the rules takes seconds. */
describeWithDocker('the alerts of the compose file', () => {
  let folder: string;
  let backups: string;
  let alerts: string[];
  let stack: ComposeStack;
  let prometheus: Prometheus;
  const sockets = new IdleSockets();

  const ask = (path: string, options: Parameters<typeof send>[1] = {}) =>
    send(stack.url + path, { ...options, headers: { authorization: CHIEF, ...options.headers } });
  async function post(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const { status, body: text } = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text.toString().slice(0, 500)}`);
  }
  const createParts = async (count: number) => {
    for (let left = count; left > 0; left -= 1000)
      await post(
        PARTS,
        Array.from({ length: Math.min(left, 1000) }, () => ({ uuid: randomUUID(), path: `P:/${randomUUID()}${'x'.repeat(200)}/` })),
      );
  };
  const idOf = async (service: string) => (await stack.containers()).find((container) => container.service === service)?.id ?? '';
  /** Returns the address of a container: connections to a port of this machine have large buffers of their own. */
  const addressOf = async (service: string) => {
    const address = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return `http://${(await docker(['inspect', '--format', address, await idOf(service)])).trim()}:8080`;
  };
  /** Runs a request again and again until the work has ended. */
  async function meanwhile(count: number, requestOnce: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const repeat = async () => {
      while (!isOver) await requestOnce().catch(() => pause(100));
    };
    const repeated = Array.from({ length: count }, repeat);
    await work().finally(() => (isOver = true));
    await Promise.all(repeated);
  }
  /** Stops a service, until the alerts fire. */
  async function without(service: string, work: () => Promise<void>): Promise<void> {
    await stack.compose(['stop', service]);
    try {
      await work();
    } finally {
      await stack.start();
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-observed-'));
    chmodSync(folder, 0o755);
    backups = join(folder, 'backups');
    for (const name of ['access', 'backups']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'access/policy.yaml'), POLICY);
    chmodSync(backups, 0o777);
    const program = await findProgram(PROMETHEUS, { environment: process.env, onProgress: (line) => process.stderr.write(`${line}\n`) });
    alerts = writeConfiguration(join(folder, 'prometheus'), program);
    const [port = 0, prometheusPort = 0] = await freePorts(2);
    prometheus = new Prometheus(`http://127.0.0.1:${prometheusPort}`);
    stack = await ComposeStack.up({
      port,
      files: [join(ROOT, 'tests/engines/src/support/observed.yml')],
      env: {
        COMPOSE_PROFILES: 'backup',
        OBSERVED_FOLDER: folder,
        PROMETHEUS_PORT: String(prometheusPort),
        SINEBAR_BACKUP_DIR: backups,
        SINEBAR_EVENTS_MAX_BYTES: String(STREAM_BYTES),
        SINEBAR_SPOOL_BYTES: String(SPOOL_BYTES),
        SINEBAR_SOCKET_BUFFER_BYTES: String(64 * 1024),
        SINEBAR_AUTHENTICATION: 'basic+oidc',
        SINEBAR_ACCESS_POLICY: '/etc/sinebar/policy.yaml',
        // Nothing listens there.
        SINEBAR_OIDC_ISSUER: 'http://127.0.0.1:9',
        SINEBAR_OIDC_AUDIENCE: 'sinebar',
        SINEBAR_OIDC_CLIENT_ID: 'sinebar',
      },
    });
  }, 12 * MINUTES);
  afterAll(async () => {
    sockets.close();
    await stack?.down({ volumes: true });
    rmSync(folder, { recursive: true, force: true });
  }, 4 * MINUTES);

  it(
    'are silent while nothing is wrong',
    async () => {
      await eventually(() => readdirSync(backups).some((name) => /^\d/.test(name)), { timeoutMs: 2 * MINUTES, describe: 'a backup' });
      await post(PARTS, [{ uuid: randomUUID(), path: 'P:/quiet/' }]);
      await eventually(
        async () =>
          expect((await prometheus.query('count_over_time(up[5m]) >= 10')).map(({ labels }) => labels['job']).sort()).toEqual(JOBS),
        { timeoutMs: 3 * MINUTES, intervalMs: 1000, describe: 'ten scrapes of each service' },
      );
      expect(await prometheus.query('up == 0')).toEqual([]);
      expect(await prometheus.firing()).toEqual([]);
    },
    6 * MINUTES,
  );

  describe('about what is behind', () => {
    it(
      'fire when a message about an alarm does not arrive',
      async () => {
        await raiseAlarm(post);
        await prometheus.fires(['SinebarAlarmsUntold']);
      },
      10 * MINUTES,
    );

    it(
      'fire when clients do not read, and when the stream is near its limit',
      async () => {
        await sockets.open(await addressOf('proxy'), CHIEF, 30);
        await createParts(20_000);
        await prometheus.fires(['SinebarSlowClients', 'SinebarStreamNearLimit']);
        sockets.close();
      },
      10 * MINUTES,
    );

    it(
      'fire when a gateway gets too little processor time',
      async () => {
        const id = await idOf('events');
        await docker(['update', '--cpus', '0.01', id]);
        try {
          await meanwhile(
            2,
            // The gateway cannot read as many, and the disk can hold them.
            () => createParts(1000).then(() => pause(1000)),
            () => prometheus.fires(['SinebarGatewayBehind', 'SinebarEventLoopBlocked']),
          );
        } finally {
          await docker(['update', '--cpus', '2', id]);
        }
      },
      10 * MINUTES,
    );
  });

  describe('about space', () => {
    it(
      'fire when no backup can be written',
      async () => {
        for (const name of readdirSync(backups)) rmSync(join(backups, name), { recursive: true });
        chmodSync(backups, 0o555);
        await stack.compose(['restart', 'backup']);
        await prometheus.fires(['SinebarBackupFailed', 'SinebarBackupOld']);
        chmodSync(backups, 0o777);
        await stack.compose(['restart', 'backup']);
      },
      10 * MINUTES,
    );

    it(
      'fire when the disk of a store becomes full',
      async () => {
        const fill = async (name: string, left: number) => {
          // Not the metric, which is older than the last writes.
          const [size = 0, free = 0] = (await stack.exec('postgres', ['df', '--output=size,avail', '--block-size=1M', DISK]))
            .split(/\s+/)
            .map(Number)
            .filter((value) => value > 0);
          const count = Math.floor(free - size * left);
          await stack.exec('postgres', ['dd', 'if=/dev/zero', `of=${DISK}/${name}`, 'bs=1M', `count=${count}`]);
        };
        try {
          await fill('filling', 0.1);
          await prometheus.fires(['SinebarDiskFilling']);
          await fill('full', 0.03);
          await prometheus.fires(['SinebarDiskFull']);
        } finally {
          await stack.exec('postgres', ['rm', '-f', `${DISK}/filling`, `${DISK}/full`]);
        }
      },
      10 * MINUTES,
    );

    it(
      'fire when an upload takes most of the spool',
      async () => {
        const path = `/rawDataServiceRest/rawData/part/${randomUUID()}`;
        const headers = {
          authorization: CHIEF,
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="scan.bin"',
          'content-length': SPOOL_BYTES - MIB,
        };
        await post(PARTS, [{ uuid: path.split('/').at(-1), path: 'P:/scanned/' }]);
        const upload = request(stack.url + path, { method: 'POST', headers }).on('error', () => undefined);
        upload.write(Buffer.alloc(SPOOL_BYTES - 4 * MIB));
        await prometheus.fires(['SinebarSpoolFilling']).finally(() => upload.destroy());
      },
      10 * MINUTES,
    );

    it(
      'fire when a process has nearly as many connections as it may have',
      async () => {
        await sockets.open(stack.url, CHIEF, 200);
        await prometheus.fires(['SinebarFewFilesLeft']);
        sockets.close();
      },
      10 * MINUTES,
    );
  });

  describe('about the stores', () => {
    it(
      'fire when a table is locked',
      async () => {
        const lock = 'LOCK TABLE inspection.plan_item; SELECT pg_sleep(40)';
        const locked = stack.exec('postgres', ['psql', '--host=127.0.0.1', '--username=sinebar', '--dbname=sinebar', '--command', lock]);
        await meanwhile(
          20,
          () => ask(`${PARTS}?depth=1`),
          async () => {
            await prometheus.fires(['SinebarDatabaseWaiting']);
            await locked;
            await prometheus.fires(['SinebarSlowAnswers']);
          },
        );
      },
      10 * MINUTES,
    );

    it(
      'fire when the store of files is away',
      async () => {
        const part = randomUUID();
        const path = `/rawDataServiceRest/rawData/part/${part}`;
        await post(PARTS, [{ uuid: part, path: 'P:/with files/' }]);
        const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="small.bin"' };
        let left = 1300;
        const upload = async () => {
          while ((left -= 1) >= 0) expect((await ask(path, { method: 'POST', headers, body: `file ${left}` })).status).toBe(201);
        };
        await Promise.all(Array.from({ length: 8 }, upload));
        await without('s3', async () => {
          expect((await ask(path, { method: 'DELETE' })).status).toBe(200);
          await prometheus.fires(['SinebarBackgroundFailing', 'SinebarRemovalsPileUp']);
        });
      },
      12 * MINUTES,
    );

    it(
      'fire when the broker is away',
      async () => {
        await without('nats', async () => {
          await post(PARTS, [{ uuid: randomUUID(), path: 'P:/unannounced/' }]);
          await prometheus.fires(['SinebarBrokerLost', 'SinebarMirrorBehind', 'SinebarOutboxOld', 'SinebarRelayFailing']);
        });
      },
      10 * MINUTES,
    );

    it(
      'fire when the database is away',
      async () => {
        await without('postgres', () =>
          meanwhile(
            2,
            () => ask(`${PARTS}?depth=1`),
            () => prometheus.fires(['SinebarOutboxUnattended', 'SinebarServerErrors']),
          ),
        );
      },
      10 * MINUTES,
    );
  });

  describe('about the services', () => {
    it.each([
      ['stopped', 'SinebarAbsent', 'stop', 'start'],
      ['frozen', 'SinebarDown', 'pause', 'unpause'],
    ])(
      'fire when one of them is %s: %s',
      async (_, alert, take, giveBack) => {
        await prometheus.fallsSilent(['SinebarAlarmsUntold', 'SinebarStreamNearLimit']);
        await stack.compose([take, 'events']);
        await prometheus.fires([alert]);
        await stack.compose([giveBack, 'events']);
      },
      10 * MINUTES,
    );

    it(
      'fire when the provider of sign-ins is away',
      async () => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const token = [
          { alg: 'RS256', kid: 'first' },
          { iss: 'http://127.0.0.1:9', aud: 'sinebar', sub: 'ada', exp: 4_000_000_000 },
        ].map(part);
        const authorization = `Bearer ${[...token, Buffer.alloc(256).toString('base64url')].join('.')}`;
        await meanwhile(
          1,
          () => ask(PARTS, { headers: { authorization } }),
          () => prometheus.fires(['SinebarSignInUnavailable']),
        );
      },
      10 * MINUTES,
    );

    it(
      'fire when somebody guesses passwords',
      async () => {
        const authorization = basic('mallory', 'wrong');
        await meanwhile(
          4,
          () => ask(PARTS, { headers: { authorization } }),
          () => prometheus.fires(['SinebarGuessedPasswords']),
        );
      },
      10 * MINUTES,
    );
  });

  it('have all fired', async () => {
    expect((await prometheus.everFired()).sort()).toEqual([...alerts].sort());
  });
});
