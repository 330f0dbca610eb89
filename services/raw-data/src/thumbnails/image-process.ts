import { readFile, writeFile } from 'node:fs/promises';
import type sharpLibrary from 'sharp';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { ImageJob, ImageLimits, ImageOutcome } from './image-job.ts';

/**
 * Decodes images in its own process, so that a hostile image (a crash, an endless loop, all memory) affects nothing else.
 * It starts without environment variables, runs one job at a time and ends with its parent.
 */

/** Longest edge of a thumbnail, pixels. */
const EDGE = 256;
/** Ways to draw a drawing, the best first: the first that is small enough counts. Edges in pixels; the first quality is that of PNG. */
const DRAWING_EDGE = 2400;
const DRAWINGS = [
  { edge: DRAWING_EDGE, quality: 'png' },
  { edge: DRAWING_EDGE, quality: 80 },
  { edge: 1800, quality: 75 },
  { edge: 1200, quality: 65 },
  { edge: 800, quality: 50 },
] as const;
const JPEG_QUALITY = 80;
const LOOK_AT_MEMORY_MS = 20;
/** Resolutions for SVG, which is drawn at the size of the thumbnail. */
const SVG_DENSITY = { written: 72, least: 1, most: 72 * 256 };

/** Turns off all other formats of the library. SVG is read from a buffer: without a path it cannot refer to files beside it. */
const LOADERS = [
  ...['Jpeg', 'Png', 'Nsgif', 'Webp', 'Tiff', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
  'VipsForeignLoadSvgBuffer',
];

type Library = typeof sharpLibrary;

/** Makes Linux end this process first when memory runs out, not its parent. The file exists on Linux only. */
const OOM_SCORE = { path: '/proc/self/oom_score_adj', first: '1000' };

const limits = JSON.parse(process.argv[2] ?? '{}') as ImageLimits;
const library = load();
writeFile(OOM_SCORE.path, OOM_SCORE.first).catch(() => undefined);

process.on('message', (job: ImageJob) => void answer(job).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => process.exit());
setInterval(() => {
  // `exit` would wait for the running work.
  if (process.memoryUsage.rss() > limits.memoryBytes) process.kill(process.pid, 'SIGKILL');
}, LOOK_AT_MEMORY_MS).unref();

/** @returns `undefined` on a platform without a build of the library */
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
    const edge = job.maxBytes === undefined ? EDGE : DRAWING_EDGE;
    const opened = job.kind === 'svg' ? await openSvg(sharp, job.path, edge) : await openImage(sharp, job.path);
    return job.maxBytes === undefined ? await thumbnail(opened) : await drawing(opened, job.maxBytes);
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

async function openSvg(sharp: Library, path: string, edge: number): Promise<Opened> {
  const text = await readFile(path);
  const metadata = await sharp(text, { ...options(), limitInputPixels: false }).metadata();
  const wanted = (SVG_DENSITY.written * edge) / Math.max(metadata.width, metadata.height, 1);
  const density = Math.min(Math.max(wanted, SVG_DENSITY.least), SVG_DENSITY.most);
  return { image: sharp(text, { ...options(), density }), metadata };
}

/** Renders the first picture of an animation or of several pages, upright, in 8 bits of sRGB, without metadata. */
async function thumbnail({ image, metadata }: Opened): Promise<ImageOutcome> {
  const small = image.autoOrient().resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true }).toColourspace('srgb');
  return metadata.hasAlpha
    ? { bytes: await small.png().toBuffer(), mimeType: 'image/png' }
    : { bytes: await small.jpeg({ quality: JPEG_QUALITY }).toBuffer(), mimeType: 'image/jpeg' };
}

/** Renders a drawing as {@link thumbnail} does, on white, in the best way that has at most `maxBytes`. */
async function drawing({ image }: Opened, maxBytes: number): Promise<ImageOutcome> {
  const upright = image.autoOrient().flatten({ background: 'white' }).toColourspace('srgb');
  for (const { edge, quality } of DRAWINGS) {
    const sized = upright.clone().resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
    const isPng = quality === 'png';
    const bytes = isPng
      ? await sized.png({ palette: true, effort: 1, compressionLevel: 9 }).toBuffer()
      : await sized.jpeg({ quality }).toBuffer();
    if (bytes.length <= maxBytes) return { bytes, mimeType: isPng ? 'image/png' : 'image/jpeg' };
  }
  return { refused: 'pixels' };
}
