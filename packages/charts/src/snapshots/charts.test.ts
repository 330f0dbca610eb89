import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { svgOf } from '../drawing/elements.ts';
import { CHARTS } from './charts.fixture.ts';
import { lightSheetFileOf, svgFileOf } from './svg-file.fixture.ts';

/** Writes the drawings instead of comparing them; people then look at their difference. */
const IS_WRITING = process.env['WRITE_CHARTS'] !== undefined;
const FOLDER = join(import.meta.dirname, 'svg');

/** Content of the files by their names; a chart without anything to show has no file. */
const DRAWINGS = new Map<string, string>(
  Object.entries(CHARTS).flatMap(([chart, { cases, sheet }]) =>
    Object.entries(cases).flatMap(([name, drawn]) =>
      drawn === undefined ? [] : [[`${chart}-${name}.svg`, svgFileOf(svgOf(drawn, ''), sheet)]],
    ),
  ),
);
const SHEET_FILE = join(import.meta.dirname, '../drawing/light-sheet.ts');
const SHEET = lightSheetFileOf([...DRAWINGS.values()].join(''));

if (IS_WRITING) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, content] of DRAWINGS) writeFileSync(join(FOLDER, name), content);
  writeFileSync(SHEET_FILE, SHEET);
}

// `WRITE_CHARTS=1 npm run test:unit -- packages/charts/src/snapshots` writes the drawings again, where a change of a chart is wanted.
describe('a chart is drawn as on its stored drawing', () => {
  it.each([...DRAWINGS])('%s', (name, content) => {
    expect(content).toBe(readFileSync(join(FOLDER, name), 'utf8'));
  });
  it('has no coordinate that is not a number', () => {
    expect([...DRAWINGS].filter(([, content]) => /NaN|Infinity|undefined/.test(content)).map(([name]) => name)).toEqual([]);
  });
  it('has no stored drawing that no chart makes', () => {
    expect(readdirSync(FOLDER).filter((name) => !DRAWINGS.has(name))).toEqual([]);
  });
  it('has in a document the looks that it has on the page', () => {
    expect(readFileSync(SHEET_FILE, 'utf8')).toBe(SHEET);
  });
});
