import { posix } from 'node:path';
import { addressOf } from './markdown.mjs';

/** Policy of pages: they load only files of the site, no other address and no code inside of a page. */
const POLICY = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "base-uri 'none'", "form-action 'none'"];

const MARK =
  '<svg viewBox="0 0 24 20" aria-hidden="true" width="24" height="20" fill="currentColor"><path d="M1 18h22v1.5H1zM15.6 11.6h5.8v5.2h-5.8z"/>' +
  '<circle cx="5" cy="14.4" r="2.4"/><circle cx="18.5" cy="8.2" r="2.4"/>' +
  '<path d="M1.6 12 20.9 3.1l1.2 2.5L2.8 14.5z" transform="translate(-.4 -2.6)"/></svg>';

export const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]);

/**
 * Draws a page of the site around its content.
 * @param {{ file: string, title: string, html: string, sections: import('./markdown.mjs').Section[] }} page
 * @param {{ topics: import('./navigation.mjs').Topic[], version: string, source?: string }} site
 */
export function layoutPage({ file, title, html, sections }, { topics, version, source }) {
  const root = posix.relative(posix.dirname(addressOf(file)), '.') || '.';
  const linkTo = (target) => `${root}/${addressOf(target)}`;
  const pages = topics.flatMap(({ pages: listed }) => listed);
  const position = pages.findIndex((page) => page.file === file);
  const neighbours = position === -1 ? [] : [pages[position - 1], pages[position + 1]];
  const name = file === 'README.md' ? 'Sinebar: documentation' : `${title} · Sinebar`;
  return `<!doctype html>
<html lang="en" data-root="${root}/">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="node scripts/launch.mjs docs-site">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="${root}/theme/icon.svg">
<link rel="stylesheet" href="${root}/theme/site.css">
<script src="${root}/theme/theme.js"></script>
<script src="${root}/theme/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${linkTo('README.md')}">${MARK} Sinebar</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<div id="found" hidden></div>
<p id="count" class="hidden" role="status"></p>
</div>
<button id="theme" type="button" hidden>Theme</button>
<button id="menu" type="button" aria-expanded="false" aria-controls="navigation" hidden>Menu</button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Pages">
${topics.map((topic, index) => topicHtml(topic, { file, linkTo, isFirst: index === 0 })).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
${neighboursHtml(neighbours, linkTo)}
<footer>Sinebar ${escapeHtml(version)}${source === undefined ? '' : ` · <a href="${escapeHtml(source + file)}">source of this page</a>`}</footer>
</main>
${outlineHtml(sections)}
</div>
</body>
</html>
`;
}

function topicHtml({ title, pages }, { file, linkTo, isFirst }) {
  const items = pages.map((page) => {
    const current = page.file === file ? ' aria-current="page"' : '';
    return `<li><a href="${linkTo(page.file)}"${current}>${escapeHtml(page.title)}</a></li>`;
  });
  const isOpen = isFirst || pages.some((page) => page.file === file);
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`;
}

function neighboursHtml([before, after], linkTo) {
  const link = (page, label) => (page === undefined ? '' : `<a href="${linkTo(page.file)}">${label}: ${escapeHtml(page.title)}</a>`);
  const links = [link(before, 'Before'), link(after, 'Next')].filter((html) => html !== '');
  return links.length === 0 ? '' : `<nav class="neighbours" aria-label="Before and next">${links.join('')}</nav>`;
}

function outlineHtml(sections) {
  const listed = sections.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return '';
  const items = listed.map(
    ({ id, title, level }) => `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}
