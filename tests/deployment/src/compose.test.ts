import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { eventsProcessSettings } from '@sinebar/events';
import { inspectionProcessSettings } from '@sinebar/inspection';
import { rawDataProcessSettings } from '@sinebar/raw-data';
import type { SettingDefinitions } from '@sinebar/runtime';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface ComposeService {
  image?: string;
  scale?: string;
  build?: { dockerfile: string; target?: string };
  pull_policy?: string;
  mem_limit?: string;
  pids_limit?: number;
  cpus?: string;
  network_mode?: string;
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
const BACKUP = 'backup';
const OURS = ['inspection', 'raw-data', 'events'];
/** Commands of the services and jobs that run our image; the user gives that of the tools. */
const COMMANDS: Record<string, string[] | undefined> = {
  ...Object.fromEntries(OURS.map((name) => [name, ['start', '--services', name]])),
  ...Object.fromEntries(['inspection', 'raw-data'].map((name) => [`prepare-${name}`, ['prepare-role', '--services', name]])),
  ...Object.fromEntries(['inspection', 'raw-data'].map((name) => [`migrate-${name}`, ['migrate', '--services', name]])),
  [BACKUP]: [
    'scheduled-backup',
    '/backup',
    '--disks=/disks',
    '--at=${SINEBAR_BACKUP_TIME:-02:00}',
    '--keep-daily=${SINEBAR_BACKUP_KEEP_DAILY:-7}',
    '--keep-weekly=${SINEBAR_BACKUP_KEEP_WEEKLY:-4}',
  ],
  [TOOLS]: undefined,
};

const COMPOSE_FILES = ['docker-compose.yml', 'docker-compose.plants.yml', 'docker-compose.tls.yml'];
const SETTINGS_OF: Readonly<Record<string, SettingDefinitions>> = {
  inspection: inspectionProcessSettings,
  'raw-data': rawDataProcessSettings,
  events: eventsProcessSettings,
};
const SETTINGS: SettingDefinitions = Object.fromEntries(Object.values(SETTINGS_OF).flatMap((settings) => Object.entries(settings)));
/** Settings that follow from the containers themselves; another value would not work. */
const SET_BY_COMPOSE = [
  'SINEBAR_PLANT',
  'SINEBAR_HOST',
  'SINEBAR_PORT',
  'SINEBAR_MANAGEMENT_HOST',
  'SINEBAR_MANAGEMENT_PORT',
  'SINEBAR_TRUSTED_PROXIES',
  'SINEBAR_HEALTH_PEERS',
  'SINEBAR_HOSTS',
  'SINEBAR_MIGRATE',
  'SINEBAR_SPOOL_DIR',
  'SINEBAR_FILE_DIR',
  // Each service has its own name.
  'OTEL_SERVICE_NAME',
];

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
    if (name === 'prepare-volumes') expect(service).toMatchObject({ network_mode: 'none', cap_add: ['CHOWN', 'DAC_READ_SEARCH'] });
    else if (name !== 'postgres') expect(service.cap_add).toBeUndefined();
    expect(service.tmpfs?.some((entry) => entry.startsWith('/tmp:'))).toBe(true);
    for (const volume of (service.volumes ?? []).map(withDefaults)) {
      // Backups are the only files that are written to the host.
      if ([TOOLS, BACKUP].includes(name) && volume === './backup:/backup') continue;
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

  it('limits its memory, processes and processors', () => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBe(512);
    expect(service.cpus).toBe('${SINEBAR_CPUS:-0}');
  });

  it('runs as an ordinary user, or drops the rights of root at the start', () => {
    const inImage = isOurs(service) || ['proxy', 'prepare-s3'].includes(name);
    // PostgreSQL and the job that gives volumes to their users begin as root.
    if (['postgres', 'prepare-volumes'].includes(name)) expect(service.cap_add).toContain('CHOWN');
    else expect(inImage ? '1:1' : service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
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
    const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|ACCESS_KEY|TOKEN)\w*)([^}]*)\}/g)].filter(
      ([, name = '']) => SETTINGS[name]?.secret !== undefined || !Object.hasOwn(SETTINGS, name),
    );
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

  it('lists in .env.example every variable that is not a setting, no other one, and no password', () => {
    const example = read('.env.example');
    const files = COMPOSE_FILES.map(read).join('');
    const used = new Set([...files.matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string));
    const named = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string);
    expect(named.filter((name) => !used.has(name))).toEqual(['COMPOSE_FILE', 'COMPOSE_PROFILES']);
    const unnamed = [...used].filter((name) => !named.includes(name) && !Object.hasOwn(SETTINGS, name));
    expect(unnamed).toEqual(['SINEBAR_VERSION']);
    expect(example).not.toMatch(/^\w*(PASSWORD|KEY)\w*=.+$/m);
  });

  it.each(Object.keys(SETTINGS_OF))('takes every setting of %s from a variable of the same name, or sets it itself', (name) => {
    const environment = compose.services[name]?.environment ?? {};
    const settings = Object.keys(SETTINGS_OF[name] ?? {});
    const passed = settings.filter((setting) => environment[setting]?.includes(`\${${setting}:-`));
    const own = settings.filter((setting) => !passed.includes(setting) && !/^(DATABASE|NATS|S3)_/.test(setting));
    expect(own.filter((setting) => !SET_BY_COMPOSE.includes(setting))).toEqual([]);
  });

  it.each(OURS)('takes the number of replicas of %s from a variable, which the next "up" keeps', (name) => {
    expect(compose.services[name]?.scale).toBe(`\${SINEBAR_${name.toUpperCase().replace('-', '_')}_REPLICAS:-1}`);
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

  it('gives NATS and S3 their volumes before they start', () => {
    const prepare = compose.services['prepare-volumes'];
    for (const store of ['nats', 's3']) {
      const { user = '', volumes = [], depends_on } = compose.services[store] ?? {};
      expect(prepare?.command?.join(' ')).toContain(`find /volumes/${store} ! -user ${user.split(':')[0]} -exec chown ${user} {} +`);
      expect(prepare?.volumes).toContain(`${store}-data:/volumes/${store}`);
      expect(volumes.some((volume) => volume.startsWith(`${store}-data:`))).toBe(true);
      expect(depends_on).toEqual({ 'prepare-volumes': { condition: 'service_completed_successfully' } });
    }
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

  it('makes backups only when the profile is chosen, and observes the disk of each store without writing to it', () => {
    const { profiles, environment, volumes = [] } = compose.services[BACKUP] ?? {};
    expect(profiles).toEqual([BACKUP]);
    expect(environment).toEqual({ ...compose.services[TOOLS]?.environment, SINEBAR_ACCESS_POLICY: undefined, SINEBAR_HOST: '127.0.0.1' });
    const disks = ['postgres', 'nats', 's3'].map((store) => `${store}-data:/disks/${store}:ro`);
    expect(volumes).toEqual(['${SINEBAR_BACKUP_DIR:-./backup}:/backup', ...disks]);
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
