import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const BUILT = join(import.meta.dirname, '../dist');
/** Most JavaScript that the start page loads before its first content, compressed with gzip, bytes. */
const BUDGET_BYTES = 250_000;

interface Chunk {
  file: string;
  imports?: string[];
}

it('loads at most 250 kB of compressed JavaScript before the start page has content', () => {
  const manifest = JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const loaded = new Set<string>();
  const load = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (loaded.has(chunk.file)) return;
    loaded.add(chunk.file);
    for (const imported of chunk.imports ?? []) load(imported);
  };
  load('index.html');
  load('src/pages/start/page.tsx');
  const bytes = [...loaded].map(
    (file) => statSync(join(BUILT, `${file}.gz`), { throwIfNoEntry: false })?.size ?? statSync(join(BUILT, file)).size,
  );
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
});
