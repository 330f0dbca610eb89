import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type CollectionTag, type ScalarTag } from 'yaml';
import keptNames from './kept-names.fixture.json' with { type: 'json' };
import { ROOT } from './kubernetes-objects.fixture.ts';

/** Names by which installations of 0.1.0 with an image for each service know the compose files: they must work with newer files. */
interface Names {
  name?: string;
  services: Record<string, ServiceNames>;
  volumes: string[];
  networks: string[];
  variables: string[];
}

interface ServiceNames {
  environment: string[];
  volumes?: string[];
  networks?: string[];
  ports?: string[];
  profiles?: string[];
}

interface ComposeFile {
  name?: string;
  services: Record<string, Omit<ServiceNames, 'environment' | 'networks'> & { environment?: object; networks?: string[] | object }>;
  volumes?: object;
  networks?: object;
}

const override: CollectionTag = { tag: '!override', collection: 'map', resolve: (value) => value };
const overrideList: CollectionTag = { tag: '!override', collection: 'seq', resolve: (value) => value };
const reset: ScalarTag = { tag: '!reset', resolve: () => undefined };

describe.each(Object.entries(keptNames as Record<string, Names>))('%s keeps', (file, kept) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const compose = parse(text, { merge: true, customTags: [override, overrideList, reset] }) as ComposeFile;

  it('the name of the project', () => {
    expect(compose.name).toBe(kept.name);
  });

  it('all services and jobs', () => {
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(kept.services)));
  });

  it('all volumes', () => {
    expect(Object.keys(compose.volumes ?? {})).toEqual(expect.arrayContaining(kept.volumes));
  });

  it('all networks', () => {
    expect(Object.keys(compose.networks ?? {})).toEqual(expect.arrayContaining(kept.networks));
  });

  it('all variables of .env', () => {
    expect([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)).toEqual(expect.arrayContaining(kept.variables));
  });

  it.each(Object.entries(kept.services))('what %s is given: variables, volumes, networks, ports and profiles', (name, service) => {
    const { environment = {}, volumes, networks = [], ports, profiles } = compose.services[name] ?? {};
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(service.environment));
    expect(volumes).toEqual(service.volumes);
    expect(Array.isArray(networks) ? networks : Object.keys(networks)).toEqual(service.networks ?? []);
    expect(ports).toEqual(service.ports);
    expect(profiles).toEqual(service.profiles);
  });
});
