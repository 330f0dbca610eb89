import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
  const { configuration: _configuration, ...others } = depends_on ?? {};
  const run = { entrypoint, command, cap_drop, environment, networks, tmpfs, depends_on: others };
  return JSON.parse(JSON.stringify(run).replaceAll(/Copy \.env\.example to \.env and set (\w+) there\./g, 'Set $1 in .env.'));
}

describe('the compose file of a release', () => {
  it('has the services, volumes and networks of the checkout', () => {
    expect(Object.keys(services)).toEqual([...Object.keys(original.services), 'configuration']);
    expect({ volumes, networks }).toEqual({ volumes: { ...original.volumes, configuration: null }, networks: original.networks });
    for (const [name, service] of Object.entries(original.services)) expect(runOf(services[name])).toEqual(runOf(service));
  });

  it('needs no other file but the access policy', () => {
    expect(text).not.toMatch(/infra\/|\.env\.example|build:/);
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(mounted.filter((volume) => volume.startsWith('.'))).toEqual(expect.arrayContaining(['./access:/etc/sinebar:ro']));
  });

  it('holds the mounted files, with their dollar signs doubled for Compose', () => {
    const script = readFileSync(join(ROOT, 'infra/docker/start-nats.sh'), 'utf8');
    expect(script).toContain('$');
    expect(configs['start-nats-sh'].content.replaceAll('$$', '$')).toBe(script);
  });

  it('writes each into a volume that its service mounts in their folder, before that starts', () => {
    const written = services.configuration.configs.map(({ source, target }) => [source, target]);
    expect(Object.keys(configs)).toEqual(written.map(([source]) => source));
    for (const [name, { volumes: mounts = [] }] of Object.entries(original.services))
      for (const [, target] of mounts.flatMap((mount) => [...mount.matchAll(/^\.\/infra\/(?!access)[^:]+:([^:]+):ro$/g)])) {
        expect(written.map(([, path]) => path)).toContain(`/files/${basename(target)}`);
        expect(services[name].volumes).toContain(`configuration:${dirname(target)}:ro`);
        expect(services[name].depends_on.configuration).toEqual({ condition: 'service_completed_successfully' });
        // Changed files make the container again.
        expect(services[name].labels).toEqual(original.services[name].labels);
      }
  });

  it('gives the content of files only to a container that may be written, which Compose demands', () => {
    const having = Object.entries(services).filter(([, service]) => service.configs !== undefined);
    expect(having.map(([name, { read_only }]) => [name, read_only])).toEqual([['configuration', undefined]]);
  });

  it('names every secret in its head', () => {
    const [, named = ''] = /for name in ([^;]+);/.exec(text) ?? [];
    const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(new Set(named.split(' '))).toEqual(new Set(asked));
  });
});
