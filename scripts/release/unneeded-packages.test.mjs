import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { removeUnneeded } from './unneeded-packages.mjs';

it('keeps what the program needs, and removes other packages', () => {
  const root = mkdtempSync(join(tmpdir(), 'sinebar-unneeded-'));
  const store = join(root, 'node_modules/.pnpm');
  const add = (entry, name, manifest = {}) => {
    mkdirSync(join(store, entry, 'node_modules', name), { recursive: true });
    writeFileSync(join(store, entry, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
  };
  const link = (from, entry, name) => symlinkSync(join(store, entry, 'node_modules', name), from);
  add('sharp@1.0.0_peer', 'sharp', { dependencies: { colour: '1.0.0' }, optionalDependencies: { wasm: '1.0.0' } });
  add('colour@1.0.0', 'colour');
  add('helper-of-wasm@1.0.0', 'helper-of-wasm');
  add('types@1.0.0', 'types');
  mkdirSync(join(store, 'node_modules'));
  link(join(root, 'node_modules/sharp'), 'sharp@1.0.0_peer', 'sharp');
  link(join(store, 'sharp@1.0.0_peer/node_modules/colour'), 'colour@1.0.0', 'colour');
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'program', dependencies: { sharp: '1.0.0' } }));

  removeUnneeded(root);
  expect(readdirSync(store).sort()).toEqual(['colour@1.0.0', 'node_modules', 'sharp@1.0.0_peer']);
  rmSync(root, { recursive: true });
});
