import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderMarkdown, slugOf } from './markdown.mjs';
import { readNavigation } from './navigation.mjs';
import { buildSite, listDocuments } from './site.mjs';

const SOURCE = 'https://example.com/blob/v1/';

function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-site-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the links of a built site that lead to no page, or to no anchor of it. */
function deadLinks({ addresses, links }) {
  return links
    .map(({ from, to }) => {
      const [path, anchor] = to.split('#');
      const address = path === '' ? from : posix.join(posix.dirname(from), path);
      return { from, to, ids: addresses.get(address), anchor };
    })
    .filter(({ ids, anchor }) => ids === undefined || (anchor !== undefined && !ids.has(decodeURIComponent(anchor))))
    .map(({ from, to }) => `${from}: ${to}`);
}

describe('the site of the documentation', () => {
  it('has a page for each document, and no dead link or anchor', () => {
    withFolder((folder) => {
      const site = buildSite(folder);
      expect(site.pages).toBeGreaterThan(100);
      expect(site.links.length).toBeGreaterThan(500);
      expect(deadLinks(site)).toEqual([]);
    });
  });

  it('loads nothing from elsewhere, and leads to sources where their address is known', () => {
    withFolder((folder) => {
      buildSite(folder, { source: SOURCE });
      const page = readFileSync(join(folder, 'docs/observability.html'), 'utf8');
      expect(page).toContain(`href="${SOURCE}infra/observability/alerts.yml"`);
      expect(page).toContain(`href="${SOURCE}docs/observability.md"`);
      expect(page).toContain("default-src 'none'");
      expect(page.match(/(?:src|rel="stylesheet" href)="https?:/g)).toBeNull();
      buildSite(folder);
      expect(readFileSync(join(folder, 'docs/observability.html'), 'utf8')).not.toContain('alerts.yml"');
    });
  });

  it('lists every page of docs in the navigation, but decisions, once', () => {
    const listed = readNavigation().flatMap(({ pages }) => pages.map(({ file }) => file));
    const documents = listDocuments();
    const expected = documents.filter((file) => file.startsWith('docs/') && !/^docs\/(?:README\.md$|decisions\/\d)/.test(file));
    expect(expected.filter((file) => !listed.includes(file))).toEqual([]);
    expect(listed.filter((file) => !documents.includes(file))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('refuses to empty a folder that holds something else', () => {
    withFolder((folder) => {
      mkdirSync(join(folder, 'mine'));
      writeFileSync(join(folder, 'mine/thesis.txt'), 'work');
      const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'site.mjs'), join(folder, 'mine')], {
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      expect(stderr).toContain('is no site of the documentation. Name a new folder');
      expect(readFileSync(join(folder, 'mine/thesis.txt'), 'utf8')).toBe('work');
    });
  });
});

describe('a document', () => {
  const render = (text, resolve = (target) => target) => renderMarkdown(text, { resolve });

  it.each([
    ['What `npm test` does: 1, 2', 'what-npm-test-does-1-2'],
    ['Prüfmaße & C#', 'prüfmaße--c'],
    ['snake_case-and dash', 'snake_case-and-dash'],
  ])('gives the heading %j the anchor of GitHub', (heading, slug) => {
    expect([...render(`# ${heading}`).ids]).toEqual([slug]);
    expect(slugOf(heading.replaceAll('`', ''))).toBe(slug);
  });

  it('numbers equal headings', () => {
    expect([...render('# A\n\n## Use\n\n## Use').ids]).toEqual(['a', 'use', 'use-1']);
  });

  it('turns a link that leads nowhere here into text', () => {
    const { html, links } = render('See [the **file**](a.ts) and [b](b.md).', (target) => (target === 'b.md' ? 'b.html' : undefined));
    expect(html).toBe('<p>See the <strong>file</strong> and <a href="b.html">b</a>.</p>\n');
    expect(links).toEqual(['b.html']);
  });

  it('escapes markup, in its text and in its headings', () => {
    const { html } = render('# A\n\n## <img src=x onerror=alert(1)> "b"\n\n<script>alert(1)</script>');
    expect(html).not.toMatch(/<(?:img|script)/);
    expect(html).toContain('aria-label="Link to &lt;img src=x onerror=alert(1)&gt; &quot;b&quot;"');
  });

  it('has sections with the text below their headings', () => {
    const { sections } = render('# T\n\nIntro `code`.\n\n## S\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```sh\nnpm start\n```');
    expect(sections).toEqual([
      { id: 't', title: 'T', level: 1, text: 'Intro code.' },
      { id: 's', title: 'S', level: 2, text: 'a b 1 2 npm start' },
    ]);
  });
});
