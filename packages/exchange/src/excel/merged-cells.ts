import { tooLarge } from './workbook.ts';
import { parseXml } from './xml-pieces.ts';

const MAX_MERGES = 100_000;
/** Element that is read only in sheets that have it: it stands behind all rows. */
const ELEMENT = Buffer.from('mergeCell');
const REFERENCE = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/;

/** Rows over which a cell is merged with those below it. */
interface Merge {
  column: number;
  first: number;
  last: number;
}

/** Reads which cells of a sheet reach over several rows. @param bytesOf reads the sheet from its beginning */
export async function readMerges(bytesOf: () => AsyncIterable<Uint8Array>): Promise<Merge[]> {
  const merges: Merge[] = [];
  if (!(await hasMerges(bytesOf()))) return merges;
  await parseXml(bytesOf(), {
    open: (name, { ref = '' }) => {
      if (name !== 'mergeCell') return;
      const [, letters, first, last] = REFERENCE.exec(ref) ?? [];
      if (letters === undefined || first === last) return;
      if (merges.length >= MAX_MERGES) throw tooLarge('merged cells');
      merges.push({ column: columnNumber(letters), first: Number(first), last: Number(last) });
    },
  });
  return merges.sort((one, other) => one.first - other.first);
}

async function hasMerges(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const joined = Buffer.concat([end, chunk]);
    if (joined.includes(ELEMENT)) return true;
    end = joined.subarray(-ELEMENT.length);
  }
  return false;
}

/** Gives the text of a merged cell to all rows over which it reaches. */
export class MergedCells {
  private readonly merges: readonly Merge[];
  private next = 0;
  /** Merges that reach over the current row, by column, with the text of their first row. */
  private readonly open = new Map<number, { last: number; text: string; isNumber: boolean }>();

  /** @param merges in the order of their first rows */
  constructor(merges: readonly Merge[]) {
    this.merges = merges;
  }

  /** Fills the cells of a row; rows come in their order. */
  fill(line: number, cells: (string | undefined)[], isNumber: boolean[]): void {
    for (const [column, { last, text, isNumber: own }] of this.open) {
      if (line > last) this.open.delete(column);
      else if (cells[column - 1] === undefined || cells[column - 1] === '') {
        cells[column - 1] = text;
        isNumber[column - 1] = own;
      }
    }
    for (; this.next < this.merges.length; this.next += 1) {
      const { column, first, last } = this.merges[this.next] as Merge;
      if (first > line) break;
      const text = cells[column - 1];
      if (first === line && text !== undefined && text.length > 0)
        this.open.set(column, { last, text, isNumber: isNumber[column - 1] === true });
    }
  }
}

/** The number of a column from its letters, such as `AB`. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
