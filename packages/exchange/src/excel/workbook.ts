import { UnreadableFileError } from '../problems.ts';
import type { PackageParts } from './package-parts.ts';
import { parseXml } from './xml-pieces.ts';

/** Limits of what is kept in memory, so that a damaged file takes none. */
const MAX_STRINGS_LENGTH = 64 * 1024 * 1024;
const MAX_STRINGS = 2_000_000;
const MAX_SHEETS = 1000;
/** Excel has at most 65,490 formats. */
const MAX_STYLES = 100_000;

export interface SheetName {
  name: string;
  /** Part of the workbook. */
  part: string;
}

/** A workbook without its sheets. */
export interface Workbook {
  sheets: readonly SheetName[];
  /** Whether days are counted from 1904. */
  is1904: boolean;
  /** Parts with the texts and the formats of cells. */
  strings: string | undefined;
  styles: string | undefined;
}

/** Reads the names of the sheets in their order, and where the other parts are. */
export async function readWorkbook(parts: PackageParts): Promise<Workbook> {
  const start = (await parts.relations('')).find(({ type }) => type === 'officeDocument')?.part ?? 'xl/workbook.xml';
  if (!parts.has(start)) throw new Error('it has no workbook');
  const relations = await parts.relations(start);
  const partById = new Map(relations.map(({ id, part }) => [id, part]));
  const sheets: SheetName[] = [];
  let is1904 = false;
  await parseXml(parts.bytes(start), {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      sheets.push({ name: attributes['name'] ?? '', part: partById.get(id) ?? '' });
      if (sheets.length > MAX_SHEETS) {
        throw new UnreadableFileError({ message: `The workbook has more than ${MAX_SHEETS} sheets. Save the sheet as a file of its own.` });
      }
    },
  });
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.part;
  return { sheets, is1904, strings: partOf('sharedStrings'), styles: partOf('styles') };
}

/** Reads the texts to which cells refer. */
export async function readSharedStrings(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const strings: string[] = [];
  let length = 0;
  let current: string | undefined;
  let isText = false;
  let isPhonetic = false;
  await parseXml(bytes, {
    open: (name) => {
      if (name === 'si') current = '';
      else if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (text) => {
      if (!isText || current === undefined) return;
      length += text.length;
      if (length > MAX_STRINGS_LENGTH) throw tooLarge('texts');
      current += text;
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      if (strings.length >= MAX_STRINGS) throw tooLarge('texts');
      strings.push(unescaped(current ?? ''));
      current = undefined;
    },
  });
  return strings;
}

/** Reads which cell formats show a date or a time. */
export async function readTimeStyles(bytes: AsyncIterable<Uint8Array>): Promise<Set<number>> {
  const timeFormats = new Set<number>();
  for (const [first, last] of [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ] as const)
    for (let id = first; id <= last; id += 1) timeFormats.add(id);
  const styles = new Set<number>();
  let inCellFormats = false;
  let index = 0;
  await parseXml(bytes, {
    open: (name, attributes) => {
      if (name === 'numFmt' && isTimeFormat(attributes['formatCode'] ?? '')) timeFormats.add(Number(attributes['numFmtId']));
      else if (name === 'cellXfs') inCellFormats = true;
      else if (name === 'xf' && inCellFormats) {
        if (timeFormats.has(Number(attributes['numFmtId']))) styles.add(index);
        index += 1;
      }
      if (timeFormats.size + index > MAX_STYLES) throw tooLarge('formats');
    },
    close: (name) => {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return styles;
}

/**
 * Whether a format has a part of a date outside of quotes, brackets and escapes; `[h]` counts hours and is none.
 * `_D` leaves the width of a letter free, and `*d` fills with it.
 */
function isTimeFormat(code: string): boolean {
  return /[ymdhs]/i.test(
    code
      .slice(0, 1000)
      .replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '')
      .replace(/general|e[+-]/gi, ''),
  );
}

/** Reads `_x000D_` and the like, with which Excel writes characters that XML does not have. */
export function unescaped(text: string): string {
  return text.includes('_x') ? text.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text;
}

export function tooLarge(what: string, line?: number): UnreadableFileError {
  return new UnreadableFileError({
    ...(line !== undefined && { line }),
    message: `The ${what} of the sheet are too large. Save it as CSV, or divide it.`,
  });
}
