import { readFileSync, statSync } from 'node:fs';
import { errorCode } from '@sinebar/concurrency';
import { defineSettings, settingType } from '@sinebar/runtime';
import { staticFile, type StaticFile } from './static-files.ts';

export const webSettings = defineSettings({
  SINEBAR_LOGO: {
    schema: settingType.optionalText().superRefine((path, context) => {
      try {
        if (path !== undefined) readLogo(path);
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : String(error));
      }
    }),
    description:
      'path of a PNG or SVG file of at most 256 KiB that the console shows as its logo, also on paper, and a PNG on reports; read at start',
  },
});

const MAX_BYTES = 256 * 1024;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** An SVG document: declaration, comments and document type may stand before its root. */
const SVG = /^\uFEFF?(\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>)*<svg[\s>]/i;

/** Reads the logo of the console; its first bytes tell what it is. @throws Error for a file that cannot be shown */
export function readLogo(path: string): StaticFile {
  const bytes = bytesOf(path);
  if (bytes.subarray(0, PNG.length).equals(PNG)) return staticFile('logo.png', bytes);
  if (SVG.test(bytes.toString('utf8'))) return staticFile('logo.svg', bytes);
  throw new Error(`${path} is neither a PNG nor an SVG file`);
}

/** Reads the logo for reports, which take no SVG. */
export function pngLogo({ SINEBAR_LOGO: path }: { SINEBAR_LOGO?: string | undefined }): Uint8Array | undefined {
  const bytes = path === undefined ? undefined : bytesOf(path);
  return bytes?.subarray(0, PNG.length).equals(PNG) ? bytes : undefined;
}

function bytesOf(path: string): Buffer {
  let size: number;
  try {
    ({ size } = statSync(path));
    if (size <= MAX_BYTES) return readFileSync(path);
  } catch (error) {
    throw new Error(`${path} cannot be read (${errorCode(error) ?? String(error)})`, { cause: error });
  }
  throw new Error(`${path} has ${size} bytes; a logo has at most ${MAX_BYTES}`);
}
