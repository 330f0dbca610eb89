import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedProgram, findProgram, NATS_SERVER, programCache, ProgramMissingError } from './programs.ts';

describe('folder of built programs', () => {
  it.each([
    [{ SINEBAR_CACHE_DIR: '/c', XDG_CACHE_HOME: '/x' }, '/c/bin'],
    [{ XDG_CACHE_HOME: '/x' }, '/x/sinebar/bin'],
    [{ SINEBAR_CACHE_DIR: '', XDG_CACHE_HOME: '' }, join(homedir(), '.cache/sinebar/bin')],
    [{}, join(homedir(), '.cache/sinebar/bin')],
  ])('for %j is %s', (environment, folder) => {
    expect(programCache(environment)).toBe(folder);
  });

  it('stores programs by name and version', () => {
    expect(cachedProgram(NATS_SERVER, { SINEBAR_CACHE_DIR: '/c' })).toBe(`/c/bin/nats-server-${NATS_SERVER.goVersion}`);
  });
});

describe('findProgram', () => {
  let folder: string;
  let lines: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-programs-'));
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const script = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, path), 0o755);
    return join(folder, path);
  };
  const find = (path: string[], cache = 'cache') =>
    findProgram(NATS_SERVER, {
      onProgress: (line) => lines.push(line),
      environment: { PATH: path.map((part) => join(folder, part)).join(':'), SINEBAR_CACHE_DIR: join(folder, cache) },
    });

  it('skips an old one on the PATH and reports it', async () => {
    const old = script('old/nats-server', 'echo "nats-server: v2.9.10"');
    const recent = script('new/nats-server', 'echo "nats-server: v2.10.1"');
    expect(await find(['old', 'new'])).toBe(recent);
    expect(lines).toEqual([`${old} is too old (2.9.10): nats-server must be at least 2.10.0`]);
  });

  it('runs the same file once, whatever links lead to it', async () => {
    script('old/nats-server', 'echo "nats-server: v2.9.10"');
    symlinkSync(join(folder, 'old'), join(folder, 'link'));
    await expect(find(['old', 'link'])).rejects.toThrow(ProgramMissingError);
    expect(lines).toHaveLength(1);
  });

  it('skips a program that does not run', async () => {
    script('broken/nats-server', 'exit 1');
    const cached = script(`cache/bin/nats-server-${NATS_SERVER.goVersion}`, '');
    expect(await find(['broken'])).toBe(cached);
    expect(lines.join()).toContain('unknown version');
  });

  it('reports a missing Go when nothing else helps', async () => {
    await expect(find([])).rejects.toThrow('There is no nats-server >= 2.10.0 on the PATH, and no Go on this machine to build it.');
  });

  it('builds with Go, and keeps nothing of a failed build', async () => {
    // The scripts find mkdir and chmod by their own PATH, not by the one that is searched.
    script('failing/go', 'echo "proxy refused" >&2; exit 1');
    await expect(find(['failing'])).rejects.toThrow(/could not be built: go install ended with code 1[\s\S]*proxy refused/);
    expect(readdirSync(join(folder, 'cache/bin'))).toEqual([]);

    script(
      'go/go',
      `test "$1 $2" = "install ${NATS_SERVER.goPackage}@${NATS_SERVER.goVersion}" && echo built > "$GOBIN/nats-server" && /bin/chmod +x "$GOBIN/nats-server"`,
    );
    const built = await find(['go']);
    expect(readdirSync(join(folder, 'cache/bin'))).toEqual([`nats-server-${NATS_SERVER.goVersion}`]);
    expect(await find([])).toBe(built);
  });

  it('builds a program with its tags in a module of its own, whose module has directives', async () => {
    script('go/go', `echo "$*" >> "${folder}/commands"; test "$1" != build || { echo built > "$7" && /bin/chmod +x "$7"; }`);
    const source = { ...NATS_SERVER, hasDirectives: true, tags: 'small,fast' };
    const environment = { PATH: join(folder, 'go'), SINEBAR_CACHE_DIR: join(folder, 'cache') };
    const built = await findProgram(source, { onProgress: () => undefined, environment });
    expect(readFileSync(built, 'utf8')).toBe('built\n');
    expect(readFileSync(join(folder, 'commands'), 'utf8')).toBe(
      `mod init program\nget ${source.goPackage}@${source.goVersion}\nbuild -trimpath -ldflags=-s -w -tags small,fast -o nats-server ${source.goPackage}\n`,
    );
  });

  it('waits for another build of the same program', async () => {
    script(
      'go/go',
      `echo x >> "${folder}/builds"; /bin/sleep 0.3; echo built > "$GOBIN/nats-server" && /bin/chmod +x "$GOBIN/nats-server"`,
    );
    const [first, second] = await Promise.all([find(['go']), find(['go'])]);
    expect(second).toBe(first);
    expect(readFileSync(join(folder, 'builds'), 'utf8')).toBe('x\n');
    expect(readdirSync(join(folder, 'cache/bin'))).toEqual([`nats-server-${NATS_SERVER.goVersion}`]);
  });

  it('builds where a build was killed', async () => {
    script('go/go', 'echo built > "$GOBIN/nats-server" && /bin/chmod +x "$GOBIN/nats-server"');
    const lock = join(folder, `cache/bin/nats-server-${NATS_SERVER.goVersion}.lock`);
    mkdirSync(lock, { recursive: true });
    utimesSync(lock, 0, 0);
    await find(['go']);
    expect(readdirSync(join(folder, 'cache/bin'))).toEqual([`nats-server-${NATS_SERVER.goVersion}`]);
  });

  it('names the setting that helps when the cache cannot be written', async () => {
    script('go/go', 'exit 0');
    writeFileSync(join(folder, 'file'), '');
    await expect(find(['go'], 'file')).rejects.toThrow(/cannot be kept in .*file\/bin .*Set SINEBAR_CACHE_DIR/);
  });
});
