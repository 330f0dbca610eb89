const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
/** Beginning of a formula, or of a text that was guarded before. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;
/** Beginning of a formula behind a character at which a spreadsheet may divide the text into cells. */
const INNER_FORMULA = /(?<=[;,\t\r\n])(?=['"]*[=+\-@])/;
const ALL_INNER_FORMULAS = new RegExp(INNER_FORMULA, 'g');
const INNER_GUARDS = /(?<=[;,\t\r\n])'(?=['"]*[=+\-@])/g;

/**
 * Writes one line of a CSV file as RFC 4180 has it. Texts that a spreadsheet would take for a formula stay texts.
 * Fields of a row with a guard inside of a text all stand in quotes, which tells its reader to take these guards away: older exports have
 * neither.
 */
export function writeCsvRow(fields: readonly string[], separator = ','): string {
  const isMarked = fields.some(hasInnerFormula);
  return `${fields.map((field) => csvField(field, isMarked, separator)).join(separator)}\r\n`;
}

/** Writes a field of a row. @param isMarked whether its quotes mark a row of which a field {@link hasInnerFormula} */
export function csvField(text: string, isMarked = false, separator = ','): string {
  // A number keeps its sign; another text that begins like a formula gets an apostrophe, which the reader takes away.
  let safe = FORMULA.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  if (hasInnerFormula(safe)) safe = safe.replace(ALL_INNER_FORMULAS, "'");
  return isMarked || needsQuotes(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether a program that divides the text at semicolons, commas, tabs or line ends would find a formula. */
export function hasInnerFormula(text: string): boolean {
  return INNER_FORMULA.test(text);
}

/** Whether a text can only stand in a field with quotes. */
export function needsQuotes(text: string): boolean {
  return NEEDS_QUOTES.test(text);
}

/** Takes away the apostrophe before a text that begins like a formula. */
export function unguarded(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}

/** Takes away the apostrophes inside of a text of a marked row. */
export function unguardedInside(text: string): string {
  return text.includes("'") ? text.replace(INNER_GUARDS, '') : text;
}
