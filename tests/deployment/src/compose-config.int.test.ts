import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '@sinebar/testing';

const FILE = join(import.meta.dirname, '../../../docker-compose.yml');
const PLANTS_FILE = join(import.meta.dirname, '../../../docker-compose.plants.yml');
const CANDIDATES = [['docker', 'compose'], ['docker-compose'], [join(homedir(), '.cache/sinebar/bin/docker-compose')]] as const;
const COMPOSE = CANDIDATES.find(([program, ...args]) => spawnSync(program, [...args, 'version'], { stdio: 'ignore' }).status === 0);
const ADMINISTRATORS = ['POSTGRES_PASSWORD', 'NATS_PASSWORD', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];
const OF_SERVICES = [
  'POSTGRES_INSPECTION_PASSWORD',
  'POSTGRES_RAW_DATA_PASSWORD',
  'NATS_INSPECTION_PASSWORD',
  'NATS_RAW_DATA_PASSWORD',
  'NATS_EVENTS_PASSWORD',
  'S3_RAW_DATA_SECRET_KEY',
];
const SECRETS = [...ADMINISTRATORS, ...OF_SERVICES];
/** Containers with an administrator's password: the stores, and the jobs that create the users of the services. */
const ADMINISTRATED = ['nats', 'postgres', 'prepare-inspection', 'prepare-raw-data', 'prepare-s3', 's3'];

function config(variables: Record<string, string>, files = [FILE]) {
  const [program, ...args] = COMPOSE ?? ['docker-compose'];
  // The developer's .env is not used.
  return spawnSync(
    program,
    [...args, '--env-file', '/dev/null', ...files.flatMap((file) => ['--file', file]), 'config', '--format', 'json'],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables },
    },
  );
}

describeUnless(COMPOSE === undefined ? 'no docker compose' : undefined, 'docker-compose.yml as Compose reads it', () => {
  // Passwords contain every character with a meaning in addresses, YAML, shells or compose.
  const all = Object.fromEntries(SECRETS.map((name) => [name, `${name} p@:/?#[]%41&='"\\$ü`]));
  const services = () => {
    const { status, stderr, stdout } = config(all);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return (JSON.parse(stdout) as { services: Record<string, { environment?: Record<string, string>; ports?: unknown[] }> }).services;
  };
  /** Compose doubles a dollar sign in its output, so that it can be read again. */
  const shown = (name: string) => all[name]?.replaceAll('$', '$$$$');

  it('is accepted with the secrets, and passes them unchanged', () => {
    const { inspection, nats, events, proxy } = services();
    expect(inspection?.environment).toMatchObject({
      DATABASE_URL: 'postgres://sinebar_inspection@postgres:5432/sinebar',
      DATABASE_PASSWORD: shown('POSTGRES_INSPECTION_PASSWORD'),
      NATS_URL: 'nats://nats:4222',
      NATS_USER: 'sinebar_inspection',
      NATS_PASSWORD: shown('NATS_INSPECTION_PASSWORD'),
      SINEBAR_MIGRATE: 'off',
    });
    expect(nats?.environment?.['NATS_EVENTS_PASSWORD']).toBe(shown('NATS_EVENTS_PASSWORD'));
    expect(events?.environment).not.toHaveProperty('DATABASE_URL');
    expect(proxy?.ports).toMatchObject([{ host_ip: '127.0.0.1', published: '8080', target: 8080 }]);
  });

  it('lets the tools reach the services by the name of the proxy, besides other names', () => {
    const hostsWith = (variables: Record<string, string>) => {
      const { services: configured } = JSON.parse(config({ ...all, ...variables }).stdout) as {
        services: Record<string, { environment?: Record<string, string> }>;
      };
      return configured['inspection']?.environment?.['SINEBAR_HOSTS'];
    };
    expect(hostsWith({})).toBe('sinebar');
    expect(hostsWith({ SINEBAR_HOSTS: 'plant-server,192.168.1.20' })).toBe('sinebar,plant-server,192.168.1.20');
  });

  it('starts the services of two plants and none without a name, with docker-compose.plants.yml', () => {
    const { status, stderr, stdout } = config({ ...all, SINEBAR_PUBLIC_URL: 'https://quality.example.com' }, [FILE, PLANTS_FILE]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { services: configured } = JSON.parse(stdout) as {
      services: Record<
        string,
        { environment?: Record<string, string>; build?: unknown; volumes?: { source: string; target: string }[]; depends_on?: object }
      >;
    };
    const roles = ['prepare-inspection', 'prepare-raw-data', 'migrate-inspection', 'migrate-raw-data', 'inspection', 'raw-data', 'events'];
    expect(Object.keys(configured).sort()).toEqual(
      [
        'nats',
        'postgres',
        'prepare-s3',
        'prepare-volumes',
        'proxy',
        's3',
        ...['north', 'south'].flatMap((plant) => roles.map((role) => `${plant}-${role}`)),
      ].sort(),
    );
    expect(configured['south-raw-data']?.environment).toMatchObject({
      SINEBAR_PLANT: 'south',
      SINEBAR_PUBLIC_URL: 'https://quality.example.com/south',
      S3_ACCESS_KEY: 'sinebar-raw-data',
      DATABASE_PASSWORD: shown('POSTGRES_RAW_DATA_PASSWORD'),
    });
    expect(
      Object.keys(configured['south-raw-data']?.depends_on ?? {}).filter((name) => !/^(south-|postgres$|nats$|s3$|prepare-s3$)/.test(name)),
    ).toEqual([]);
    expect(Object.keys(configured).filter((name) => configured[name]?.build !== undefined)).toEqual(['north-inspection']);
    const mounted = (name: string, target: string) => configured[name]?.volumes?.filter((volume) => volume.target === target) ?? [];
    expect(mounted('proxy', '/etc/nginx/plants.conf').map(({ source }) => source.endsWith('/infra/proxy/plants/plants.conf'))).toEqual([
      true,
    ]);
    expect(mounted('south-raw-data', '/var/lib/sinebar/spool').map(({ source }) => source)).toEqual(['south-raw-data-spool']);
    expect(mounted('south-inspection', '/var/lib/sinebar/spool').map(({ source }) => source)).toEqual(['south-inspection-spool']);
  });

  it.each(ADMINISTRATORS)('gives %s only to stores and to jobs that create users', (name) => {
    const having = Object.entries(services()).filter(([, { environment = {} }]) => Object.values(environment).includes(shown(name) ?? ''));
    expect(having.map(([service]) => service).filter((service) => !ADMINISTRATED.includes(service))).toEqual([]);
    expect(having.length).toBeGreaterThan(0);
  });

  it.each(OF_SERVICES)('gives %s only to one service, its jobs and its store', (name) => {
    const service = /_(INSPECTION|RAW_DATA|EVENTS)_/.exec(name)?.[1]?.toLowerCase().replace('_', '-') ?? '';
    const having = Object.entries(services()).filter(([, { environment = {} }]) => Object.values(environment).includes(shown(name) ?? ''));
    const others = having.map(([other]) => other).filter((other) => !other.endsWith(service) && !['nats', 'prepare-s3'].includes(other));
    expect(others).toEqual([]);
    expect(having.map(([other]) => other)).toContain(service);
  });

  it.each(SECRETS)('is refused without %s, with its name', (name) => {
    for (const missing of [{ ...all, [name]: '' }, Object.fromEntries(Object.entries(all).filter(([other]) => other !== name))]) {
      const { status, stderr } = config(missing);
      expect(status).not.toBe(0);
      expect(stderr).toContain(`Copy .env.example to .env and set ${name} there.`);
    }
  });
});
