import { readFile, writeFile } from 'node:fs/promises';
import type sharpLibrary from 'sharp';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { ImageJob, ImageLimits, ImageOutcome } from './image-job.js';

/**
 * The program that decodes images, a process of its own: what a hostile image does to it (a crash, endless work, all memory) it does to nothing else.
 * It is started without environment variables, answers one job at a time and ends with its parent.
 */

/** Longest edge of a thumbnail, pixels. */
const EDGE = 256;
const JPEG_QUALITY = 80;
const LOOK_AT_MEMORY_MS = 20;
/** Of SVG as it is written; the length of a drawing does not matter, since it is drawn as large as the thumbnail. */
const SVG_DENSITY = { written: 72, least: 1, most: 72 * 256 };

/** Everything else that the library could read is turned off. SVG comes as a buffer: without a place of its own it refers to no file beside it. */
const LOADERS = [
  ...['Jpeg', 'Png', 'Nsgif', 'Webp', 'Tiff', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
  'VipsForeignLoadSvgBuffer',
];

type Library = typeof sharpLibrary;

/** Where Linux reads whom it should end first when memory runs out: not the service that started this. Elsewhere there is no such file. */
const OOM_SCORE = { path: '/proc/self/oom_score_adj', first: '1000' };

const limits = JSON.parse(process.argv[2] ?? '{}') as ImageLimits;
const library = load();
writeFile(OOM_SCORE.path, OOM_SCORE.first).catch(() => undefined);

process.on('message', (job: ImageJob) => void answer(job).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => process.exit());
setInterval(() => {
  // Not `exit`: that would wait for the work that runs.
  if (process.memoryUsage.rss() > limits.memoryBytes) process.kill(process.pid, 'SIGKILL');
}, LOOK_AT_MEMORY_MS).unref();

/** @returns `undefined` on a platform for which there is no build of the library */
async function load(): Promise<Library | undefined> {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    return sharp;
  } catch {
    return undefined;
  }
}

async function answer(job: ImageJob): Promise<ImageOutcome> {
  const sharp = await library;
  if (!sharp) return { refused: 'unsupported' };
  try {
    return await thumbnail(job.kind === 'svg' ? await openSvg(sharp, job.path) : await openImage(sharp, job.path));
  } catch (error) {
    return { refused: /pixel limit/i.test(String(error)) ? 'pixels' : 'damaged' };
  }
}

interface Opened {
  image: Sharp;
  metadata: Metadata;
}

function options(): SharpOptions {
  return { limitInputPixels: limits.pixels, failOn: 'error' };
}

async function openImage(sharp: Library, path: string): Promise<Opened> {
  const image = sharp(path, options());
  return { image, metadata: await image.metadata() };
}

async function openSvg(sharp: Library, path: string): Promise<Opened> {
  const text = await readFile(path);
  const metadata = await sharp(text, { ...options(), limitInputPixels: false }).metadata();
  const wanted = (SVG_DENSITY.written * EDGE) / Math.max(metadata.width, metadata.height, 1);
  const density = Math.min(Math.max(wanted, SVG_DENSITY.least), SVG_DENSITY.most);
  return { image: sharp(text, { ...options(), density }), metadata };
}

/** Of several pictures (animation, pages) the first, upright, in 8 bits of sRGB, without anything else that the file says. */
async function thumbnail({ image, metadata }: Opened): Promise<ImageOutcome> {
  const small = image.autoOrient().resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true }).toColourspace('srgb');
  return metadata.hasAlpha
    ? { bytes: await small.png().toBuffer(), mimeType: 'image/png' }
    : { bytes: await small.jpeg({ quality: JPEG_QUALITY }).toBuffer(), mimeType: 'image/jpeg' };
}
