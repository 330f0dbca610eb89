import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** Windows of a desk, a laptop, a tablet and a phone, px. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 820, height: 1100 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark'];
const QUALITY = 35;
/** The whole folder: more would make every clone of the repository slow. */
const MAX_BYTES = 12_000_000;
const WORLDS = { door: 'The car door', factory: 'The factory' };

const fileOf = (world, { name }, { width }, theme) => `${world}/${name}-${width}-${theme}.webp`;

/** Takes pictures of pages in all sizes and both themes. */
export async function takePagePictures({ page, url, world, pages, folder, sharp, contentShown }) {
  mkdirSync(join(folder, world), { recursive: true });
  for (const each of pages) {
    await page.setViewportSize(SIZES[0]);
    await page.goto(`${url}/console/${each.path}`);
    // Previews come after the content.
    await page.waitForLoadState('networkidle');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const theme of THEMES) {
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        await contentShown(page);
        await sharp(await page.screenshot())
          .webp({ quality: QUALITY, effort: 4 })
          .toFile(join(folder, fileOf(world, each, size, theme)));
      }
    }
    console.log(`${world}/${each.name}`);
  }
}

/** Writes the page that shows the pictures. @throws Error where they are too large together */
export async function writePicturesPage(folder, worlds) {
  const lines = [
    '# The pages of the console',
    '',
    'Every page on the two worlds of the demo, in four sizes and both themes, as `npm run pictures pages` takes them.',
    '[The console](../console.md) says what the pages do.',
  ];
  for (const [world, pages] of Object.entries(worlds)) {
    lines.push('', `## ${WORLDS[world]}`);
    for (const each of pages) {
      lines.push('', `### ${each.title}`, '', `|  | ${SIZES.map(({ width }) => `${width} px`).join(' | ')} |`);
      lines.push(`| --- | ${SIZES.map(() => '---').join(' | ')} |`);
      for (const theme of THEMES) {
        const cells = SIZES.map((size) => `![${each.title}, ${size.width} px, ${theme}](${fileOf(world, each, size, theme)})`);
        lines.push(`| ${theme} | ${cells.join(' | ')} |`);
      }
    }
  }
  const file = join(folder, 'README.md');
  writeFileSync(file, await format(lines.join('\n'), { ...(await resolveConfig(file)), parser: 'markdown' }));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  if (bytes > MAX_BYTES) throw new Error(`the pictures of the pages have ${bytes} bytes; at most ${MAX_BYTES} are allowed`);
  console.log(`${files.length} files, ${Math.round(bytes / 1000)} kB`);
}
