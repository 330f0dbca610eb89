import type { Language } from '@sinebar/charts';
import { linesOf, spreadsheetText, type CsvRow, type CsvTable } from './csv';

/** A table in the two forms that spreadsheets take from the clipboard. */
export interface CopiedTable {
  /** Cells between tabs. */
  text: string;
  /** A table in HTML, in which texts such as `00123` stay texts. */
  html: string;
}

/** Writes a table for the clipboard, with all digits and the decimal mark of the language. */
export function copiedTable({ head, rows }: CsvTable, language: Language): CopiedTable {
  const cell = (value: CsvRow[number], tag: 'td' | 'th') => {
    const format = typeof value === 'string' && tag === 'td' ? ` style="mso-number-format:'\\@'"` : '';
    return `<${tag}${format}>${escaped(spreadsheetText(value, language))}</${tag}>`;
  };
  const row = (values: CsvRow, tag: 'td' | 'th') => `<tr>${values.map((value) => cell(value, tag)).join('')}</tr>`;
  return {
    text: linesOf([head, ...rows], '\t', language),
    html: `<meta charset="utf-8"><table>${row(head, 'th')}${rows.map((values) => row(values, 'td')).join('')}</table>`,
  };
}

/**
 * Copies a table to the clipboard.
 * @throws Error when the browser does not allow it
 */
export async function copyTable(table: CsvTable | Promise<CsvTable>, language: Language): Promise<void> {
  // Pages that come over plain HTTP from another machine have no navigator.clipboard.
  if (!(table instanceof Promise) || !window.isSecureContext || typeof ClipboardItem === 'undefined') {
    writeByCommand(copiedTable(await table, language));
    return;
  }
  // Browsers remove formats of spreadsheets here, and take them for styles that the page may not have.
  const copied = table.then((read) => {
    const { text, html } = copiedTable(read, language);
    return { text, html: html.replaceAll(/ style="[^"]*"/g, '') };
  });
  const blob = (form: keyof CopiedTable, type: string) => copied.then((forms) => new Blob([forms[form]], { type }));
  // The permission to write ends soon after the key is pressed: the item is made at once and its content comes later.
  const item = new ClipboardItem({ 'text/plain': blob('text', 'text/plain'), 'text/html': blob('html', 'text/html') });
  await navigator.clipboard.write([item]);
}

/** Copies by an event of the browser, whose content is replaced. */
function writeByCommand({ text, html }: CopiedTable): void {
  const onCopy = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    event.clipboardData?.setData('text/html', html);
  };
  window.addEventListener('copy', onCopy, { capture: true });
  try {
    if (!document.execCommand('copy')) throw new Error('The browser does not allow this page to copy.');
  } finally {
    window.removeEventListener('copy', onCopy, { capture: true });
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
