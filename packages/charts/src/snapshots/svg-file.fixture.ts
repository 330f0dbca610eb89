import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sources of the page, whose style sheets give the roles of shapes their looks. */
const SOURCE = join(import.meta.dirname, '../../../../apps/console/src');
const TOKENS = tokensOf(readFileSync(join(SOURCE, 'design/styles/tokens.css'), 'utf8'));
/** Longest line of a path. */
const COLUMNS = 120;

/** Style sheets of the page with roles of shapes, in the order in which it loads them. */
const SHEETS = [
  'design/status/glyph.module.css',
  'charts/drawing/drawing.module.css',
  ...['capability/capability', 'comparison/comparison', 'groups/groups', 'small/small'].map((name) => `charts/${name}.module.css`),
];

/** Writes the markup of a drawing as a file that people look at and compare: an element for each line, and the rules of its classes. */
export function svgFileOf(markup: string, sheet: string | undefined): string {
  const sheets = [...SHEETS.slice(0, 2), ...(sheet === undefined ? [] : [sheet])];
  const rules = sheets.flatMap((each) => rulesOf(readFileSync(join(SOURCE, each), 'utf8'), classesIn(markup)));
  const style = ['<style>', `svg { background: ${TOKENS.get('--paper')}; }`, ...rules, '</style>'].map((line) => `  ${line}`);
  const [head = '', ...elements] = linesOf(markup);
  return [head, ...style, ...elements, ''].join('\n');
}

/** Writes the module with the looks of all classes in markup, as the page has them in its light colours. */
export function lightSheetFileOf(markup: string): string {
  const rules = SHEETS.flatMap((sheet) => rulesOf(readFileSync(join(SOURCE, sheet), 'utf8'), classesIn(markup)));
  return [
    '/** Looks of the roles in the light colours of the console, for `svgOf`; the test of the drawings writes them from its style sheets. */',
    'export const LIGHT_SHEET = `',
    ...rules,
    '`;',
    '',
  ].join('\n');
}

function classesIn(markup: string): Set<string> {
  return new Set([...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.trim().split(/\s+/)));
}

/** Breaks markup before each element, and texts stay with theirs. */
function linesOf(markup: string): string[] {
  let depth = 0;
  return markup
    .replaceAll(/<(path|circle|text|g)([^>]*)><\/\1>/g, '<$1$2/>')
    .split(/(?<=>)(?=<)/)
    .flatMap((element) => {
      if (element.startsWith('</')) depth -= 1;
      const indent = '  '.repeat(depth);
      if (!/^<\/|\/>$|<\/[a-z]+>$/.test(element)) depth += 1;
      return wrapped(element).map((line) => indent + line);
    });
}

/** Breaks a long path before its strokes. */
function wrapped(element: string): string[] {
  const [, start, strokes, end] = /^(<path.* d=")([^"]*)(".*)$/.exec(element) ?? [];
  if (strokes === undefined || element.length <= COLUMNS) return [element];
  const lines = [start!];
  for (const stroke of strokes.split(/(?=[ML])/)) {
    if (lines.at(-1)!.length + stroke.length > COLUMNS) lines.push('  ');
    lines[lines.length - 1] += stroke;
  }
  lines[lines.length - 1] += end!;
  return lines;
}

/** Custom properties of the light theme by their names. */
function tokensOf(sheet: string): Map<string, string> {
  const [root = ''] = /:root\s*\{[^}]*\}/.exec(withoutComments(sheet)) ?? [];
  const tokens = [...root.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value] as const);
  return new Map(tokens.map(([name, value]) => [name, value.replace(/^light-dark\((.+), .+\)$/, '$1')]));
}

/** Rules of a sheet whose selectors name only these classes, one for each line, with the values of tokens. */
function rulesOf(sheet: string, classes: ReadonlySet<string>): string[] {
  return [...withoutComments(sheet).matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors = '', body = '']) => {
    const used = selectors
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) => [...selector.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name)));
    if (used.length === 0) return [];
    const values = body.replaceAll(/var\((--[\w-]+)\)/g, (_, token: string) => TOKENS.get(token) ?? '').replaceAll(/\s+/g, ' ');
    return [`${used.join(', ')} {${values}}`];
  });
}

function withoutComments(sheet: string): string {
  return sheet.replaceAll(/\/\*.*?\*\//gs, '');
}
