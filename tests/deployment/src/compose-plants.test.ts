import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type CollectionTag, type ScalarTag } from 'yaml';
import { ROOT } from './kubernetes-objects.fixture.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  extends?: { file: string; service: string };
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  labels?: Record<string, string>;
  profiles?: string[];
  volumes?: string[];
  pull_policy?: string;
}

/** The tags with which compose replaces instead of merging. */
const override: CollectionTag = { tag: '!override', collection: 'map', resolve: (value) => value };
const overrideList: CollectionTag = { tag: '!override', collection: 'seq', resolve: (value) => value };
const reset: ScalarTag = { tag: '!reset', resolve: () => undefined };
const { services } = parse(read('docker-compose.plants.yml'), { merge: true, customTags: [override, overrideList, reset] }) as {
  services: Record<string, Service>;
};
const base = (parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> }).services;
const PLANTS = services['nats']?.environment?.['SINEBAR_PLANTS']?.split(',') ?? [];
const ROLES = ['prepare-inspection', 'prepare-raw-data', 'migrate-inspection', 'migrate-raw-data', 'inspection', 'raw-data', 'events'];
const of = (plant: string, role: string) => services[`${plant}-${role}`] as Service;

describe('docker-compose.plants.yml', () => {
  it('has two plants, and no other service that has one', () => {
    expect(PLANTS).toEqual(['north', 'south']);
    const owners = Object.keys(services).filter((name) => services[name]?.extends !== undefined);
    expect(owners.sort()).toEqual(PLANTS.flatMap((plant) => [...ROLES, 'backup'].map((role) => `${plant}-${role}`)).sort());
  });

  it.each(PLANTS.flatMap((plant) => ROLES.map((role) => [plant, role] as const)))('gives %s a %s with its name', (plant, role) => {
    expect(of(plant, role).extends).toEqual({ file: 'docker-compose.yml', service: role });
    expect(of(plant, role).environment?.['SINEBAR_PLANT']).toBe(plant);
  });

  it.each(PLANTS)('gives %s an address, a policy and a spool of its own', (plant) => {
    const { environment, volumes } = of(plant, 'raw-data');
    expect(environment?.['SINEBAR_PUBLIC_URL']).toMatch(new RegExp(`/${plant}$`));
    expect(environment?.['SINEBAR_ACCESS_POLICY']).toBe(`\${SINEBAR_${plant.toUpperCase()}_ACCESS_POLICY:-}`);
    expect(volumes).toEqual([`${plant}-raw-data-spool:/var/lib/sinebar/spool`]);
    expect(of(plant, 'inspection').volumes).toEqual([`${plant}-inspection-spool:/var/lib/sinebar/spool`]);
    const peers = `http://${plant}-raw-data:8080,http://${plant}-events:8080`;
    expect(of(plant, 'inspection').environment?.['SINEBAR_HEALTH_PEERS']).toBe(peers);
  });

  it.each(PLANTS)('lets the services of %s wait for what those of the only plant wait for', (plant) => {
    for (const role of ROLES.filter((name) => !name.startsWith('prepare'))) {
      const own = (name: string) => (ROLES.includes(name) ? `${plant}-${name}` : name);
      const expected = Object.entries(base[role]?.depends_on ?? {}).map(([name, condition]) => [own(name), condition]);
      expect([role, of(plant, role).depends_on]).toEqual([role, Object.fromEntries(expected)]);
    }
  });

  it.each(PLANTS)('makes backups of %s in a folder of its own', (plant) => {
    expect(of(plant, 'backup').environment).toEqual({ SINEBAR_PLANT: plant });
    expect(of(plant, 'backup').volumes).toEqual([`\${SINEBAR_BACKUP_DIR:-./backup}/${plant}:/backup`]);
  });

  it('builds the image once', () => {
    const [first = '', ...others] = PLANTS;
    expect(of(first, 'inspection')).not.toHaveProperty('pull_policy');
    for (const plant of others) expect(of(plant, 'inspection')).toMatchObject({ pull_policy: 'never' });
  });

  it('runs the plant without a name only when its profile is chosen', () => {
    for (const role of ROLES) expect([role, services[role]]).toEqual([role, { profiles: ['without-name'] }]);
  });

  it('routes to its services, and names them to the proxy by the same prefixes', () => {
    const routes = read('infra/proxy/plants/plants.conf');
    expect([...routes.matchAll(/"~\*\^\/\+([\w-]+)\/" ([\w-]+)-;/g)].map(([, prefix, plant]) => [prefix, plant])).toEqual(
      PLANTS.map((plant) => [plant, plant]),
    );
    const upstreams = [...routes.matchAll(/upstream (\S+) \{\s+zone (\S+) 256k;[^}]*server (\S+):8080 resolve max_fails=0;/g)];
    const expected = PLANTS.flatMap((plant) => ['inspection', 'raw-data', 'events'].map((role) => `${plant}-${role}`));
    expect(upstreams.map(([, ...names]) => names)).toEqual(expected.map((name) => [name, name, name]));
    expect(Object.keys(services['proxy']?.depends_on ?? {})).toEqual(expected);
    expect(routes.match(/sticky route/g)).toHaveLength(PLANTS.length);
  });

  it('recreates the proxy when its files have changed', () => {
    const content = ['infra/proxy/nginx.conf', 'infra/proxy/plants/plants.conf'].map((file) => readFileSync(join(ROOT, file)));
    const checksum = createHash('sha256').update(Buffer.concat(content)).digest('hex').slice(0, 12);
    expect(services['proxy']?.labels).toEqual({ 'sinebar.files': checksum });
  });
});
