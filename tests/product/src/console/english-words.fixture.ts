import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../../../..');
/** Sources with texts of the console. */
const SOURCES = '{apps/console,packages/charts}/src/**/*.{ts,tsx}';

/** Words of a German page that look English: names of products, methods and formats, and words of both languages that one table lacks. */
const ALLOWED = new Set([
  'sinebar',
  'postgresql',
  'nats',
  'jetstream',
  'minio',
  'openapi',
  'excel',
  'parquet',
  'csv',
  'pdf',
  'curl',
  'python',
  'javascript',
]);

const WORD = /[a-zäöüß]{3,}/g;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORD));
}

/** Texts between quotation marks, without what functions put into them. */
function literalsOf(source: string): string {
  const literals = source.match(/'(?:[^'\\\n]|\\.)*'|`[^`]*`|"(?:[^"\\\n]|\\.)*"/g) ?? [];
  return literals.map((literal) => literal.replaceAll(/\$\{[^}]*\}/g, ' ')).join(' ');
}

/** Words that the English texts of the console have, and the German ones do not. */
function englishWords(): ReadonlySet<string> {
  const words = { en: new Set<string>(), de: new Set<string>() };
  for (const file of globSync(SOURCES, { cwd: ROOT })) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    // A block ends where the line of its closing bracket has its indentation.
    for (const [, indentation, language, block] of source.matchAll(/^( +)(en|de): \{\n([\s\S]*?)^\1\}/gm)) {
      if (indentation === undefined || language === undefined) continue;
      for (const word of wordsOf(literalsOf(block ?? ''))) words[language as 'en' | 'de'].add(word);
    }
    for (const [, language, text] of source.matchAll(/\b(en|de): ('(?:[^'\\\n]|\\.)*')/g)) {
      for (const word of wordsOf(text ?? '')) words[language as 'en' | 'de'].add(word);
    }
  }
  return new Set([...words.en].filter((word) => !words.de.has(word) && !ALLOWED.has(word)));
}

/** Texts that a reader sees or hears; programs and keys are the same in every language. */
const VISIBLE = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent && !parent.closest('code, pre, kbd, script, style, [lang]:not(html)') && parent.getClientRects().length > 0) texts.push(node.data);
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
  }
  return texts;
})()`;

/**
 * Makes a search for texts of a German page with English words.
 * @param names of what is stored, whose words are no texts of the page
 */
export function englishTextsIn(names: readonly string[]): (page: Page) => Promise<string[]> {
  const stored = wordsOf(names.join(' '));
  const english = new Set([...englishWords()].filter((word) => !stored.has(word)));
  return async (page) => {
    const texts = await page.evaluate<string[]>(VISIBLE);
    return [...new Set(texts)].filter((text) => [...wordsOf(text)].some((word) => english.has(word)));
  };
}

/** What a world calls its items, attributes, entries and files: answers of the interface that hold names. */
export function storedNames(url: string): Promise<string[]> {
  const addresses = [
    'dataServiceRest/inspectionPlanItems',
    'dataServiceRest/configuration',
    'dataServiceRest/catalogs',
    ...['part', 'characteristic', 'measurement', 'value'].map((entity) => `rawDataServiceRest/rawDataInformation/${entity}`),
  ];
  return Promise.all(addresses.map(async (address) => (await fetch(`${url}/${address}`)).text()));
}
