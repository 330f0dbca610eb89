import { posix } from 'node:path';
import markdownIt from 'markdown-it';

/** Headings of these levels are sections of the search. */
const SECTION_LEVELS = ['h1', 'h2', 'h3'];

/** @typedef {{ id: string, title: string, level: number, text: string }} Section text is what stands below the heading, without markup */
/** @typedef {(target: string) => string | undefined} Resolve returns the address for the target of a link, or nothing if it has none here */

/**
 * Renders a document.
 * @param {string} text
 * @param {{ resolve: Resolve }} options
 * @returns {{ html: string, title: string, sections: Section[], ids: Set<string>, links: string[] }} links are the addresses of all links
 * and images
 */
export function renderMarkdown(text, { resolve }) {
  const markdown = markdownIt({ linkify: true });
  // Only addresses that are written out, as on GitHub: no names of files that end like a domain.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  drawTables(markdown);
  const tokens = markdown.parse(text, {});
  const { sections, ids } = addAnchors(tokens, markdown);
  const links = resolveLinks(tokens, resolve);
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { html, title: sections[0]?.title ?? '', sections, ids, links };
}

/** Returns the anchor that GitHub gives to a heading. */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Wide tables scroll in a box of their own; the page does not. */
function drawTables(markdown) {
  markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
}

/** Gives each heading its anchor, with a link to it, and collects the sections below the headings. */
function addAnchors(tokens, markdown) {
  const ids = new Set();
  const counts = new Map();
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1];
      const title = plainText(inline);
      const slug = slugOf(title);
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      const id = count === 0 ? slug : `${slug}-${count}`;
      ids.add(id);
      token.attrSet('id', id);
      if (token.tag !== 'h1') inline.children.push(anchorTo(id, title, markdown, inline));
      if (SECTION_LEVELS.includes(token.tag)) sections.push({ id, title, level: Number(token.tag.slice(1)), text: '' });
    } else if (sections.length > 0 && tokens[index - 1]?.type !== 'heading_open') {
      if (token.type === 'inline') sections.at(-1).text += `${plainText(token)} `;
      else if (token.type === 'fence' || token.type === 'code_block') sections.at(-1).text += `${token.content} `;
    }
  }
  return { ids, sections: sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() })) };
}

function anchorTo(id, title, markdown, inline) {
  const { escapeHtml } = markdown.utils;
  const anchor = new inline.children[0].constructor('html_inline', '', 0);
  anchor.content = ` <a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to ${escapeHtml(title)}">#</a>`;
  return anchor;
}

function plainText(inline) {
  const texts = inline.children.map(({ type, content }) => {
    if (type === 'text' || type === 'code_inline' || type === 'image') return content;
    return type === 'softbreak' || type === 'hardbreak' ? ' ' : '';
  });
  return texts.join('');
}

/** Turns targets in the repository into addresses of the site; a link that leads nowhere here becomes text. */
function resolveLinks(tokens, resolve) {
  const links = [];
  for (const { children } of tokens) {
    const open = [];
    for (const token of children ?? []) {
      if (token.type === 'image') {
        const address = resolve(token.attrGet('src'));
        if (address !== undefined) links.push(address);
        token.attrSet('src', address ?? '');
        token.attrSet('loading', 'lazy');
      } else if (token.type === 'link_open') {
        const address = resolve(decodeURI(token.attrGet('href')));
        open.push(address !== undefined);
        if (address === undefined) token.hidden = true;
        else links.push(address);
        token.attrSet('href', encodeURI(address ?? ''));
      } else if (token.type === 'link_close' && open.pop() === false) token.hidden = true;
      if (token.hidden) Object.assign(token, { type: 'text', content: '', tag: '', nesting: 0 });
    }
  }
  return links;
}

/** Returns the address of a page of the site for a document: `docs/files.md` is `docs/files.html`, a README the index of its folder. */
export function addressOf(file) {
  const { dir, name } = posix.parse(file);
  return posix.join(dir, `${name === 'README' ? 'index' : name}.html`);
}
