import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildHash, installHash, isInstalled, stampIsCurrent, unbuiltFolders, workspaceFolders, writeStamp } from './stamps.mjs';

let root;
const put = (file, text) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sinebar-stamps-'));
  put('pnpm-workspace.yaml', "packages:\n  - packages/*\n  - 'infra/dev' # quoted\n\ncatalog:\n  - nothing\n");
  put('pnpm-lock.yaml', 'lockfileVersion: 9');
  put('package.json', '{}');
  put('tsconfig.json', '{}');
  put('packages/a/package.json', '{"dependencies":{"x":"1"}}');
  put('packages/a/tsconfig.json', '{}');
  put('packages/a/src/index.ts', 'export {};');
  put('packages/a/src/deep/inner.ts', 'export {};');
  put('packages/a/src/index.test.ts', 'test');
  put('packages/not-a-package/readme.txt', '');
  put('infra/dev/package.json', '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('workspace', () => {
  it('consists of the listed folders with a package', () => {
    expect(workspaceFolders(root)).toEqual(['infra/dev', 'packages/a']);
  });

  it('counts as installed only while every package with dependencies has its folder', () => {
    expect(isInstalled(root)).toBe(false);
    mkdirSync(join(root, 'packages/a/node_modules'));
    expect(isInstalled(root)).toBe(true);
  });

  it('finds packages whose built files are missing', () => {
    expect(unbuiltFolders(root)).toEqual(['packages/a']);
    mkdirSync(join(root, 'packages/a/dist'));
    expect(unbuiltFolders(root)).toEqual([]);
  });
});

describe('stamp of an installation', () => {
  const environment = { nodeVersion: 'v20.19.0', platform: 'linux-x64' };
  it('is the same for the same files', () => {
    expect(installHash(root, environment)).toBe(installHash(root, environment));
  });

  it.each([
    ['the lock file', () => put('pnpm-lock.yaml', 'lockfileVersion: 10')],
    ['the settings of the workspace', () => put('pnpm-workspace.yaml', 'packages:\n  - packages/*\n  - infra/dev\n')],
    ['a package', () => put('packages/a/package.json', '{"dependencies":{"x":"2"}}')],
    ['a new package', () => put('packages/b/package.json', '{}')],
  ])('changes with %s', (_what, change) => {
    const before = installHash(root, environment);
    change();
    expect(installHash(root, environment)).not.toBe(before);
  });

  it('changes with the version of Node and the platform', () => {
    const hashes = [environment, { ...environment, nodeVersion: 'v24.0.0' }, { ...environment, platform: 'linux-arm64' }].map((other) =>
      installHash(root, other),
    );
    expect(new Set(hashes).size).toBe(3);
  });

  it('does not change with sources', () => {
    const before = installHash(root, environment);
    put('packages/a/src/index.ts', 'export const other = 1;');
    expect(installHash(root, environment)).toBe(before);
  });
});

describe('stamp of a build', () => {
  const later = (file) => utimesSync(join(root, file), new Date(), new Date(Date.now() + 5000));

  it.each([
    ['a source file of another size', () => put('packages/a/src/deep/inner.ts', 'export const longer = 1;')],
    ['a source file of the same size, written later', () => later('packages/a/src/index.ts')],
    ['a source file that is new', () => put('packages/a/src/more.ts', '')],
    ['a source file that is gone', () => rmSync(join(root, 'packages/a/src/index.ts'))],
    ['settings of the compiler', () => later('packages/a/tsconfig.json')],
    ['installed packages', () => put('pnpm-lock.yaml', 'lockfileVersion: 10')],
  ])('changes with %s', (_what, change) => {
    const before = buildHash(root);
    change();
    expect(buildHash(root)).not.toBe(before);
  });

  it('does not change with tests', () => {
    const before = buildHash(root);
    put('packages/a/src/index.test.ts', 'another test');
    put('packages/a/src/cases.fixture.ts', 'shared cases');
    expect(buildHash(root)).toBe(before);
  });
});

describe('stamps', () => {
  it('are valid for the hash they were written with, each step separately', () => {
    expect(stampIsCurrent(root, 'install', 'abc')).toBe(false);
    writeStamp(root, 'install', 'abc');
    expect(stampIsCurrent(root, 'install', 'abc')).toBe(true);
    expect(stampIsCurrent(root, 'install', 'abcd')).toBe(false);
    expect(stampIsCurrent(root, 'build', 'abc')).toBe(false);
  });

  it('are removed with node_modules', () => {
    writeStamp(root, 'install', 'abc');
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(stampIsCurrent(root, 'install', 'abc')).toBe(false);
  });
});
