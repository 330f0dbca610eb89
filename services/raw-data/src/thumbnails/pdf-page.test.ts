import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { describeUnless } from '@sinebar/testing';
import { readPdf } from '@sinebar/testing/pdf';
import { degrees, PDFDocument, PDFName, PDFString, rgb, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { IMAGE_LIMITS, PDF_SCRIPT, ThumbnailMaker } from './thumbnail-maker.ts';

const MAX_BYTES = 720_000;
/** Share of the pixels that may be different: edges lie otherwise. */
const MAX_SHARE = 0.01;

interface Page {
  angle?: number;
  crop?: readonly [x: number, y: number, width: number, height: number];
}

/** A PDF whose first page has a text and a square near the left lower corner of the medium, and a link. */
async function drawn({ angle = 0, crop }: Page = {}): Promise<PDFDocument> {
  const doc = await PDFDocument.create();
  const page = doc.addPage([400, 240]);
  page.drawRectangle({ x: 60, y: 50, width: 40, height: 40, color: rgb(1, 0, 0) });
  page.drawText('Bore 17', { x: 150, y: 120, size: 20, font: await doc.embedFont(StandardFonts.Helvetica) });
  page.setRotation(degrees(angle));
  if (crop) page.setCropBox(...crop);
  const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A: { S: 'URI', URI: PDFString.of('https://example.com/') } };
  page.node.set(PDFName.of('Annots'), doc.context.obj([doc.context.obj(link)]));
  doc.addPage([400, 240]).drawText('Second page');
  return doc;
}

describe('the first page of a PDF', () => {
  const maker = new ThumbnailMaker({ log: createLogger({ service: 'test', level: 'fatal' }), script: PDF_SCRIPT });
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-pdf-page-'));
  });
  afterAll(() => {
    maker.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const extract = (bytes: Uint8Array, maxBytes = MAX_BYTES) => {
    const path = join(folder, 'source.pdf');
    writeFileSync(path, bytes);
    return maker.make({ path, kind: 'pdf', maxBytes }, new AbortController().signal);
  };

  it('keeps its texts as texts, and nothing of other pages or of what stands beside its content', async () => {
    const { bytes, mimeType } = await extract(await (await drawn()).save({ useObjectStreams: false }));
    expect(mimeType).toBe('application/pdf');
    const { pages } = await readPdf(bytes);
    expect(pages).toEqual([expect.stringContaining('Bore 17')]);
    expect(Buffer.from(await (await PDFDocument.load(bytes)).save({ useObjectStreams: false })).includes('example.com')).toBe(false);
  });

  it('is the same each time', async () => {
    const bytes = await (await drawn()).save();
    const [one, other] = [await extract(bytes), await extract(bytes)];
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(true);
  });

  it.each([
    ['size', async () => [await (await drawn()).save(), 500] as const],
    ['damaged', () => Promise.resolve([Buffer.from('%PDF-1.4\n1 0 obj\n<<'), MAX_BYTES] as const)],
    [
      'encrypted',
      async () => {
        const text = Buffer.from(await (await drawn()).save({ useObjectStreams: false })).toString('latin1');
        const locked = text.replace('/Root', '/Encrypt <</Filter/Standard/V 1/R 2>> /Root');
        return [Buffer.from(locked, 'latin1'), MAX_BYTES] as const;
      },
    ],
  ])('is refused where it cannot be drawn: %s', async (refusal, made) => {
    const [bytes, maxBytes] = await made();
    await expect(extract(bytes, maxBytes)).rejects.toMatchObject({ name: 'NoThumbnailError', refusal });
  });

  it('of a small file that becomes huge ends its process only', async () => {
    const doc = await PDFDocument.create();
    const page = doc.addPage([100, 100]);
    const content = doc.context.stream(deflateSync(new Uint8Array(150_000_000)), { Filter: 'FlateDecode' });
    page.node.set(PDFName.of('Contents'), doc.context.register(content));
    const limits = { ...IMAGE_LIMITS, memoryBytes: 200 * 2 ** 20 };
    const small = new ThumbnailMaker({ log: createLogger({ service: 'test', level: 'fatal' }), limits, script: PDF_SCRIPT });
    const path = join(folder, 'bomb.pdf');
    writeFileSync(path, await doc.save());
    await expect(small.make({ path, kind: 'pdf', maxBytes: MAX_BYTES }, new AbortController().signal)).rejects.toThrow('memory');
    small.stop();
    await expect(extract(await (await drawn()).save())).resolves.toMatchObject({ mimeType: 'application/pdf' });
  }, 60_000);

  const REASON = spawnSync('pdftoppm', ['-v']).error === undefined ? undefined : 'no pdftoppm; Debian: apt-get install poppler-utils';
  describeUnless(REASON, 'as a picture', () => {
    it.each<Page>([
      {},
      { angle: 90 },
      { angle: 180 },
      { angle: 270 },
      { angle: -90 },
      { crop: [50, 30, 300, 150] },
      { angle: 90, crop: [50, 30, 300, 150] },
      { crop: [-50, -30, 300, 150] },
    ])('looks as it does in a reader: %j', async (about) => {
      const bytes = await (await drawn(about)).save();
      const page = await extract(bytes);
      const [one, other] = await Promise.all([picture(bytes, 'source'), picture(page.bytes, 'page')]);
      expect(other.info).toEqual(one.info);
      const different = one.data.reduce((sum, value, i) => sum + (Math.abs(value - other.data[i]!) > 96 ? 1 : 0), 0);
      expect(different / one.data.length).toBeLessThan(MAX_SHARE);
    });

    function picture(bytes: Uint8Array, name: string) {
      const file = join(folder, `${name}-drawn`);
      writeFileSync(`${file}.pdf`, bytes);
      execFileSync('pdftoppm', ['-r', '72', '-cropbox', '-f', '1', '-l', '1', '-singlefile', '-png', `${file}.pdf`, file]);
      return sharp(`${file}.png`).greyscale().raw().toBuffer({ resolveWithObject: true });
    }
  });
});
