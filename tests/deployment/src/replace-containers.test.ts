import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../../../infra/docker/replace-containers.sh');

describe('infra/docker/replace-containers.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-replace-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Provides a docker whose containers are lines of a file; `up` adds one where `starts`. */
  function provide(containers: readonly string[], starts = true): void {
    writeFileSync(join(folder, 'containers'), containers.map((name) => `${name}\n`).join(''));
    const up = starts ? `echo "new$(wc -l < ${folder}/calls)" >> ${folder}/containers` : 'true';
    const lines = [
      '#!/bin/sh',
      `echo "$*" >> ${folder}/calls`,
      'case "$1 $2" in',
      `"compose ps") cat ${folder}/containers ;;`,
      `"compose up") ${up} ;;`,
      `"stop --time") grep -v "^$4$" ${folder}/containers > ${folder}/left; mv ${folder}/left ${folder}/containers ;;`,
      'esac',
    ];
    writeFileSync(join(folder, 'docker'), `${lines.join('\n')}\n`);
    chmodSync(join(folder, 'docker'), 0o755);
  }
  const run = (...args: string[]) =>
    spawnSync('sh', [SCRIPT, ...args], { encoding: 'utf8', env: { PATH: [folder, process.env['PATH']].join(delimiter) } });
  const calls = () =>
    (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') : []).filter(
      (call) => !call.startsWith('compose ps'),
    );
  const up = (count: number) => `compose up --detach --wait --no-deps --no-recreate --scale events=${count} events`;

  it('starts a new container before it stops an old one, for each of them', () => {
    provide(['a', 'b']);
    expect(run('events')).toMatchObject({ status: 0, stderr: '', stdout: 'replaced a\nreplaced b\n' });
    expect(calls()).toEqual([up(3), 'stop --time 45 a', 'rm a', up(3), 'stop --time 45 b', 'rm b']);
  });

  it('stops nothing when no new container runs', () => {
    provide(['a'], false);
    expect(run('events')).toMatchObject({ status: 1, stderr: 'No new container of events runs; the others were left as they are.\n' });
    expect(calls()).toEqual([up(2)]);
  });

  it.each([
    [[], 2, /Name a service/],
    [['postgres'], 2, /^postgres is replaced by "docker compose up" only\./],
    [['events'], 1, /^No container of events runs\. Start it: docker compose up --detach events\n$/],
  ])('refuses %j', (args, status, sentence) => {
    provide([]);
    const ended = run(...args);
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(sentence);
    expect(calls()).toEqual([]);
  });
});
