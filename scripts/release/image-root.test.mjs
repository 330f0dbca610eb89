import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeImageRoot } from './image-root.mjs';

const WANTED = ['base-files', 'base-passwd', 'bash', 'coreutils', 'dash', 'libatomic1', 'libc6', 'libstdc++6', 'tzdata'];

describe('the files of an image', () => {
  let root;
  let base;
  let target;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sinebar-root-'));
    [base, target] = [join(root, 'base'), join(root, 'target')];
    mkdirSync(join(base, 'usr/bin'), { recursive: true });
    symlinkSync('usr/bin', join(base, 'bin'));
    file('etc/passwd', 'root:x:0:0:root:/root:/bin/bash\n');
    file('etc/group', 'root:x:0:\n');
    file('usr/local/bin/node', 'the program');
    file('usr/local/bin/npm', 'another program');
    const stanzas = WANTED.map((name) =>
      addPackage(name, name === 'bash' ? 'Depends: libtinfo6 (>= 6) | other, absent\n' : '', [`/bin/${name}`]),
    );
    stanzas.push(
      addPackage('libtinfo6', 'Multi-Arch: same\n', ['/usr/lib/libtinfo.so', '/usr/share/man/gone', '/usr/share/doc/slim'], ':amd64'),
    );
    stanzas.push(addPackage('apt', '', ['/usr/bin/apt']));
    rmSync(join(base, 'usr/share/doc/slim'));
    file('var/lib/dpkg/status', stanzas.join('\n'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function file(path, text) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  function addPackage(name, more, paths, architecture = '') {
    for (const path of paths) file(path, name);
    file(`var/lib/dpkg/info/${name}${architecture}.list`, ['/.', '/usr', '/usr/bin', ...paths, ''].join('\n'));
    return `Package: ${name}\nArchitecture: amd64\n${more}`;
  }
  const make = () => {
    mkdirSync(target);
    makeImageRoot(base, target);
  };

  it('are those of the packages that it needs and of their dependencies, and Node', () => {
    make();
    expect(readFileSync(join(target, 'usr/bin/bash'), 'utf8')).toBe('bash');
    expect(readlinkSync(join(target, 'bin'))).toBe('usr/bin');
    expect(readFileSync(join(target, 'usr/lib/libtinfo.so'), 'utf8')).toBe('libtinfo6');
    expect(readFileSync(join(target, 'usr/local/bin/node'), 'utf8')).toBe('the program');
    for (const path of ['usr/bin/apt', 'usr/local/bin/npm', 'usr/share/man/gone']) expect(existsSync(join(target, path))).toBe(false);
  });

  it('list exactly these packages for scanners', () => {
    make();
    const status = readFileSync(join(target, 'var/lib/dpkg/status'), 'utf8');
    expect([...status.matchAll(/^Package: (.*)$/gm)].map(([, name]) => name).sort()).toEqual([...WANTED, 'libtinfo6'].sort());
  });

  it('have a user without rights, and the modes of the base', () => {
    mkdirSync(join(base, 'tmp'));
    chmodSync(join(base, 'tmp'), 0o1777);
    file('var/lib/dpkg/info/base-files.list', '/tmp\n');
    make();
    expect(readFileSync(join(target, 'etc/passwd'), 'utf8')).toMatch(/\nsinebar:x:10001:10001::\/nonexistent:\/usr\/sbin\/nologin\n$/);
    expect(readFileSync(join(target, 'etc/group'), 'utf8')).toMatch(/\nsinebar:x:10001:\n$/);
    expect(statSync(join(target, 'tmp')).mode & 0o7777).toBe(0o1777);
  });

  it('are refused where the base image has not what they need', () => {
    rmSync(join(base, 'var/lib/dpkg/info/dash.list'));
    expect(make).toThrow('The base image does not list the files of the package dash.');
    file('var/lib/dpkg/status', 'Package: bash\n');
    rmSync(target, { recursive: true });
    expect(make).toThrow('The base image has no package base-files.');
  });
});
