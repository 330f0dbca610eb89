import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import sharp from 'sharp';
import { HEAD_BYTES, imageKind, type ImageKind } from './image-kind.ts';
import { IMAGE_LIMITS, ThumbnailMaker } from './thumbnail-maker.ts';

const RED = { r: 220, g: 20, b: 30 };

describe('thumbnails', () => {
  const log = createLogger({ service: 'test', level: 'fatal' });
  const makers: ThumbnailMaker[] = [];
  const makerWith = (limits: Partial<typeof IMAGE_LIMITS> = {}, script?: URL) => {
    const made = new ThumbnailMaker({ log, limits: { ...IMAGE_LIMITS, ...limits }, script });
    makers.push(made);
    return made;
  };
  const maker = makerWith();
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-thumbnail-test-'));
  });
  afterAll(async () => {
    for (const made of makers) made.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const make = async (bytes: Buffer | string, by = maker, maxBytes?: number) => {
    const path = join(folder, `${(count += 1)}.upload`);
    await writeFile(path, bytes);
    const head = (await readFile(path)).subarray(0, HEAD_BYTES);
    return by.make({ path, kind: imageKind(head) as ImageKind, ...(maxBytes !== undefined && { maxBytes }) }, new AbortController().signal);
  };
  const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: RED } });
  const svg = (inside: string, size = 'width="100" height="100"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}</svg>`;
  /** Returns the size of a thumbnail and the colours at relative positions. */
  const look = async ({ bytes }: { bytes: Uint8Array }, ...positions: [x: number, y: number][]) => {
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const colours = positions.map(([x, y]) => {
      const at = 4 * (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1)));
      return [...data.subarray(at, at + 4)];
    });
    return { size: [info.width, info.height], colours };
  };
  const near = (colour: readonly number[] | undefined, { r, g, b }: typeof RED, tolerance = 12) => {
    [r, g, b].forEach((wanted, channel) => expect(Math.abs((colour?.[channel] ?? NaN) - wanted)).toBeLessThanOrEqual(tolerance));
  };

  it('are larger for a drawing, as PNG where that is small enough, and never have more bytes than wanted', async () => {
    const drawn = await make(svg('<rect width="50" height="100" fill="#dc141e"/>'), maker, 720_000);
    expect(drawn.mimeType).toBe('image/png');
    const { size, colours } = await look(drawn, [0.25, 0.5], [0.75, 0.5]);
    expect(size).toEqual([2400, 2400]);
    near(colours[0], RED);
    near(colours[1], { r: 255, g: 255, b: 255 });

    const noise = randomBytes(900 * 900 * 3);
    const png = await sharp(noise, { raw: { width: 900, height: 900, channels: 3 } })
      .png()
      .toBuffer();
    const small = await make(png, maker, 600_000);
    expect(small.mimeType).toBe('image/jpeg');
    expect(small.bytes.length).toBeLessThanOrEqual(600_000);
    await expect(make(png, maker, 1000)).rejects.toMatchObject({ refusal: 'pixels' });
  });

  it('are made by a process without the environment of the service', async () => {
    const script = join(folder, 'tells-environment.mjs');
    await writeFile(
      script,
      `process.on('message', () => process.send({ bytes: Buffer.from(JSON.stringify(Object.keys(process.env))), mimeType: 'text/plain' }));
       process.on('disconnect', () => process.exit());`,
    );
    const job = { path: join(folder, 'none'), kind: 'png' as ImageKind };
    const { bytes } = await makerWith({}, pathToFileURL(script)).make(job, new AbortController().signal);
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual([]);
  });

  it.each(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const)('are made of %s [D6.6]', async (kind) => {
    const made = await make(await plain(600, 300).toFormat(kind).toBuffer());
    const { size, colours } = await look(made, [0.5, 0.5]);
    expect(size).toEqual([256, 128]);
    near(colours[0], RED);
  });

  it('are made of SVG in the size of a thumbnail, whatever its own size [D6.6]', async () => {
    for (const size of ['width="20" height="10"', 'width="90000" height="45000"', 'viewBox="0 0 4 2"']) {
      const made = await make(`<?xml version="1.0"?>\n${svg('<rect width="100%" height="100%" fill="rgb(220,20,30)"/>', size)}`);
      expect(made.mimeType).toBe('image/png');
      const { size: drawn, colours } = await look(made, [0.5, 0.5]);
      expect(drawn).toEqual([256, 128]);
      near(colours[0], RED);
    }
  });

  it('keep small images unchanged, and transparency', async () => {
    const clear = sharp({ create: { width: 40, height: 30, channels: 4, background: { ...RED, alpha: 0 } } });
    const { size, colours } = await look(await make(await clear.png().toBuffer()), [0.5, 0.5]);
    expect(size).toEqual([40, 30]);
    expect(colours[0]?.[3]).toBe(0);
    expect(await make(await plain(40, 30).png().toBuffer())).toMatchObject({ mimeType: 'image/jpeg' });
  });

  it('are rotated as the camera recorded, and contain no other metadata of it', async () => {
    const right = await plain(100, 300).png().toBuffer();
    const image = await sharp({ create: { width: 600, height: 300, channels: 3, background: 'white' } })
      .composite([{ input: right, left: 500, top: 0 }])
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const made = await make(image);
    const { size, colours } = await look(made, [0.5, 0.97], [0.5, 0.03]);
    expect(size).toEqual([128, 256]);
    near(colours[0], RED, 20);
    near(colours[1], { r: 255, g: 255, b: 255 }, 20);
    expect((await sharp(made.bytes).metadata()).exif).toBeUndefined();
  });

  it('have eight bits of sRGB, whatever the format of the image', async () => {
    const cmyk = await plain(300, 300).toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const deep = await plain(300, 300).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    const grey = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#808080' } })
      .toColourspace('grey16')
      .png()
      .toBuffer();
    for (const [image, colour, tolerance] of [
      // CMYK and RGB have different reds.
      [cmyk, RED, 60],
      [deep, RED, 12],
      [grey, { r: 128, g: 128, b: 128 }, 12],
    ] as const) {
      const made = await make(image);
      expect(await sharp(made.bytes).metadata()).toMatchObject({ depth: 'uchar', space: expect.stringMatching(/^(srgb|b-w)$/) as unknown });
      near((await look(made, [0.5, 0.5])).colours[0], colour, tolerance);
    }
  });

  it('show the first of several pictures', async () => {
    const frames = await Promise.all(
      [RED, { r: 0, g: 0, b: 255 }, { r: 0, g: 255, b: 0 }].map((background) =>
        sharp({ create: { width: 50, height: 50, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const joined = () => sharp(frames, { join: { animated: true } });
    for (const image of [await joined().gif().toBuffer(), await joined().webp().toBuffer()]) {
      const { size, colours } = await look(await make(image), [0.5, 0.5]);
      expect(size).toEqual([50, 50]);
      near(colours[0], RED);
    }
  });

  it('are refused for an image with too many pixels', async () => {
    await expect(make(emptyPng(30_000, 30_000))).rejects.toThrow('more than 100000000 pixels');
    await expect(make(emptyPng(2 ** 31 - 1, 2 ** 31 - 1))).rejects.toThrow(/damaged|more than/);
    await expect(make(svg('', 'width="1e9" height="1e9"'))).rejects.toThrow(/damaged|more than/);
    expect((await make(await plain(10, 10).png().toBuffer())).bytes.length).toBeGreaterThan(50);
  });

  it('are refused for damaged images [D6.6]', async () => {
    const noise = sharp({
      create: { width: 300, height: 300, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 30 }, background: RED },
    });
    for (const kind of ['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const) {
      const whole = await noise.clone().toFormat(kind).toBuffer();
      await expect(make(whole.subarray(0, Math.floor(whole.length / 2)))).rejects.toThrow('damaged');
      await expect(make(whole.subarray(0, 40))).rejects.toThrow('damaged');
    }
    await expect(make('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect')).rejects.toThrow('damaged');
  });

  it('use no more memory than the limit', async () => {
    const small = makerWith({ memoryBytes: 160 * 2 ** 20 });
    expect(await make(await plain(600, 300).png().toBuffer(), small)).toMatchObject({ mimeType: 'image/jpeg' });
    // Every pixel is in memory before the first row is complete.
    const interlaced = await plain(7000, 7000).png({ progressive: true }).toBuffer();
    await expect(make(interlaced, small)).rejects.toThrow('too much memory');
    expect(await make(await plain(600, 300).png().toBuffer(), small)).toMatchObject({ mimeType: 'image/jpeg' });
  });

  it('are refused when the limit is zero', async () => {
    await expect(make(await plain(10, 10).png().toBuffer(), makerWith({ memoryBytes: 0 }))).rejects.toThrow('this server makes none');
  });

  it('take no more time than the limit', async () => {
    const filters = '<feTurbulence baseFrequency="0.05" numOctaves="10"/><feGaussianBlur stdDeviation="50"/>'.repeat(500);
    const drawing = svg(
      `<filter id="f" x="0" y="0" width="1" height="1">${filters}</filter><rect width="100" height="100" filter="url(#f)"/>`,
    );
    await expect(make(drawing, makerWith({ timeMs: 1000 }))).rejects.toThrow('longer than 1 s');
    expect(await make(svg('<rect width="100" height="100"/>'))).toMatchObject({ mimeType: 'image/png' });
  });

  it('are refused for an SVG with a million nested references', async () => {
    const entities = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(12)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "lol">${entities}]>${svg('<text>&e12;</text>')}`;
    await expect(make(bomb)).rejects.toThrow(/damaged|too much memory|longer than/);
  });

  it('ignore external references of an SVG and send no request for them', async () => {
    let asked = 0;
    const server = createServer((_, answer) => {
      asked += 1;
      answer.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const secret = join(folder, 'secret.png');
    await plain(100, 100).png().toFile(secret);
    const inside = await plain(10, 10).png().toBuffer();
    try {
      for (const address of [`http://127.0.0.1:${port}/a.png`, pathToFileURL(secret).href, secret, 'secret.png']) {
        const drawing = svg(
          `<rect width="100" height="100" fill="white"/><image href="${address}" width="100" height="100"/><image xlink:href="${address}" width="100" height="100"/>
           <style>@import url("${address}");</style>`,
        );
        near((await look(await make(drawing), [0.5, 0.5])).colours[0], { r: 255, g: 255, b: 255 });
      }
      const own = `<image href="data:image/png;base64,${inside.toString('base64')}" width="100" height="100"/>`;
      near((await look(await make(svg(own)), [0.5, 0.5])).colours[0], RED);
      expect(asked).toBe(0);
    } finally {
      server.close();
    }
  });

  it('are unavailable without the image library, and everything else works [D6.6]', async () => {
    // The program finds no packages from this folder.
    const script = join(folder, 'image-process.ts');
    await copyFile(new URL('./image-process.ts', import.meta.url), script);
    const without = makerWith({}, pathToFileURL(script));
    await expect(make(await plain(10, 10).png().toBuffer(), without)).rejects.toThrow('this server cannot read images');
  });

  it('are not started after an abort', async () => {
    const path = join(folder, 'x.upload');
    await writeFile(path, await plain(10, 10).png().toBuffer());
    await expect(maker.make({ path, kind: 'png' }, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

/** A PNG that declares this size and has the pixels of its first rows at most. */
function emptyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
