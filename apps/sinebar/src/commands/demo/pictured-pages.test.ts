import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { picturedPages } from './pictured-pages.ts';

const SHOWN = readFileSync(join(import.meta.dirname, '../../../../../docs/pictures/README.md'), 'utf8');

describe('the pictures of all pages', () => {
  it.each(Object.entries(picturedPages()))('of the world %s are shown in every size and theme', (world, pages) => {
    const files = pages.flatMap(({ name }) =>
      [1440, 1280, 820, 390].flatMap((width) => ['light', 'dark'].map((theme) => `${world}/${name}-${width}-${theme}.webp`)),
    );
    expect(files.filter((file) => !SHOWN.includes(`](${file})`))).toEqual([]);
  });

  it('have names of their own', () => {
    for (const pages of Object.values(picturedPages())) expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  });
});
