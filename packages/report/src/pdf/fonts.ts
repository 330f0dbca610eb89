import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Names under which the fonts are registered. */
export const REGULAR = 'regular' as const;
export const STRONG = 'strong' as const;
export type Face = typeof REGULAR | typeof STRONG;

/** Files of the embedded fonts, by face. */
export type FontFiles = Readonly<Record<Face, Uint8Array>>;

/** Names of the files, which the release copies. */
const NAMES: Readonly<Record<Face, string>> = { regular: 'DejaVuSansCondensed.ttf', strong: 'DejaVuSansCondensed-Bold.ttf' };

/** Reads the fonts of reports. */
export function readFonts(): FontFiles {
  return { regular: readFileSync(fontFile('regular')), strong: readFileSync(fontFile('strong')) };
}

/** Finds the file of a font. A release has the fonts beside its modules. */
export function fontFile(face: Face): string {
  const name = NAMES[face];
  if (!import.meta.url.endsWith('.ts')) return join(import.meta.dirname, 'report-fonts', name);
  return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);
}
