import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describeUnless } from '@sinebar/testing';

const ROOT = join(import.meta.dirname, '../../../..');
const STORED = join(ROOT, 'docs/pictures');
/** Pictures as they were taken are kept here, so that they can be looked at. */
const TAKEN = join(ROOT, '.cache/pictures');
/** Edge of the squares that are compared by their mean brightness, in pixels: edges of letters differ between machines. */
const SQUARE = 8;
/** Difference in brightness, of 255, from which a square counts as different. */
const VISIBLE = 24;

/** The font of the stored pictures, where Debian's package fonts-liberation has it. */
const FONT = '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf';

/** A `describe` for pages that are compared as pictures; without the font of the stored ones it is skipped, with a line on stderr. */
export function describeWithFont(name: string, fn: () => void): void {
  describeUnless(existsSync(FONT) ? undefined : 'no Liberation Sans; Debian: apt-get install fonts-liberation', name, fn);
}

/**
 * Compares a picture with the one of that name in the documentation.
 * @returns the share of its squares whose brightness differs visibly; 1 where the sizes differ
 */
export async function differenceFromStored(name: string, taken: Buffer): Promise<number> {
  mkdirSync(TAKEN, { recursive: true });
  writeFileSync(join(TAKEN, `${name}.png`), taken);
  const [before, after] = await Promise.all([squares(join(STORED, `${name}.png`)), squares(taken)]);
  if (before.width !== after.width || before.height !== after.height) return 1;
  const different = after.brightness.filter((brightness, i) => Math.abs(brightness - before.brightness[i]!) > VISIBLE).length;
  return different / after.brightness.length;
}

async function squares(picture: string | Buffer): Promise<{ width: number; height: number; brightness: number[] }> {
  const { data, info } = await sharp(picture).flatten().greyscale().raw().toBuffer({ resolveWithObject: true });
  const [width, height] = [Math.floor(info.width / SQUARE), Math.floor(info.height / SQUARE)];
  const brightness = Array.from({ length: width * height }, (_, square) => {
    const [left, top] = [(square % width) * SQUARE, Math.floor(square / width) * SQUARE];
    let sum = 0;
    for (let y = top; y < top + SQUARE; y += 1) {
      for (let x = left; x < left + SQUARE; x += 1) sum += data[(y * info.width + x) * info.channels]!;
    }
    return sum / SQUARE ** 2;
  });
  return { width, height, brightness };
}
