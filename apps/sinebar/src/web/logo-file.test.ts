import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLogo } from './logo-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinebar-logo-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string | Buffer): string {
  const path = join(folder, 'logo');
  writeFileSync(path, content);
  return path;
}

describe('the file of a logo', () => {
  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['\uFEFF<?xml version="1.0"?>\n<!-- a mark -->\n<!DOCTYPE svg>\n<svg>', 'image/svg+xml'],
    [Buffer.from('\x89PNG\r\n\x1a\nIHDR', 'latin1'), 'image/png'],
  ])('is known by its first bytes: %#', (content, type) => expect(readLogo(file(content)).type).toBe(type));

  it.each([
    ['<html><svg></svg></html>', /neither a PNG nor an SVG/],
    ['', /neither a PNG nor an SVG/],
    [Buffer.from('ÿØÿà', 'latin1'), /neither a PNG nor an SVG/],
    [`<svg>${' '.repeat(256 * 1024)}</svg>`, /has 262155 bytes; a logo has at most 262144/],
  ])('is refused with a sentence: %#', (content, sentence) => expect(() => readLogo(file(content))).toThrow(sentence));

  it('is refused where there is none, or a folder', () => {
    expect(() => readLogo(join(folder, 'none'))).toThrow(/none cannot be read \(ENOENT\)/);
    expect(() => readLogo(folder)).toThrow(/ cannot be read \(EISDIR\)/);
  });
});
