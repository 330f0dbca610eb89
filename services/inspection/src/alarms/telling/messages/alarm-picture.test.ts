import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const PICTURES = pathToFileURL(join(import.meta.dirname, 'alarm-picture.ts')).href;
const SVG = `const svg = (text) => '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">' +
  '<text x="5" y="20" font-family="system-ui, sans-serif" font-size="16">' + text + '</text></svg>';`;
/** Draws texts with a library, and prints whether the drawings are all different. */
const script = (load: string) => `${load} ${SVG}
  const drawn = [];
  for (const text of ['A', 'B', '20.1', '20.7', 'µ', 'Ü']) drawn.push((await pngOf(svg(text))).toString('base64'));
  console.log(new Set(drawn).size === drawn.length ? 'different' : 'alike');`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinebar-no-fonts-'));
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir></fontconfig>`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const drawn = async (load: string): Promise<string> => {
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(load)], {
    env,
    cwd: import.meta.dirname,
  });
  return stdout.trim();
};

it('draws letters on a machine without fonts', async () => {
  // The library alone draws the same box for every letter there.
  const alone = `import sharp from 'sharp'; const pngOf = (svg) => sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();`;
  expect(await drawn(alone)).toBe('alike');
  expect(await drawn(`import { pngOf } from '${PICTURES}';`)).toBe('different');
}, 60_000);
