import { zip } from '@sinebar/testing';

/** A file that a damaged program or an attacker sends to the import. */
export interface HostileFile {
  kind: string;
  format: 'aqdef' | 'calypso' | 'csv' | 'xlsx';
  bytes: Buffer;
}

/** Numbers from a seed, so that a failed run can be repeated. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** @returns a number from 0 up to 1 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  oneOf<T>(items: readonly T[]): T {
    return items[this.whole(0, items.length - 1)] as T;
  }
}

type Maker = (random: SeededRandom) => Buffer | string;

const FIELD = '\u0014';
const NEXT = '\u000f';
const MEBIBYTE = 2 ** 20;
const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
const lines = (...texts: readonly (string | readonly string[])[]) => `${texts.flat().join('\n')}\n`;
const aqdefPlan = (count: number, nameOf = (i: number) => `C${i}`) => [
  `K0100 ${count}`,
  'K1001/1 4711',
  ...list(count, (i) => `K2002/${i + 1} ${nameOf(i)}`),
];

const AQDEF: Record<string, Maker> = {
  'groups in one another': (random) => {
    const depth = random.whole(40, 20_000);
    return lines(
      aqdefPlan(1),
      'K5111/1 1',
      list(depth, (i) => [`K5002/${i + 1} G${i}`, `K5113/${i + 2} ${i + 1}`, `K5103/${i + 1} ${i + 2}`]).flat(),
      'K5102/2 1',
      '20.1',
    );
  },
  'a tree that ends in itself': () => lines(aqdefPlan(2), 'K5113/1 1', 'K5113/2 2', 'K5103/1 2', 'K5103/2 1', 'K5102/2 1', '1'),
  'equal names': (random) =>
    lines(
      aqdefPlan(random.whole(4000, 20_000), () => 'A'),
      '20.1',
    ),
  'equal parts': (random) =>
    lines(
      'K0100 1',
      list(random.whole(2000, 9999), (i) => `K1001/${i + 1} A`),
      'K2002/1 A',
      '1',
    ),
  'wide records': (random) => {
    const record = list(10_000, (i) => `${(i % 77) / 7}`.slice(0, 6)).join(NEXT);
    return lines(
      aqdefPlan(10_000),
      list(random.whole(5, 40), () => record),
    );
  },
  'wide records with fields': (random) => {
    const record = list(5000, (i) => [`${i}.50`, i % 3, '05.01.2026/08:30:00', '7', `#B${i}`].join(FIELD)).join(NEXT);
    return lines(
      aqdefPlan(5000),
      list(random.whole(2, 8), () => record),
    );
  },
  'a large plan': (random) => lines(aqdefPlan(random.whole(5000, 60_000)), '1'),
  'a line without an end': (random) => lines(aqdefPlan(1)) + random.oneOf(['1', NEXT, FIELD, ' ']).repeat(random.whole(1, 9) * MEBIBYTE),
  'a name without an end': (random) => `K0100 1\nK1001/1 ${'x'.repeat(random.whole(1, 7) * MEBIBYTE)}\nK2002/1 A\n1\n`,
  'a repeated field': (random) =>
    lines(
      aqdefPlan(1),
      'K0001/1/1 1',
      list(200_000, (i) => `K00${random.oneOf(['11', '14'])}/1/1 ${i}`),
    ),
  'fields of all values': (random) =>
    lines(aqdefPlan(2000), list(random.whole(500, 2000), (i) => [`K0001/${i + 1} 1`, 'K0006/0 B']).flat()),
  'values that are never complete': () =>
    lines(
      aqdefPlan(2),
      list(450_000, (i) => `K0001/1 ${i}`),
    ),
  catalogs: (random) =>
    lines(
      aqdefPlan(1),
      list(random.whole(50_000, 110_000), (i) => `K4062/${i + 1} Gauge ${i}`),
      '1',
    ),
  'texts of a catalog': () =>
    lines(
      aqdefPlan(1),
      list(30_000, (i) => [`${i}`, '0', '', '', '', `M${i}`, `P${i}`].join(FIELD)),
    ),
  'large indexes': (random) =>
    lines('K0100 999999999', `K1001/${random.whole(1, 999_999_999)} 1`, 'K2002/999999999 A', 'K0001/999999999/999999999 1'),
  'lines that are no values': (random) =>
    lines(
      aqdefPlan(1),
      list(100_000, () => `x${random.whole(0, 9)}`),
    ),
  'keys that are not known': (random) =>
    lines(
      aqdefPlan(1),
      list(100_000, () => `K${random.whole(3000, 9999)}/1 x`),
      '1',
    ),
};

const CALYPSO: Record<string, Maker> = {
  'many columns': () => {
    const columns = ['planid', 'partnb', 'id', 'actual', ...list(5000, (i) => `c${i}`)].join('\t');
    return lines(
      columns,
      list(200, (i) => ['P', '1', `c${i}`, '1', ...list(5000, () => 'x')].join('\t')),
    );
  },
  'one id': () =>
    lines(
      'planid\tpartnb\tid\tactual\tnominal',
      list(100_000, (i) => `P\t${i % 7}\tsame\t${i}\t1`),
    ),
  'many ids': (random) =>
    lines(
      'planid\tpartnb\tid\tactual\tnominal',
      list(random.whole(10_000, 60_000), (i) => `P\t1\tid ${i}\t${i}\t1`),
    ),
};

const CSV: Record<string, Maker> = {
  levels: (random) => `part,characteristic,value\nP,${'a/'.repeat(random.whole(90, 20_000))}b,1\n`,
  'levels of parts': (random) => `part,characteristic,value\n${'/p'.repeat(random.whole(90, 20_000))},A,1\n`,
  'equal columns': (random) => {
    const count = random.whole(4000, 16_000);
    return lines(['part', ...list(count, () => 'A')].join(','), ['P', ...list(count, () => '1')].join(','));
  },
  'many fields': (random) => `part,A\nP,${'1,'.repeat(random.whole(16_000, 4_000_000))}1\n`,
  'wide rows': (random) => {
    const row = ['P', ...list(10_000, (i) => `${i}.5`)].join(',');
    return lines(
      ['part', ...list(10_000, (i) => `C${i}`)].join(','),
      list(random.whole(3, 30), () => row),
    );
  },
  'many parts': (random) =>
    lines(
      'part,characteristic,value',
      list(random.whole(10_000, 40_000), (i) => `P${i},A,1`),
    ),
  'many characteristics': (random) =>
    lines(
      'part,characteristic,value',
      list(random.whole(10_000, 60_000), (i) => `P,C${i},1`),
    ),
  'many rows': () =>
    lines(
      'part,characteristic,value,time',
      list(150_000, (i) => `P,A,${i},2026-01-05T08:${String(i % 60).padStart(2, '0')}:00Z`),
    ),
  'a quote without an end': (random) => `part,A\nP,"${'x\n'.repeat(random.whole(1, 4) * MEBIBYTE)}`,
  'many quotes': (random) => `part,A\nP,${'""'.repeat(random.whole(1, 3) * MEBIBYTE)}\n`,
  'a line without an end': (random) => random.oneOf([',', ';', 'x', '"', '\u0000']).repeat(random.whole(1, 9) * MEBIBYTE),
  'empty rows': () => `part,A\n${'\n'.repeat(2 * MEBIBYTE)}P,1\n`,
};

const sheetOf = (rows: string) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (...cells: readonly string[]) => `<row>${cells.map(cell).join('')}</row>`;
const workbook = (sheet: string, sheets = 1, others: { name: string; content: string }[] = []) =>
  zip([
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${list(sheets, (i) => `<sheet name="S${i}" sheetId="${i + 1}" r:id="rId1"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content:
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
    ...others,
  ]);

const XLSX: Record<string, Maker> = {
  'elements in one another': (random) => workbook(sheetOf('<x>'.repeat(random.whole(49, 300_000)))),
  'many sheets': (random) => workbook(sheetOf(row('part', 'A') + row('P', '1')), random.whole(900, 50_000)),
  'a sheet that is mostly blank': (random) =>
    workbook(sheetOf(`${row('part', 'A')}${' '.repeat(random.whole(10, 100) * MEBIBYTE)}${row('P', '1')}`)),
  'a text without an end': (random) => workbook(sheetOf(row('part', 'A') + row('P', 'x'.repeat(random.whole(1, 30) * MEBIBYTE)))),
  'an attribute without an end': (random) => workbook(sheetOf(`<row r="${'1'.repeat(random.whole(1, 30) * MEBIBYTE)}"/>`)),
  'many texts': (random) =>
    workbook(sheetOf(row('part', 'A')), 1, [
      {
        name: 'xl/sharedStrings.xml',
        content: `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${'<si><t>x</t></si>'.repeat(random.whole(100_000, 2_000_000))}</sst>`,
      },
    ]),
  'far cells': () => workbook(sheetOf(`<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>`)),
  'many rows': () => workbook(sheetOf(row('part', 'A') + row('P', '1').repeat(60_000))),
  'equal columns': () => workbook(sheetOf(row('part', ...list(5000, () => 'A')) + row('P', ...list(5000, () => '1')))),
  entities: () =>
    workbook(`<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${sheetOf(row('part', '&b;'))}`),
};

const MAKERS: readonly (readonly [HostileFile['format'], Record<string, Maker>])[] = [
  ['aqdef', AQDEF],
  ['calypso', CALYPSO],
  ['csv', CSV],
  ['xlsx', XLSX],
];

/** Yields files without an end: each kind once, then kinds at random, some of them with damaged bytes. */
export function* hostileFiles(random: SeededRandom): Generator<HostileFile> {
  const kinds = MAKERS.flatMap(([format, makers]) => Object.entries(makers).map(([kind, make]) => ({ format, kind, make })));
  for (let i = 0; ; i += 1) {
    const { format, kind, make } = i < kinds.length ? (kinds[i] as (typeof kinds)[number]) : random.oneOf(kinds);
    const bytes = Buffer.from(make(random));
    const isDamaged = i >= kinds.length && random.next() < 0.5;
    yield isDamaged ? { format, kind: `${kind}, damaged`, bytes: damaged(bytes, random) } : { format, kind, bytes };
  }
}

/** Changes bytes, cuts the end off, or repeats a piece. */
function damaged(bytes: Buffer, random: SeededRandom): Buffer {
  const changed = Buffer.from(bytes);
  for (let i = random.whole(1, 50); i > 0; i -= 1) changed[random.whole(0, changed.length - 1)] = random.whole(0, 255);
  const from = random.whole(0, changed.length - 1);
  const piece = changed.subarray(from, from + random.whole(1, 5000));
  return random.oneOf([
    changed,
    changed.subarray(0, from),
    Buffer.concat([changed.subarray(0, from), piece, piece, changed.subarray(from)]),
  ]);
}
