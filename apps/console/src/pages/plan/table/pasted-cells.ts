/** What a column of pasted cells is. */
export const MEANINGS = [
  'none',
  'name',
  'nominal',
  'lower',
  'upper',
  'tolerance',
  'lowerDeviation',
  'upperDeviation',
  'lowerWarning',
  'upperWarning',
  'unit',
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** Names of columns as people write them, without spaces, points and case. */
const NAMES: Readonly<Record<Exclude<Meaning, 'none'>, RegExp>> = {
  name: /^(name|characteristic|merkmal|merkmalsname|feature|bezeichnung|merkmalsbezeichnung|description|characteristicdescription)$/,
  nominal: /^(nominal|nominalvalue|nennmaß|nennmass|nennwert|soll|sollwert|sollmaß|target)$/,
  lower:
    /^(lower|lsl|lowertolerance|lowertolerancelimit|lowerlimit|lowerspecificationlimit|usg|utg|ugw|min|untere|unteretoleranz|unteretoleranzgrenze|untergrenze|mindestmaß)$/,
  upper:
    /^(upper|usl|uppertolerance|uppertolerancelimit|upperlimit|upperspecificationlimit|osg|otg|ogw|max|obere|oberetoleranz|oberetoleranzgrenze|obergrenze|höchstmaß)$/,
  tolerance: /^(±|\+\/?-|tolerance|toleranz|±tolerance|±toleranz|tol)$/,
  lowerDeviation: /^(lowerallowance|lowerdeviation|ei|ua|unteresabmaß|unteresabmass|abmaßunten|lowertol|-tol)$/,
  upperDeviation: /^(upperallowance|upperdeviation|es|oa|oberesabmaß|oberesabmass|abmaßoben|uppertol|\+tol)$/,
  lowerWarning: /^(lowerwarning|lowerwarninglimit|untereWarngrenze|unterewarngrenze|uwg)$/i,
  upperWarning: /^(upperwarning|upperwarninglimit|oberewarngrenze|owg)$/,
  unit: /^(unit|units|einheit|maßeinheit|uom)$/,
};

/** Order of columns without names. */
const USUAL: readonly Meaning[] = ['name', 'nominal', 'lower', 'upper', 'unit'];

/** Splits what a spreadsheet has copied into cells; empty lines are left out. */
export function readCells(text: string): string[][] {
  const rows: string[][] = [[]];
  // A cell with a tab, a line break or a quotation mark stands in quotation marks.
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|$)/g)) {
    rows.at(-1)?.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).replaceAll(/\s+/g, ' ').trim());
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

/** Finds what each column is: by its name in the first row, else by its place. */
export function guessMeanings(cells: readonly (readonly string[])[]): { meanings: Meaning[]; hasHead: boolean } {
  const count = Math.max(0, ...cells.map(({ length }) => length));
  const named = Array.from({ length: count }, (_, column) => meaningOf(cells[0]?.[column] ?? ''));
  const hasHead = named.filter((meaning) => meaning !== 'none').length > 1 || named.includes('name');
  const meanings = hasHead ? named : Array.from({ length: count }, (_, column) => USUAL[column] ?? 'none');
  // A meaning that two columns have is that of the first one.
  const unique = meanings.map((meaning, column) => (meanings.indexOf(meaning) === column ? meaning : 'none'));
  return { meanings: unique, hasHead };
}

function meaningOf(head: string): Meaning {
  const plain = head
    .toLowerCase()
    .replaceAll(/\[.*\]|\(.*\)/g, '')
    .replaceAll(/[\s._]/g, '');
  return MEANINGS.find((meaning) => meaning !== 'none' && NAMES[meaning].test(plain)) ?? 'none';
}
