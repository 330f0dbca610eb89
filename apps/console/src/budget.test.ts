import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const BUILT = join(import.meta.dirname, '../dist');
/** Most JavaScript that the start page loads before its first content, and that the first model loads besides, with gzip, bytes. */
const BUDGET_BYTES = 250_000;

interface Chunk {
  file: string;
  imports?: string[];
}

const manifest = JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
/** Chunks that the page names. */
const ENTRIES = Object.keys(manifest).filter((name) =>
  readFileSync(join(BUILT, 'index.html'), 'utf8').includes(`src="./${manifest[name]!.file}"`),
);
const START = [...ENTRIES, 'src/pages/start/page.tsx'];

/** Files of chunks and of all that they import. */
function filesOf(names: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const load = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (loaded.has(chunk.file)) return;
    loaded.add(chunk.file);
    for (const imported of chunk.imports ?? []) load(imported);
  };
  names.forEach(load);
  return loaded;
}

function compressedBytes(files: Iterable<string>): number {
  const sizes = [...files].map(
    (file) => statSync(join(BUILT, `${file}.gz`), { throwIfNoEntry: false })?.size ?? statSync(join(BUILT, file)).size,
  );
  return sizes.reduce((sum, each) => sum + each, 0);
}

it('names its first scripts in the page', () => {
  expect(ENTRIES).not.toEqual([]);
});

it('loads at most 250 kB of compressed JavaScript before the start page has content', () => {
  expect(compressedBytes(filesOf(START))).toBeLessThanOrEqual(BUDGET_BYTES);
});

it('loads at most 250 kB more for the first model', () => {
  const start = filesOf(START);
  const more = [...filesOf(['src/quality/viewers/model/model-viewer.tsx'])].filter((file) => !start.has(file));
  expect(more).not.toEqual([]);
  expect(compressedBytes(more)).toBeLessThanOrEqual(BUDGET_BYTES);
});
