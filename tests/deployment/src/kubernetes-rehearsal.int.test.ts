import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareServiceRole } from '@sinebar/database';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import { RAW_DATA_SCHEMA } from '@sinebar/raw-data';
import { databaseUrl } from '@sinebar/runtime';
import pg from 'pg';
import {
  backing,
  createTestDatabase,
  describeWith,
  eventually,
  missingSeries,
  readSeries,
  testBucket,
  type RunningProcess,
  type TestDatabase,
} from '@sinebar/testing';
import { startBackingServices, type BackingServices, chooseFreePort } from '@sinebar/local-servers';
import { MountedFolder, startContained, whyNotContained, type ContainedOptions } from './contained-process.fixture.js';
import {
  environmentOf,
  findRenderer,
  ROOT,
  workloadsOf,
  type KubernetesObject,
  type Labels,
  type Secrets,
  type Workload,
} from './rendered-overlay.fixture.js';
import { SERVICES, type ServiceName } from '@sinebar/tools';

const SUITE = 'the pods of infra/kubernetes/overlays/production, without a cluster';
const POLICY = 'sinebar-access-policy';

const render = await findRenderer();
const why = render === undefined ? 'no kubectl or kustomize' : whyNotContained();
if (render === undefined || why !== undefined) {
  process.stderr.write(`SKIPPED (${why}): ${SUITE}\n`);
  describe.skip(SUITE, () => {
    it(render === undefined ? 'needs go' : 'run as rendered', () => undefined);
  });
} else {
  describeWith(['postgres', 'nats', 's3'], SUITE, () => rehearse(render(join(ROOT, 'infra/kubernetes/overlays/production'))));
}

interface RunningService {
  url: string;
  managementUrl: string;
  process: RunningProcess;
}

type Credentials = Record<'DATABASE_URL' | 'DATABASE_PASSWORD', string>;
type Roles = Record<'inspection' | 'rawData', Credentials>;

/** Creates a role for each service with unique names; passwords contain every character with a meaning in addresses. */
async function makeRoles(database: TestDatabase): Promise<Roles> {
  const make = async (schema: string): Promise<Credentials> => {
    const url = new URL(database.url);
    url.username = `${schema}_${randomUUID()}`;
    url.password = '';
    const credentials = { DATABASE_URL: url.href, DATABASE_PASSWORD: `p@:/?#[]%41&='"\\$ ü` };
    const extensions = schema === RAW_DATA_SCHEMA ? ['pg_trgm'] : [];
    await prepareServiceRole({ administratorUrl: database.url, serviceUrl: databaseUrl(credentials), schema, extensions });
    return credentials;
  };
  return { inspection: await make(INSPECTION_SCHEMA), rawData: await make(RAW_DATA_SCHEMA) };
}

async function dropRole({ DATABASE_URL }: Credentials): Promise<void> {
  const client = new pg.Client({ connectionString: backing().databaseUrl });
  await client.connect();
  try {
    await client.query(`DROP ROLE IF EXISTS ${client.escapeIdentifier(new URL(DATABASE_URL).username)}`);
  } finally {
    await client.end();
  }
}

