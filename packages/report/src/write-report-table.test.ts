import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { Alarm } from '@sinebar/contracts';
import { readPdf } from '@sinebar/testing/pdf';
import { readSheet } from 'read-excel-file/node';
import { madeCharacteristic, madeContent } from './made-content.fixture.ts';
import type { ReportContent, ReportRequest } from './report-content.ts';
import { builtInTemplate, type BuiltInTemplate } from './templates/built-in.ts';
import { writeReportTable } from './write-report-table.ts';
import { writtenReport } from './written-report.fixture.ts';

const ALARM: Alarm = {
  uuid: 'a',
  state: 'raised',
  kind: 'tolerance',
  partUuid: 'p',
  partPath: 'P:/Pump/',
  characteristicPath: 'PC:/Pump/Bore 1/',
  raised: '2026-03-02T08:00:00.000Z',
  points: 1,
  value: 20.0625,
  muted: false,
  old: false,
};

async function tableBytes(template: BuiltInTemplate, content: ReportContent, request: Partial<ReportRequest> = {}): Promise<Buffer> {
  const output = new PassThrough();
  const bytes = buffer(output);
  const asked = { template: builtInTemplate(template), language: 'en', to: '2026-03-31T12:00:00.000Z', author: 'Ann', ...request } as const;
  await writeReportTable(asked, content, { output, signal: new AbortController().signal });
  return bytes;
}

const rowsOf = (bytes: Buffer) => readSheet(bytes);

describe('a report as Excel', () => {
  it('has the columns of the table without charts, and numbers with the digits of the report', async () => {
    const [head = [], row = []] = await rowsOf(await tableBytes('capability-list', madeContent([madeCharacteristic(0)])));
    expect(head).toContain('Ppk');
    expect(head).not.toContain('Course');
    const cells = Object.fromEntries(head.map((name, i) => [String(name), row[i]]));
    expect(cells).toMatchObject({ Characteristic: 'Bore 0', Mean: 20.0012, Ppk: 1.33, 'Lower limit': 19.95, Process: 'capable' });
  });

  it('keeps numbers numbers in German', async () => {
    const [, row = []] = await rowsOf(await tableBytes('capability-list', madeContent([madeCharacteristic(0)]), { language: 'de' }));
    expect(row).toContain(20.0012);
  });

  it('has a table for each template, also where the template has none', async () => {
    const [, row = []] = await rowsOf(await tableBytes('first-article', madeContent([madeCharacteristic(0)])));
    expect(row).toContain('Bore 0');
  });

  it('writes alarms with the time of the clock and the whole value', async () => {
    const content = madeContent([], { withAlarms: [ALARM] });
    const [, row = []] = await rowsOf(await tableBytes('alarms', content));
    const at = new Date(ALARM.raised);
    expect(row[0]).toEqual(new Date(at.getTime() - at.getTimezoneOffset() * 60_000));
    expect(row).toContain(20.0625);
  });

  it('leaves cells empty without limits and values', async () => {
    const {
      last: _last,
      mean: _mean,
      standardDeviation: _deviation,
      ...bare
    } = madeCharacteristic(0, { limits: { sources: {} }, count: 0 });
    const [, row = []] = await rowsOf(await tableBytes('dimensional-results', madeContent([bare])));
    expect(row.filter((cell) => cell === null)).toHaveLength(4);
  });

  it('writes a limit that is a sum of nominal and allowance without digits of its rounding', async () => {
    const characteristic = madeCharacteristic(0, { limits: { nominal: 4, lowerTolerance: 4 - 2.3, upperTolerance: 6.3, sources: {} } });
    const pdf = await readPdf(await writtenReport(madeContent([characteristic]), { template: builtInTemplate('first-article') }));
    expect(pdf.pages.join(' ')).toContain('4.00 ±2.30 mm');
    const [, row = []] = await rowsOf(await tableBytes('part', madeContent([characteristic])));
    expect(row[2]).toBe(1.7);
  });

  it('says that it is not whole', async () => {
    const rows = await rowsOf(await tableBytes('part', madeContent([madeCharacteristic(0)], { isWhole: false })));
    expect(rows.at(-1)?.[0]).toMatch(/^This report is not whole/);
  });

  it('does not turn a name into a formula', async () => {
    const [, row = []] = await rowsOf(await tableBytes('part', madeContent([madeCharacteristic(0, { name: '=1+1' })])));
    expect(row).toContain('=1+1');
  });

  it('has the same bytes each time', async () => {
    const written = () => tableBytes('part', madeContent([madeCharacteristic(0)]));
    expect((await written()).equals(await written())).toBe(true);
  });
});
