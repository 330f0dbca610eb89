import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../../../infra/kubernetes/load-images.sh');

describe('infra/kubernetes/load-images.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-images-'));
    // Provides the programs that the script calls, except those that build or load.
    for (const name of ['bash', 'env', 'dirname', 'sed']) symlinkSync(which(name), join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const which = (name: string) => spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  /** Provides a program that records its arguments. */
  function provide(name: string, exitCode = 0): void {
    writeFileSync(join(folder, name), `#!${which('sh')}\necho "${name} $*" >> ${folder}/calls\nexit ${exitCode}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const run = (...args: string[]) => spawnSync(SCRIPT, args, { encoding: 'utf8', env: { PATH: folder } });
  const calls = () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') : []);
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string };
  const image = `sinebar:${version}`;
  const build = `docker build --file infra/docker/Dockerfile --tag ${image} .`;

  it.each([
    ['kind', `kind load docker-image --name kind ${image}`],
    ['minikube', `minikube image load ${image}`],
  ])('builds the image and loads it into %s', (cluster, load) => {
    provide('docker');
    provide(cluster);
    expect(run(cluster)).toMatchObject({ status: 0, stderr: '' });
    expect(calls()).toEqual([build, load]);
  });

  it('loads nothing when the image cannot be built', () => {
    provide('docker', 3);
    provide('kind');
    expect(run('kind').status).toBe(3);
    expect(calls()).toEqual([build]);
  });

  it('reports what is missing', () => {
    provide('docker');
    expect(run('kind')).toMatchObject({ status: 1, stderr: 'kind is not on the PATH\n' });
    for (const args of [[], ['k3s']]) expect(run(...args)).toMatchObject({ status: 2, stderr: 'usage: load-images.sh kind|minikube\n' });
    expect(calls()).toEqual([]);
  });
});