function rehearse(objects: readonly KubernetesObject[]): void {
  const workloads = new Map(workloadsOf(objects).map((workload) => [workload.name, workload]));
  const services = new Map<ServiceName, RunningService>();
  const started: RunningProcess[] = [];
  let database: TestDatabase;
  let roles: Roles;
  let broker: BackingServices;
  let folder: string;
  let policy: MountedFolder;
  let roots = 0;

  const workload = (name: string): Workload => {
    const found = workloads.get(name);
    if (found === undefined) throw new Error(`the overlay has no ${name}`);
    return found;
  };
  const service = (name: ServiceName): RunningService => services.get(name) as RunningService;

  /** Values that the operator of a cluster fills in, with addresses of one machine. */
  function environment(name: string, here: Labels = {}): Labels {
    const { accessKey, secretKey, endpoint } = backing().s3;
    const nats = { NATS_URL: broker.variables.NATS_URL as string };
    const secrets: Secrets = {
      'sinebar-inspection-credentials': { ...roles.inspection, ...nats },
      'sinebar-raw-data-credentials': { ...roles.rawData, ...nats, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey },
      'sinebar-events-credentials': nats,
    };
    const rendered = environmentOf(workload(name).container, objects, secrets);
    if (rendered['S3_ENDPOINT'] !== undefined) Object.assign(rendered, { S3_ENDPOINT: endpoint, S3_BUCKET: testBucket() });
    return { ...rendered, ...here };
  }

  async function start(name: string, options: Partial<ContainedOptions> = {}): Promise<RunningProcess> {
    const root = join(folder, `root-${(roots += 1)}`);
    mkdirSync(root);
    const mounted = { [POLICY]: policy.path };
    const running = await startContained({ pod: workload(name).pod, root, environment: environment(name), mounted, ...options });
    started.push(running);
    return running;
  }

  async function startService(name: ServiceName, peers: string): Promise<void> {
    const [port, managementPort] = [await chooseFreePort(), await chooseFreePort()];
    const here = {
      SINEBAR_HOST: '127.0.0.1',
      SINEBAR_PORT: String(port),
      SINEBAR_MANAGEMENT_HOST: '127.0.0.1',
      SINEBAR_MANAGEMENT_PORT: String(managementPort),
      ...(peers !== '' && { SINEBAR_HEALTH_PEERS: peers }),
    };
    const process_ = await start(name, { environment: environment(name, here), ready: /metrics and health for operators/ });
    services.set(name, { url: `http://127.0.0.1:${port}`, managementUrl: `http://127.0.0.1:${managementPort}`, process: process_ });
  }

  const statusOf = async (url: string): Promise<number> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    return answer.status;
  };
  const probePath = (name: ServiceName, probe: 'startupProbe' | 'readinessProbe' | 'livenessProbe') =>
    workload(name).container[probe]?.httpGet?.path ?? 'none';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-pods-'));
    chmodSync(folder, 0o755);
    policy = new MountedFolder(join(folder, 'policy'));
    policy.write(objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === POLICY)?.stringData ?? {});
    database = await createTestDatabase();
    roles = await makeRoles(database);
    // A separate broker is used: services of other tests must not follow these events.
    const { NATS_URL: _url, NATS_SERVER_BIN: _program, ...rest } = process.env;
    broker = await startBackingServices({ need: ['nats'], environment: rest });
    for (const name of ['migrate-inspection', 'migrate-raw-data']) {
      const job = await start(name);
      const { code } = await job.exited;
      if (code !== 0) throw new Error(`${name} ended with code ${code}:\n${job.output()}`);
    }
    await startService('raw-data', '');
    await startService('events', '');
    await startService('inspection', `${service('raw-data').url},${service('events').url}`);
    for (const name of SERVICES)
      await eventually(async () => (await statusOf(service(name).url + probePath(name, 'readinessProbe'))) === 200, {
        timeoutMs: 90_000,
        describe: `${name} becomes ready`,
      });
  }, 300_000);

  afterAll(async () => {
    for (const running of started) await running.kill9();
    await broker?.stop();
    await database?.drop();
    for (const role of Object.values(roles ?? {})) await dropRole(role);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('answer all probes, and give Prometheus all metrics of the dashboard and the alert rules [D9]', async () => {
    const series = new Set<string>();
    for (const name of SERVICES) {
      const { url, managementUrl } = service(name);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const)
        expect([name, probe, await statusOf(url + probePath(name, probe))]).toEqual([name, probe, 200]);
      const { annotations } = workload(name);
      const metrics = await fetch(managementUrl + annotations['prometheus.io/path'], { signal: AbortSignal.timeout(10_000) });
      expect(metrics.status).toBe(200);
      for (const one of readSeries(await metrics.text()).keys()) series.add(one);
    }
    expect(missingSeries(series)).toEqual([]);
    expect(await statusOf(`${service('inspection').url}/healthServiceRest/all/ready`)).toBe(200);
  });

  it('run as the user of the pod without further rights', () => {
    for (const name of SERVICES) {
      const { runAsUser, runAsGroup, fsGroup } = workload(name).pod.securityContext;
      const status = readFileSync(`/proc/${service(name).process.pid}/status`, 'utf8');
      const line = (field: string) => new RegExp(`^${field}:\\s*(.*?)\\s*$`, 'm').exec(status)?.[1]?.split(/\s+/);
      expect(line('Uid')).toEqual(Array(4).fill(String(runAsUser)));
      expect(line('Gid')).toEqual(Array(4).fill(String(runAsGroup)));
      expect(line('Groups')).toEqual([String(fsGroup)]);
      for (const capabilities of ['CapEff', 'CapPrm', 'CapBnd'])
        expect([capabilities, line(capabilities)]).toEqual([capabilities, [expect.stringMatching(/^0+$/)]]);
      expect(line('NoNewPrivs')).toEqual(['1']);
    }
  });

  it('write only to their volumes', async () => {
    const tryToWrite = `
      const outcome = (folder) => { try { require('node:fs').writeFileSync(folder + '/x', 'x'); return 'written'; } catch (error) { return error.code; } };
      console.log('outcome ' + JSON.stringify(process.argv.slice(1).map(outcome)));`;
    const folders = ['/tmp', '/var/lib/sinebar/spool', '.', '/source', '/etc/sinebar', '/usr', '/'];
    const attempt = await start('raw-data', { command: ['node', '-e', tryToWrite, ...folders], ready: /outcome .*\n/ });
    expect(/outcome (.*)/.exec(attempt.output())?.[1]).toBe(JSON.stringify(['written', 'written', ...Array<string>(5).fill('EROFS')]));
  });

  it('apply another access policy without a restart when its Secret changes, and accept writes [D8.2]', async () => {
    const part = randomUUID();
    const authorization = `Basic ${Buffer.from('ada:open sesame').toString('base64')}`;
    const send = async (to: ServiceName, path: string, headers: Labels = {}, body?: string) => {
      const answer = await fetch(service(to).url + path, {
        ...(body !== undefined && { method: 'POST', body }),
        headers: { authorization, ...headers },
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const createPart = () =>
      send(
        'inspection',
        '/dataServiceRest/parts',
        { 'content-type': 'application/json' },
        JSON.stringify([{ uuid: part, path: 'P:/Pump/' }]),
      );
    expect((await createPart()).status).toBe(401);

    const { stdout: hash } = spawnSync(process.execPath, [join(ROOT, 'services/inspection/dist/access.js'), 'hash'], {
      input: 'open sesame\n',
      encoding: 'utf8',
    });
    const before = readFileSync(join(policy.path, 'policy.yaml'), 'utf8');
    const after = before.replace('users: {}', `users:\n  ada:\n    password: ${hash.trim()}\n    roles: [administrator]`);
    expect(after).not.toBe(before);
    policy.write({ 'policy.yaml': after });

    const patient = { timeoutMs: 60_000, intervalMs: 250 };
    const changes = await eventually(async () => {
      const { status, text } = await send('events', '/eventServiceRest/changes');
      expect(status).toBe(200);
      return JSON.parse(text) as { next: string };
    }, patient);
    await eventually(async () => expect((await createPart()).status).toBe(201), patient);
    const disposition = { 'content-disposition': 'attachment; filename="note.txt"', 'content-type': 'text/plain' };
    const file = `/rawDataServiceRest/rawData/part/${part}`;
    await eventually(async () => expect((await send('raw-data', file, disposition, 'ground')).status).toBe(201), patient);
    expect(await send('raw-data', `${file}/0`)).toEqual({ status: 200, text: 'ground' });
    await eventually(async () => {
      const { text } = await send('events', `/eventServiceRest/changes?after=${changes.next}`);
      for (const word of ['PartCreated', 'RawDataCreated', part]) expect(text).toContain(word);
    }, patient);
  }, 300_000);

  it('stop within their time, and serve until no more requests arrive', async () => {
    const graceMs = (name: ServiceName) => (workload(name).pod.terminationGracePeriodSeconds ?? 0) * 1000;
    const drainMs = Number(environment('inspection')['SINEBAR_DRAIN_MS']);
    const beganAt = performance.now();
    const exits = SERVICES.map(async (name) => {
      const exit = await service(name).process.stop(graceMs(name));
      return { name, ...exit, tookMs: performance.now() - beganAt };
    });
    for (const name of SERVICES)
      await eventually(async () => (await statusOf(service(name).url + probePath(name, 'readinessProbe'))) === 503, {
        timeoutMs: drainMs / 2,
      });
    for (const name of SERVICES) expect(await statusOf(service(name).url + probePath(name, 'livenessProbe'))).toBe(200);
    expect(await statusOf(`${service('inspection').url}/dataServiceRest/serviceInformation`)).toBe(200);
    for (const { name, code, signal, tookMs } of await Promise.all(exits)) {
      expect([name, code, signal]).toEqual([name, 0, null]);
      expect(tookMs).toBeGreaterThanOrEqual(drainMs);
      expect(tookMs).toBeLessThan(graceMs(name));
    }
  }, 120_000);
}
