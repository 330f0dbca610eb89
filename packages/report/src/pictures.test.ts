import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeUnless } from '@sinebar/testing';
import sharp from 'sharp';
import { picturedContent } from './pictured-content.fixture.ts';
import { BUILT_IN_TEMPLATES, builtInTemplate } from './templates/built-in.ts';
import { writtenReport } from './written-report.fixture.ts';

/** Writes the pictures instead of comparing them; people then look at their difference. */
const IS_WRITING = process.env['WRITE_REPORTS'] !== undefined;
const PICTURES = join(import.meta.dirname, '../../../docs/pictures/reports');
const DOTS_PER_INCH = 72;
/** Page that shows what the template is for. */
const SHOWN_PAGE: Readonly<Partial<Record<string, number>>> = { 'first-article': 3 };
/** Brightness from which a pixel counts as different; versions of the tool smooth edges differently. */
const DIFFERENT = 96;
/** Share of the pixels that may be different: times are in the zone of this machine. */
const MAX_SHARE = 0.01;

const TOOLS = ['pdfinfo', 'pdftotext', 'pdftoppm', 'qpdf'];
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
const REASON = missing.length === 0 ? undefined : `no ${missing.join(', ')}; Debian: apt-get install poppler-utils qpdf`;

describeUnless(REASON, 'a report, read by other programs', () => {
  let folder = '';
  const fileOf = (name: string) => join(folder, `${name}.pdf`);
  const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { encoding: 'utf8' });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reports-'));
    for (const name of BUILT_IN_TEMPLATES) {
      const request = { template: builtInTemplate(name), from: '2026-03-01T00:00:00.000Z' };
      writeFileSync(fileOf(name), await writtenReport(picturedContent(name), request));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(BUILT_IN_TEMPLATES)('%s', (name) => {
    it('has no error in its structure', () => {
      expect(run('qpdf', '--check', fileOf(name))).toContain('No syntax or stream encoding errors found');
    });

    it('is tagged and has its date of creation', () => {
      const information = run('pdfinfo', '-isodates', fileOf(name));
      expect(information).toMatch(/Tagged: +yes/);
      expect(information).toMatch(/CreationDate: +2026-03-31T/);
      expect(information).toMatch(/Title: +\S.*: Housing/);
    });

    it('looks as on its picture', async () => {
      const page = String(SHOWN_PAGE[name] ?? 1);
      const drawn = join(folder, name);
      run('pdftoppm', '-r', String(DOTS_PER_INCH), '-f', page, '-l', page, '-singlefile', '-png', fileOf(name), drawn);
      const stored = join(PICTURES, `${name}.png`);
      if (IS_WRITING) await sharp(`${drawn}.png`).png({ palette: true, compressionLevel: 9 }).toFile(stored);
      const [a, b] = await Promise.all([`${drawn}.png`, stored].map((file) => grey(file)));
      expect(a!.length).toBe(b!.length);
      const different = a!.reduce((sum, value, i) => sum + (Math.abs(value - b![i]!) > DIFFERENT ? 1 : 0), 0);
      expect(different / a!.length).toBeLessThan(MAX_SHARE);
    });
  });

  it('has the numbers of the table in the order of its columns', () => {
    const text = run('pdftotext', '-layout', fileOf('capability-list'), '-');
    const row = text.split('\n').find((line) => line.includes('Length over all'));
    expect(
      row
        ?.trim()
        .split(/\s{2,}|(?<=\d) (?=mm)/)
        .slice(0, 6),
    ).toEqual(['100', 'Length over all', 'main', '118.300', '118.700', 'mm']);
  });

  it('holds the values as an attached file that other programs can take out', () => {
    expect(run('qpdf', '--list-attachments', fileOf('part'))).toContain('values.csv');
  });
});

function grey(file: string): Promise<Buffer> {
  return sharp(readFileSync(file)).greyscale().raw().toBuffer();
}
