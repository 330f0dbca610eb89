import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../bootstrap.mjs';

/** The table of contents, which people also read in the repository: its headings are topics, its lists their pages in order. */
const CONTENTS = 'docs/README.md';

/** @typedef {{ title: string, pages: { title: string, file: string }[] }} Topic files are paths from the root of the repository */

/**
 * Reads the topics of the site and their pages.
 * @param {string} [text] a table of contents
 * @returns {Topic[]}
 */
export function readNavigation(text = readFileSync(join(ROOT, CONTENTS), 'utf8')) {
  const topics = [];
  for (const line of text.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    const [, title, target] = /^- \[([^\]]+)\]\(([^)#]+)\)/.exec(line) ?? [];
    if (heading !== undefined) topics.push({ title: heading, pages: [] });
    else if (title !== undefined) topics.at(-1)?.pages.push({ title, file: posix.join(posix.dirname(CONTENTS), target) });
  }
  return topics;
}
