import { describe, expect, it } from '@jest/globals';
import { readAqdef } from './aqdef/aqdef-reader.ts';
import { readCalypso } from './calypso/calypso-reader.ts';
import { readCsv } from './csv/csv-reader.ts';
import { readXlsx } from './excel/xlsx-reader.ts';
import { foreignKindOf } from './foreign-files.ts';
import { readAll } from './read-all.fixture.ts';

const READERS = { aqdef: readAqdef, calypso: readCalypso, csv: readCsv, xlsx: readXlsx };
const bytes = (text: string) => Buffer.from(text, 'latin1');
const PC_DMIS = [
  'DIM LOC1= LOCATION OF CIRCLE CIR1  UNITS=MM ,$',
  'AX    NOMINAL       +TOL       -TOL       MEAS',
  'X     10.000      0.100      0.100     10.021',
  'END OF DIMENSION LOC1',
].join('\n');

const FOREIGN: readonly [kind: string, start: Buffer, says: RegExp][] = [
  ['an Excel workbook of the old form', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' + '\0'.repeat(5000)), /\.xls\).*\.xlsx/],
  ['an Excel workbook of BIFF', bytes('\x09\x08\x10\0\0\x06\x05\0'), /\.xls\).*\.xlsx/],
  ['a PDF document', bytes('%PDF-1.7\n%\xe2\xe3'), /PDF.*AQDEF/],
  ['QIF', bytes('<?xml version="1.0"?>\n<QIFDocument xmlns="x" versionQIF="3.0.0">'), /QIF.*AQDEF/],
  ['DMIS', bytes("DMISMN/'X',04.0\nUNITS/MM,ANGDEC\n"), /DMIS.*AQDEF/],
  ['PC-DMIS', bytes(PC_DMIS), /PC-DMIS.*AQDEF/],
  ['a web page', bytes('<html><table><tr><td>1'), /HTML.*\.xlsx/],
  ['a picture', bytes('\x89PNG\r\n\x1a\n'), /picture/],
  ['a database', bytes('SQLite format 3\0'), /database/],
  ['a compressed file', bytes('\x1f\x8b\x08'), /gzip/],
  ['JSON', bytes('[{"uuid":'), /JSON/],
  ['an OpenOffice document', bytes('PK\x03\x04\x14\0\0\x08mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), /LibreOffice.*\.xlsx/],
];

describe.each(FOREIGN)('%s', (_, start, says) => {
  it.each(['aqdef', 'calypso', 'csv', 'xlsx'] as const)('is named when it is imported as %s', async (format) => {
    const { errors } = await readAll(READERS[format]([start.subarray(0, 3), start.subarray(3)]));
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(says);
  });

  it('is known without a format', () => expect(foreignKindOf(start)).toMatch(says));
});

describe('files of another format', () => {
  it('are named with the format to choose [D11.10]', async () => {
    expect((await readAll(readCsv([bytes('K0100 1\r\nK1001/1 P\r\n')]))).errors[0]?.message).toMatch(/AQDEF.*format=aqdef/);
    expect((await readAll(readAqdef([bytes('planid\tpartnb\tid\tactual\nP\t1\tDia\t10.1\nEND\n')]))).errors[0]?.message).toMatch(
      /CALYPSO.*_chr\.txt/,
    );
    expect((await readAll(readAqdef([bytes('PK\x03\x04\x14\0')]))).errors[0]?.message).toMatch(/format=xlsx/);
  });

  it('of CALYPSO with features are refused', async () => {
    const { errors } = await readAll(readCalypso([bytes('planid\tpartnb\tid\tactual\nP\t1\tDia\t10.1\nEND\n')]));
    expect(errors[0]?.message).toMatch(/features.*_fet\.txt.*_chr\.txt/);
  });

  it.each([
    ['aqdef', 'K0100 1\nK1900/1 x\nDIM A= B\nEND OF DIMENSION x'],
    ['csv', 'part,time,A\nP,2026-01-01,1\n'],
    ['csv', 'planid\tpartnb\tactual\nP\t1\t2\n'],
    ['csv', 'AX\tNOMINAL\tMEAS\n'],
    ['csv', ''],
  ] as const)('may begin as usual (%s, %j)', (format, text) => expect(foreignKindOf(bytes(text), format)).toBeUndefined());
});
