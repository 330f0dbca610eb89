import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../bootstrap.mjs';
import { writeReleaseCompose } from './compose-file.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sinebar-compose-'));
const text = readFileSync(writeReleaseCompose(folder), 'utf8');
rmSync(folder, { recursive: true });
const { services, configs, volumes, networks } = parse(text);
const original = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });

/** What a container runs, and with which rights. Advice names the file that a user of the one file has. */
function runOf({ entrypoint, command, cap_drop, environment, networks, tmpfs, depends_on }) {
  const run = { entrypoint, command, cap_drop, environment, networks, tmpfs, depends_on };
  return JSON.parse(JSON.stringify(run).replaceAll(/Copy \.env\.example to \.env and set (\w+) there\./g, 'Set $1 in .env.'));
}

describe('the compose file of a release', () => {
  it('has the services, volumes and networks of the checkout', () => {
    expect(Object.keys(services)).toEqual(Object.keys(original.services));
    expect({ volumes, networks }).toEqual({ volumes: original.volumes, networks: original.networks });
    for (const [name, service] of Object.entries(original.services)) expect(runOf(services[name])).toEqual(runOf(service));
  });

  it('needs no other file but the access policy', () => {
    expect(text).not.toMatch(/infra\/|\.env\.example|build:/);
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(mounted.filter((volume) => volume.startsWith('.'))).toEqual(expect.arrayContaining(['./access:/etc/sinebar:ro']));
    for (const { configs: used = [] } of Object.values(services)) for (const { source } of used) expect(configs).toHaveProperty(source);
  });

  it('holds the mounted files, with their dollar signs doubled for Compose', () => {
    const script = readFileSync(join(ROOT, 'infra/docker/start-nats.sh'), 'utf8');
    expect(script).toContain('$');
    expect(configs['start-nats-sh'].content.replaceAll('$$', '$')).toBe(script);
    expect(services.nats.configs).toContainEqual({ source: 'start-nats-sh', target: '/etc/nats/start-nats.sh', mode: 0o444 });
  });

  it('names every secret in its head', () => {
    const [, named = ''] = /for name in ([^;]+);/.exec(text) ?? [];
    const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(new Set(named.split(' '))).toEqual(new Set(asked));
  });
});
