// write-excel-file takes all rows at once and keeps them as objects. This writer makes the sheet while it is read, so that its memory does
// not grow with the rows (docs/decisions/0045-tables-and-background-imports.md).
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { OutputColumn, OutputRow, OutputTable } from '../table/output-table.ts';

/** Most rows of a sheet with the header row, as Excel limits them. */
export const MAX_XLSX_ROWS = 1_048_576;
const MAX_XLSX_COLUMNS = 16_384;
/** Most characters of a cell. */
const MAX_TEXT = 32_767;
const DAY_MS = 86_400_000;
/** Excel counts days from 1899-12-30; those before March 1900 differ, and negative ones are no dates. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);
/** Digits that a number of Excel keeps. */
const MAX_DIGITS = 15;
const TIME_STYLE = 1;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The small files of a workbook with one sheet. */
const FILES: Readonly<Record<string, string>> = {
  '[Content_Types].xml': xml(
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">',
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>`,
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`,
    '</Types>',
  ),
  '_rels/.rels': xml(
    `<Relationships xmlns="${PACKAGE_RELATIONS}">`,
    `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>`,
    '</Relationships>',
  ),
  'xl/workbook.xml': xml(
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">`,
    '<sheets><sheet name="Values" sheetId="1" r:id="rId1"/></sheets>',
    '</workbook>',
  ),
  'xl/_rels/workbook.xml.rels': xml(
    `<Relationships xmlns="${PACKAGE_RELATIONS}">`,
    `<Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>`,
    `<Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/>`,
    '</Relationships>',
  ),
  'xl/styles.xml': xml(
    `<styleSheet xmlns="${MAIN}">`,
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>',
    '<fonts count="1"><font/></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border/></borders>',
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>',
    '<cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>',
    '</styleSheet>',
  ),
};
const SHEET = 'xl/worksheets/sheet1.xml';

/**
 * Writes a table as an Excel workbook with one sheet. Times are those of UTC; numbers that a double cannot hold exactly stay texts.
 * @param modified date of the files in the workbook, so that the same table has the same bytes; now if it is left out
 * @throws RangeError there are more than {@link MAX_XLSX_ROWS} rows or {@link MAX_XLSX_COLUMNS} columns
 */
export async function* writeXlsx(table: OutputTable, modified = new Date()): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(FILES)) zip.addBuffer(Buffer.from(content), name, { mtime: modified });
  const sheet = Readable.from(encoded(sheetTexts(table)), { objectMode: false });
  const output = Readable.from(zip.outputStream);
  // The error of the rows ends the file.
  sheet.on('error', (error) => output.destroy(error));
  zip.addReadStream(sheet, SHEET, { mtime: modified });
  zip.end();
  try {
    for await (const chunk of output as AsyncIterable<Uint8Array>) yield chunk;
  } finally {
    sheet.destroy();
  }
}

function xml(...pieces: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${pieces.join('')}`;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

async function* sheetTexts({ columns, keyRow, rows }: OutputTable): AsyncGenerator<string> {
  if (columns.length > MAX_XLSX_COLUMNS) throw new RangeError(`A sheet has at most ${MAX_XLSX_COLUMNS} columns.`);
  const letters = columns.map((_, i) => columnLetters(i));
  const header = columns.map(({ name }, i) => textCell(`${letters[i]}1`, name)).join('');
  yield xml(`<worksheet xmlns="${MAIN}"><sheetData><row r="1">${header}</row>`);
  let number = 1;
  if (keyRow) {
    number += 1;
    yield `<row r="${number}">${keyRow.map((name, i) => textCell(`${letters[i]}${number}`, name)).join('')}</row>`;
  }
  for await (const batch of rows) {
    let text = '';
    for (const row of batch) {
      number += 1;
      if (number > MAX_XLSX_ROWS) throw new RangeError(`A sheet has at most ${MAX_XLSX_ROWS} rows.`);
      text += rowText(row, number, columns, letters);
    }
    if (text.length > 0) yield text;
  }
  yield '</sheetData></worksheet>';
}

function rowText(row: OutputRow, number: number, columns: readonly OutputColumn[], letters: readonly string[]): string {
  let text = `<row r="${number}">`;
  for (let i = 0; i < columns.length; i += 1) {
    const cell = row[i];
    if (cell !== undefined && cell.length > 0) text += cellText(`${letters[i]}${number}`, cell, (columns[i] as OutputColumn).type);
  }
  return `${text}</row>`;
}

function cellText(reference: string, text: string, type: OutputColumn['type']): string {
  if (type === 'number' && isExact(text)) return `<c r="${reference}"><v>${Number(text)}</v></c>`;
  if (type === 'time') {
    const time = Date.parse(text);
    if (time >= FIRST_MS) return `<c r="${reference}" s="${TIME_STYLE}"><v>${(time - EPOCH_MS) / DAY_MS}</v></c>`;
  }
  return textCell(reference, text);
}

/** Whether Excel keeps every digit of a number. */
function isExact(text: string): boolean {
  const digits = text.replace(/[eE].*$/, '').replace(/^[+-]?[0.]*|\.|[+-]/g, '');
  return digits.length <= MAX_DIGITS && Number.isFinite(Number(text));
}

function textCell(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_TEXT))}</t></is></c>`;
}

/** Characters that XML does not have, and the carriage return, which it would change. */
// oxlint-disable-next-line no-control-regex -- these are the characters to escape
const CONTROL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes markup; characters that XML does not have are written as Excel does. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[\da-fA-F]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, (character) => ESCAPES[character] as string)
    .replace(CONTROL, (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`);
}

/** `A`, `B`, … `Z`, `AA`, … */
function columnLetters(index: number): string {
  const before = Math.floor(index / 26);
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (index % 26));
}
