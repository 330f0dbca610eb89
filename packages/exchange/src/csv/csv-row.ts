const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
/** Beginning of a formula, or of a text that was guarded before. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Writes one line of a CSV file as RFC 4180 has it. Texts that a spreadsheet would take for a formula stay texts. */
export function writeCsvRow(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(text: string): string {
  // A number keeps its sign; another text that begins like a formula gets an apostrophe, which the reader takes away.
  const safe = FORMULA.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
