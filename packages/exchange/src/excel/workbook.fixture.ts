import { ZipFile } from 'yazl';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** An archive of texts by their names. */
export async function archiveOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export interface WorkbookPieces {
  /** XML of the rows of each sheet, by its name. */
  sheets: Readonly<Record<string, string>>;
  /** What stands behind the rows of the first sheet. */
  behindRows?: string;
  /** Number formats of cells; the style n + 1 has the n-th one. */
  formats?: readonly string[];
  strings?: readonly string[];
  workbookPart?: string;
  stringsPart?: string;
  /** Written before the targets of sheets. */
  targetPrefix?: string;
}

/** A workbook from pieces of XML, as programs other than Excel write it. */
export function workbookOf(pieces: WorkbookPieces): Promise<Buffer> {
  const {
    sheets,
    behindRows = '',
    formats = [],
    strings = [],
    workbookPart = 'xl/workbook.xml',
    stringsPart = 'xl/sharedStrings.xml',
  } = pieces;
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (...each: readonly string[]) => `<Relationships xmlns="${PACKAGE_RELATIONS}">${each.join('')}</Relationships>`;
  const file = workbookPart.slice(workbookPart.lastIndexOf('/') + 1);
  const targets = names.map((_, i) => relation(`s${i}`, 'worksheet', `${pieces.targetPrefix ?? ''}worksheets/sheet${i + 1}.xml`));
  const numFmts = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`).join('');
  const xfs = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('');
  return archiveOf({
    '_rels/.rels': relations(relation('d', 'officeDocument', workbookPart)),
    [workbookPart]: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names
      .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i}"/>`)
      .join('')}</sheets></workbook>`,
    [`xl/_rels/${file}.rels`]: relations(
      ...targets,
      relation('x', 'styles', 'styles.xml'),
      relation('t', 'sharedStrings', 'SharedStrings.xml'),
    ),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${numFmts}</numFmts><cellXfs><xf/>${xfs}</cellXfs></styleSheet>`,
    [stringsPart]: `<sst xmlns="${MAIN}">${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData>${i === 0 ? behindRows : ''}</worksheet>`,
      ]),
    ),
  });
}

export type Row = readonly (string | number | undefined)[];

/** XML of rows: numbers, and texts; a text with `<` is XML of the cell. */
export function rowsOf(...rows: readonly Row[]): string {
  const cell = (content: string | number, reference: string) =>
    typeof content === 'number'
      ? `<c r="${reference}"><v>${content}</v></c>`
      : content.startsWith('<')
        ? content.replace('<c', `<c r="${reference}"`)
        : `<c r="${reference}" t="inlineStr"><is><t>${content}</t></is></c>`;
  return rows
    .map((cells, i) => {
      const written = cells.map((content, j) => (content === undefined ? '' : cell(content, `${String.fromCharCode(65 + j)}${i + 1}`)));
      return `<row r="${i + 1}">${written.join('')}</row>`;
    })
    .join('');
}
