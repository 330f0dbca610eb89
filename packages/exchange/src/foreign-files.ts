import type { ByteSource } from './content.ts';
import { UnreadableFileError } from './problems.ts';

/** Bytes at the beginning of a file that tell what it is. */
const START_BYTES = 4096;

type Format = 'aqdef' | 'calypso' | 'csv' | 'xlsx';

/** A kind of file that is not imported in a format, by the beginning of its bytes as Latin-1 text. */
interface ForeignKind {
  /** Endings of the names of such files, in lower case. */
  endings?: readonly string[];
  /** First bytes, one of these. */
  bytes?: readonly string[];
  start?: RegExp;
  /** What the file is, and what to do. */
  message: string;
  /** The formats whose files may begin like that. */
  isOf?: readonly Format[];
}

const AQDEF_START = /^(?:\xef\xbb\xbf)?\s*[Kk]\d{4}/;

const MEASURING = 'Export the results as AQDEF (.dfq), as a table of CALYPSO (_chr.txt) or as CSV.';
const SPREADSHEET = 'Save it as an Excel workbook (.xlsx) or as CSV.';

const ZIP = ['PK\x03\x04'];

const KINDS: readonly ForeignKind[] = [
  {
    endings: ['.xls', '.xlt'],
    bytes: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    message: `The file is an Excel workbook of the old form (.xls), or one with a password. ${SPREADSHEET}`,
  },
  {
    bytes: ['\x09\0\x04\0', '\x09\x02\x06\0', '\x09\x04\x06\0', '\x09\x08\x06\0', '\x09\x08\x08\0', '\x09\x08\x10\0'],
    message: `The file is an Excel workbook of the old form (.xls). ${SPREADSHEET}`,
  },
  { endings: ['.xlsb'], message: `The file is a binary Excel workbook (.xlsb). ${SPREADSHEET}` },
  { endings: ['.pdf'], start: /^\s*%PDF-/, message: `The file is a PDF document, which holds a report for readers. ${MEASURING}` },
  {
    endings: ['.ods', '.odt'],
    bytes: ZIP,
    start: /mimetypeapplication\/vnd\.oasis/,
    message: `The file is a document of OpenOffice or LibreOffice. ${SPREADSHEET}`,
  },
  {
    endings: ['.doc', '.docx', '.pptx'],
    bytes: ZIP,
    start: /(?:word|ppt)\//,
    message: `The file is a document of Word or PowerPoint. ${MEASURING}`,
  },
  {
    bytes: ZIP,
    message: 'The file is an Excel workbook or an archive (ZIP). Import a workbook with format=xlsx; unpack an archive first.',
    isOf: ['xlsx'],
  },
  { bytes: ['\x1f\x8b'], message: 'The file is compressed (gzip). Unpack it, or send it with Content-Encoding: gzip.' },
  { bytes: ['7z\xbc\xaf\x27\x1c', 'Rar!'], message: 'The file is an archive (7z or RAR). Unpack it first.' },
  {
    bytes: ['SQLite format 3', '\0\x01\0\0Standard Jet DB', '\0\x01\0\0Standard ACE DB'],
    message: `The file is a database (SQLite or Access). ${MEASURING}`,
  },
  { bytes: ['PAR1'], message: 'The file is a Parquet table. Save it as CSV or as an Excel workbook (.xlsx).' },
  { bytes: ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*'], message: `The file is a picture. ${MEASURING}` },
  {
    bytes: ['\x7fELF', 'MZ\x90', '#!/'],
    message: `The file is a program, and neither a workbook (.xls, .xlsx) nor a text with values. ${MEASURING}`,
  },
  { start: /^\s*\{\\rtf/, message: `The file is a text document (RTF). ${MEASURING}` },
  { start: /^ISO-10303-21/, message: `The file is a CAD model (STEP), which holds no measured values. ${MEASURING}` },
  {
    endings: ['.qif'],
    start: /^\s*(?:\xef\xbb\xbf)?<[^]*QIFDocument\b/,
    message: `The file holds results as QIF, which cannot be imported yet. ${MEASURING}`,
  },
  { start: /^\s*(?:\xef\xbb\xbf)?<(?:!DOCTYPE html|html)/i, message: `The file is a web page (HTML). ${SPREADSHEET}` },
  {
    start: /^\s*(?:\xef\xbb\xbf)?<[^]*<Workbook\b[^>]*office:spreadsheet/,
    message: `The file is an Excel workbook as XML of an old form. ${SPREADSHEET}`,
  },
  { start: /^\s*(?:\xef\xbb\xbf)?<\?xml/, message: `The file is an XML document of a kind that is not known. ${MEASURING}` },
  {
    endings: ['.dmo', '.dmi'],
    start: /^\s*DMIS(?:MN|MD)\s*\/|^\s*(?:OUTPUT\/|T?A\(\d+\)\s*=\s*TOL\/)/m,
    message: `The file holds results of DMIS (.dmo). ${MEASURING}`,
  },
  {
    start: /^ *(?:DIM \S+ *=|AX +NOMINAL )|^END OF DIMENSION /m,
    message: `The file is a report of PC-DMIS. ${MEASURING}`,
  },
  {
    start: /^\s*[[{]\s*["{[\]}]/,
    message: 'The file is JSON. Send measurements as JSON to /dataServiceRest/measurements, or export AQDEF or CSV.',
  },
  {
    start: /^(?:\xef\xbb\xbf)?K0100[ \t]+\d+[ \t]*[\r\n]/,
    message: 'The file is an AQDEF file. Import it with format=aqdef.',
    isOf: ['aqdef'],
  },
  {
    endings: ['_fet.txt'],
    message: 'The file is a table of features of CALYPSO (_fet.txt). Export the table of characteristics (_chr.txt).',
  },
  {
    start: /^(?:\xef\xbb\xbf)?(?:\w+\t)*planid\t(?:\w+\t)*(?:partnb|id)\b/,
    message:
      'The file is a table of CALYPSO. Import a table of characteristics (_chr.txt) with format=calypso; tables of features (_fet.txt) are not imported.',
    isOf: ['calypso', 'csv'],
  },
];

/**
 * Says what kind of file cannot be imported in a format, by its beginning.
 * @param format any that is imported when left out
 * @param name of the file, whose ending precedes its bytes
 * @returns a sentence that says what to do; `undefined` for what may be a file of the format
 */
export function foreignKindOf(start: Uint8Array, format?: Format, name = ''): string | undefined {
  const text = textOf(start.subarray(0, START_BYTES));
  if (format === 'aqdef' && AQDEF_START.test(text)) return undefined;
  const isForeign = ({ isOf }: ForeignKind) => (format === undefined ? isOf === undefined : isOf?.includes(format) !== true);
  const isLike = ({ bytes, start: form }: ForeignKind) =>
    (bytes ?? form) !== undefined && bytes?.some((first) => text.startsWith(first)) !== false && form?.test(text) !== false;
  const isNamed = ({ endings }: ForeignKind) => endings?.some((ending) => name.toLowerCase().endsWith(ending)) === true;
  return (KINDS.find(isNamed) ?? KINDS.find((kind) => isForeign(kind) && isLike(kind)))?.message;
}

/** The bytes as Latin-1; of UTF-16 in ASCII the other bytes are left out. */
function textOf(start: Uint8Array): string {
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  const bytes = isUtf16 ? start.subarray(2).filter((byte) => byte !== 0) : start;
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Passes a file on. @throws UnreadableFileError it is of a kind that the format cannot be */
export async function* refuseForeign(source: ByteSource, format: Format): AsyncGenerator<Uint8Array> {
  let start: Uint8Array[] | undefined = [];
  let length = 0;
  for await (const chunk of source) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    // A copy: the source may use the memory of its chunk again.
    start.push(length + chunk.length >= START_BYTES ? chunk : chunk.slice());
    length += chunk.length;
    if (length < START_BYTES) continue;
    yield* checked(start, format);
    start = undefined;
  }
  if (start !== undefined) yield* checked(start, format);
}

function checked(chunks: readonly Uint8Array[], format: Format): readonly Uint8Array[] {
  const start = new Uint8Array(START_BYTES);
  let at = 0;
  for (const chunk of chunks) {
    start.set(chunk.subarray(0, START_BYTES - at), at);
    at = Math.min(START_BYTES, at + chunk.length);
  }
  const message = foreignKindOf(start.subarray(0, at), format);
  if (message !== undefined) throw new UnreadableFileError({ message });
  return chunks;
}
