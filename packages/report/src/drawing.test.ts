import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NowStatus } from '@sinebar/contracts';
import { describeUnless } from '@sinebar/testing';
import { readPdf } from '@sinebar/testing/pdf';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { madeCharacteristic, madeContent } from './made-content.fixture.ts';
import type { ReportDrawing } from './report-content.ts';
import { builtInTemplate } from './templates/built-in.ts';
import { writtenReport } from './written-report.fixture.ts';

const SIZE = { width: 800, height: 500 };
const TEMPLATE = builtInTemplate('first-article');
const WITHOUT_PAGES = 3;

const balloon = (number: string, x: number, y: number, now: NowStatus) => ({
  stamp: { x, y, target: { x: 0.5, y: 0.5 }, radius: 0.02 },
  number,
  now,
});

async function drawn(about: Partial<ReportDrawing> = {}): Promise<ReportDrawing> {
  const image = await sharp({ create: { ...SIZE, channels: 3, background: '#eeeeee' } })
    .png()
    .toBuffer();
  const balloons = [balloon('17', 0.1, 0.2, 'inLimits'), balloon('23.1', 0.9, 0.2, 'aboveTolerance'), balloon('', 1.2, -1, 'noData')];
  return { name: 'plate.png', image, balloons, ...about };
}

/** A page as the raw-data service gives it: one form, here with a text and an image. */
async function page(): Promise<Uint8Array> {
  const source = await PDFDocument.create();
  const drawing = source.addPage([SIZE.width, SIZE.height]);
  drawing.drawText('Section A-A', { x: 300, y: 100, size: 40, font: await source.embedFont(StandardFonts.Helvetica) });
  const image = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#2222ee' } })
    .png()
    .toBuffer();
  drawing.drawImage(await source.embedPng(image), { x: 300, y: 350, width: 200, height: 100 });
  const doc = await PDFDocument.create({ updateMetadata: false });
  const [form] = await doc.embedPdf(await source.save());
  doc.addPage([SIZE.width, SIZE.height]).drawPage(form!);
  return doc.save();
}

/** A drawing that is a page of a PDF. */
async function drawnAsPage(): Promise<ReportDrawing> {
  const { balloons } = await drawn();
  return { name: 'plate.pdf', page: await page(), balloons };
}

const written = (drawing: ReportDrawing | undefined, language: 'en' | 'de' = 'en') =>
  writtenReport(madeContent([madeCharacteristic(0)], drawing && { drawing }), { template: TEMPLATE, language });

describe('the drawing of a report', () => {
  it('stands on a page of its own with its name and the numbers of its balloons', async () => {
    const { pages } = await readPdf(await written(await drawn()));
    expect(pages).toHaveLength(WITHOUT_PAGES + 1);
    for (const text of ['Drawing: plate.png', '17', '23.1']) expect(pages[WITHOUT_PAGES]).toContain(text);
  });

  it('is a page of a PDF whose texts stay texts, under its balloons, with the same bytes each time', async () => {
    const bytes = await written(await drawnAsPage());
    const { pages } = await readPdf(bytes);
    for (const text of ['Drawing: plate.pdf', 'Section A-A', '17', '23.1']) expect(pages[WITHOUT_PAGES]).toContain(text);
    expect((await written(await drawnAsPage())).equals(bytes)).toBe(true);
  });

  it('is left out where the part has none', async () => {
    const { pages } = await readPdf(await written(undefined));
    expect(pages).toHaveLength(WITHOUT_PAGES);
    expect(pages.join(' ')).not.toContain('Drawing:');
  });

  it.each([
    ['size', 'en', 'too large for a report'],
    ['encrypted', 'de', 'ohne Schutz'],
    ['pixels', 'de', 'mehr als 50 Megapixel'],
    ['unreadable', 'en', 'Store it as PDF, PNG or JPEG'],
    ['unavailable', 'de', 'in einigen Minuten noch einmal'],
  ] as const)('is a sentence where it cannot be drawn: %s in %s', async (problem, language, sentence) => {
    const { pages } = await readPdf(await written({ name: 'plate.pdf', problem, balloons: [] }, language));
    expect(pages.join(' ')).toContain(sentence);
  });

  it('is the same for the same content', async () => {
    const drawing = await drawn();
    expect((await written(drawing)).equals(await written(drawing))).toBe(true);
  });

  it('has the numbers of form 3: that of the balloon, else that of the characteristic', async () => {
    const rows = [madeCharacteristic(0, { attributes: { 2001: '10', 2809: '17' } }), madeCharacteristic(1, { attributes: { 2001: '20' } })];
    const { pages } = await readPdf(await writtenReport(madeContent(rows), { template: TEMPLATE }));
    expect(pages[2]).toMatch(/17 +.*Bore 0.*20 +.*Bore 1/);
  });
});

const missing = ['pdftotext', 'pdftoppm', 'qpdf'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
const REASON = missing.length === 0 ? undefined : `no ${missing.join(', ')}; Debian: apt-get install poppler-utils qpdf`;

describeUnless(REASON, 'the drawing of a report, read by other programs', () => {
  describe.each([
    ['plate.png', drawn, [0xee, 0xee, 0xee]],
    ['plate.pdf', drawnAsPage, [0x22, 0x22, 0xee]],
  ] as const)('as %s', (fileName, make, background) => {
    let folder = '';
    let file = '';
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'drawing-'));
      file = join(folder, 'report.pdf');
      writeFileSync(file, await written(await make()));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('has its numbers as text, and no error in its structure', () => {
      const page = String(WITHOUT_PAGES + 1);
      const text = execFileSync('pdftotext', ['-f', page, '-l', page, file, '-'], { encoding: 'utf8' });
      expect(text.split(/\s+/)).toEqual(expect.arrayContaining([fileName, '17', '23.1']));
      expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain('No syntax or stream encoding errors found');
    });

    it('shows balloons in the colours of their statuses', async () => {
      const name = join(folder, 'page');
      execFileSync('pdftoppm', ['-r', '72', '-f', String(WITHOUT_PAGES + 1), '-singlefile', '-png', file, name]);
      const { data } = await sharp(readFileSync(`${name}.png`))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const count = (isColor: (r: number, g: number, b: number) => boolean) => {
        let found = 0;
        for (let i = 0; i < data.length; i += 3) if (isColor(data[i]!, data[i + 1]!, data[i + 2]!)) found += 1;
        return found;
      };
      expect(count((r, g, b) => g > r + 50 && g > b + 30)).toBeGreaterThan(40);
      expect(count((r, g, b) => r > g + 120 && r > b + 120)).toBeGreaterThan(40);
      const [red, green, blue] = background;
      expect(count((r, g, b) => r === red && g === green && b === blue)).toBeGreaterThan(4000);
    });
  });
});
