import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SinebarClient, STAMP_ATTRIBUTES, type FileToStore } from '@sinebar/client';
import { startEmptyProduct } from '@sinebar/testing';
import { readPdf } from '@sinebar/testing/pdf';
import sharp from 'sharp';
import { viewedFiles } from './console/viewed-files.fixture.ts';

const START_LIMIT_MS = 240_000;
const LIMIT_MS = 90_000;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><rect width="1600" height="1000" fill="white"/>
  <circle cx="500" cy="500" r="90" fill="none" stroke="black" stroke-width="4"/></svg>`;

const viewedFile = (name: string) => viewedFiles.find(({ fileName }) => fileName === name)!.content;

describe('drawings in reports', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  let client: SinebarClient;

  beforeAll(async () => {
    product = await startEmptyProduct();
    client = new SinebarClient({ url: product.url });
    await client.configuration.create(
      'characteristic',
      STAMP_ATTRIBUTES.map(({ key, names, type, length }) => ({
        definitionType: 'AttributeDefinition',
        key,
        description: names.en,
        type: type as 'Float',
        ...(length !== undefined && { length }),
      })),
    );
  }, START_LIMIT_MS);
  afterAll(() => product?.stop(), LIMIT_MS);

  /** Makes a part with a file and two balloons, one of a part below it, and returns the pages of its first article report. */
  async function pagesWith(file: FileToStore | undefined): Promise<readonly string[]> {
    const part = randomUUID() as string;
    const name = `Plate ${part}`;
    await client.parts.create([
      { uuid: part, path: `P:/${name}/` },
      { uuid: randomUUID(), path: `PP:/${name}/Below/` },
    ]);
    const stamp = (caption: string) => ({ 2808: '1', 2809: caption, 2810: '0.25', 2811: '0.4', 2812: '0.3', 2813: '0.5' });
    await client.characteristics.create([
      { uuid: randomUUID(), path: `PC:/${name}/Bore/`, attributes: stamp('417') },
      { uuid: randomUUID(), path: `PPC:/${name}/Below/Slot/`, attributes: stamp('518') },
    ]);
    if (file) await client.rawData.upload({ entity: 'Part', uuid: part }, file);
    const answer = await fetch(`${product.url}/reportServiceRest/reports`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ template: 'first-article', selection: { partUuid: part } }),
    });
    expect(answer.status).toBe(200);
    return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).pages;
  }

  it.each([
    ['plate.svg', 'image/svg+xml', () => Promise.resolve(Buffer.from(SVG))],
    ['plate.png', 'image/png', () => sharp(Buffer.from(SVG)).png().toBuffer()],
    ['plate.tif', 'image/tiff', () => sharp(Buffer.from(SVG)).tiff().toBuffer()],
  ])(
    'have the balloons of the part itself on an image of the raw-data service [D13.6]: %s',
    async (fileName, mimeType, content) => {
      const pages = await pagesWith({ fileName, mimeType, content: await content() });
      expect(pages).toHaveLength(4);
      expect(pages[3]).toContain(`Drawing: ${fileName}`);
      expect(pages[3]).toContain('417');
      expect(pages[3]).not.toContain('518');
    },
    LIMIT_MS,
  );

  it(
    'have the balloons of the part itself on the first page of a PDF, whose texts stay texts [D13.6]',
    async () => {
      const pages = await pagesWith({ fileName: 'plate.pdf', mimeType: 'application/pdf', content: viewedFile('two.pdf') });
      expect(pages).toHaveLength(4);
      for (const text of ['Drawing: plate.pdf', 'First page', '417']) expect(pages[3]).toContain(text);
      for (const text of ['Second page', '518']) expect(pages[3]).not.toContain(text);
    },
    LIMIT_MS,
  );

  it(
    'are small enough for a message, whatever is on them',
    async () => {
      const noise = randomBytes(2500 * 2500 * 3);
      const content = await sharp(noise, { raw: { width: 2500, height: 2500, channels: 3 } })
        .png({ compressionLevel: 1 })
        .toBuffer();
      expect((await pagesWith({ fileName: 'noise.png', mimeType: 'image/png', content }))[3]).toContain('417');
    },
    LIMIT_MS,
  );

  it.each([
    ['cut.pdf', 'application/pdf', () => Promise.resolve(Buffer.from('%PDF-1.4')), 'Store it as PDF, PNG or JPEG'],
    ['locked.pdf', 'application/pdf', () => Promise.resolve(viewedFile('locked.pdf')), 'a protected PDF'],
    ['cut.png', 'image/png', async () => (await sharp(Buffer.from(SVG)).png().toBuffer()).subarray(0, 200), 'Store it as PDF, PNG or JPEG'],
    [
      'huge.png',
      'image/png',
      () =>
        sharp({ create: { width: 9000, height: 6000, channels: 3, background: 'white' } })
          .png()
          .toBuffer(),
      'more than 50 megapixels',
    ],
  ])(
    'are a sentence that says what to store: %s',
    async (fileName, mimeType, content, sentence) => {
      const all = (await pagesWith({ fileName, mimeType, content: await content() })).join(' ');
      expect(all).toContain(`Drawing: ${fileName}`);
      expect(all).toContain(sentence);
    },
    LIMIT_MS,
  );

  it(
    'are left out where the part has no image',
    async () => {
      const pages = await pagesWith({ fileName: 'notes.txt', mimeType: 'text/plain', content: new Uint8Array([65]) });
      expect(pages).toHaveLength(3);
    },
    LIMIT_MS,
  );
});
