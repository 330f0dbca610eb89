import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { installedWith } from './bill-of-materials.mjs';

/**
 * Runs `node unneeded-packages.mjs <folder>`: removes packages that pnpm has installed below a folder and that nothing there depends on:
 * types that a package names as its peer, and what only packages for other platforms need.
 */
export function removeUnneeded(folder) {
  const store = join(realpathSync(folder), 'node_modules/.pnpm');
  const needed = new Set(installedWith(realpathSync(folder)).map((path) => relative(store, path).split(sep)[0]));
  for (const name of readdirSync(store)) if (name !== 'node_modules' && !needed.has(name)) rmSync(join(store, name), { recursive: true });
}

if (process.argv[1] === import.meta.filename) removeUnneeded(process.argv[2]);
