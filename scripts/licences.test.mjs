import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './bootstrap.mjs';
import { deliveredFolders, deliveredPackages, isAllowed } from './licences.mjs';

describe('packages delivered with Sinebar', () => {
  it('are under licences that allow use, change and redistribution', () => {
    const packages = deliveredPackages(ROOT, deliveredFolders(ROOT));
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'pg', 'socket.io', 'engine.io', 'zod']));
    expect(packages.filter((each) => !isAllowed(each))).toEqual([]);
  });
});

describe('check of licences', () => {
  let root;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'sinebar-licences-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  const put = (folder, manifest) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(
      join(root, folder, 'package.json'),
      JSON.stringify({ name: folder.split('node_modules/').at(-1), version: '1.0.0', ...manifest }),
    );
  };

  it('follows transitive dependencies, and leaves out those of development', () => {
    put('services/a', { dependencies: { b: '1' }, devDependencies: { tool: '1' } });
    put('services/a/node_modules/b', { license: 'MIT', dependencies: { c: '1' }, optionalDependencies: { elsewhere: '1' } });
    put('services/a/node_modules/c', { licenses: [{ type: 'GPL-3.0' }, { type: 'ISC' }], dependencies: { b: '1' } });
    put('services/a/node_modules/tool', { license: 'GPL-3.0' });
    expect(deliveredPackages(root, ['services/a'])).toEqual([
      { name: 'b', version: '1.0.0', licence: 'MIT' },
      { name: 'c', version: '1.0.0', licence: 'GPL-3.0 OR ISC' },
    ]);
  });

  it('reports missing packages', () => {
    put('services/a', { name: 'a', dependencies: { b: '1' } });
    expect(() => deliveredPackages(root, ['services/a'])).toThrow('b, which a needs, is not installed');
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND (GPL-3.0 OR ISC)', true],
    ['GPL-3.0 OR MIT AND AGPL-3.0', false],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0', false],
    ['(MIT', false],
    ['MIT ISC', false],
    ['SEE LICENSE IN LICENSE.txt', false],
    ['none named', false],
    ['', false],
  ])('judges "%s"', (licence, allowed) => {
    expect(isAllowed({ name: 'x', licence })).toBe(allowed);
  });

  it('limits an exception to one package', () => {
    expect(isAllowed({ name: '@img/sharp-libvips-linux-x64', licence: 'LGPL-3.0-or-later' })).toBe(true);
    expect(isAllowed({ name: 'other', licence: 'LGPL-3.0-or-later' })).toBe(false);
    expect(isAllowed({ name: '@img/sharp-libvips-linux-x64', licence: 'GPL-3.0' })).toBe(false);
  });
});
