import { describe, expect, it } from '@jest/globals';
import { copiedTable } from './copy-table';

const TABLE = {
  head: ['Name', 'Wert'],
  rows: [
    ['Maß\t"A"', 125.413_124_57],
    ['00123', undefined],
    ['=1+1', -2],
  ],
};

describe('a table for the clipboard', () => {
  it('has cells between tabs, with all digits and the decimal mark of the language', () => {
    expect(copiedTable(TABLE, 'de').text).toBe('Name\tWert\r\n"Maß\t""A"""\t125,41312457\r\n00123\t\r\n\'=1+1\t-2\r\n');
  });

  it('is a table in HTML, whose texts stay texts', () => {
    const { html } = copiedTable(TABLE, 'en');
    expect(html).toContain('<tr><th>Name</th><th>Wert</th></tr>');
    expect(html).toContain(`<td style="mso-number-format:'\\@'">00123</td><td></td>`);
    expect(html).toContain('<td>125.41312457</td>');
  });

  it('holds no element of a text', () => {
    expect(copiedTable({ head: ['<b>'], rows: [['a & <img src=x>']] }, 'en').html).toContain('a &amp; &lt;img src=x&gt;');
  });
});
