import { describe, expect, it } from '@jest/globals';
import type { Alarm } from '@sinebar/contracts';
import { readPdf } from '@sinebar/testing/pdf';
import { madeCharacteristic, madeContent, madeDetail } from './made-content.fixture.ts';
import { writtenReport } from './written-report.fixture.ts';
import { BUILT_IN_TEMPLATES, builtInTemplate } from './templates/built-in.ts';

const rows = (count: number) => Array.from({ length: count }, (_, i) => madeCharacteristic(i));
const LONG = `Bore ${'with a long name of the feature '.repeat(8)}`.slice(0, 255);

describe('a report', () => {
  it.each(BUILT_IN_TEMPLATES)('by the template %s is tagged and has a title, a language and numbered pages', async (name) => {
    const content = madeContent(rows(70), { withDetails: [madeDetail(0), madeDetail(1)] });
    const pdf = await readPdf(await writtenReport(content, { template: builtInTemplate(name), language: 'de' }));
    expect(pdf.title).toContain(': Housing');
    expect(pdf.language).toBe('de');
    expect(pdf.isTagged).toBe(true);
    // The count of pages is drawn once, in an object that all pages show.
    pdf.pages.forEach((text, i) => expect(text).toContain(`Seite ${i + 1} von`));
  });

  it('has the same bytes each time', async () => {
    const written = () => writtenReport(madeContent(rows(40), { withDetails: [madeDetail(2)] }));
    expect((await written()).equals(await written())).toBe(true);
  });

  it('shows figures rounded as the console does, and attaches them with all digits', async () => {
    const { pages, attachments } = await readPdf(await writtenReport(madeContent(rows(1))));
    expect(pages.join(' ')).toContain('20.0012');
    const [head = '', line = ''] = attachments['values.csv']?.split('\r\n') ?? [];
    const values = Object.fromEntries(head.split(',').map((name, i) => [name, line.split(',')[i]]));
    expect(values).toMatchObject({ mean: '20.00123456789', ppk: '1.3333333333', lower: '19.95', process: 'capable' });
  });

  it('repeats the head of a long table on each page, and has a row for each characteristic', async () => {
    const { pages } = await readPdf(await writtenReport(madeContent(rows(300)), { template: builtInTemplate('capability-list') }));
    expect(pages.length).toBeGreaterThan(8);
    const ofTable = pages.slice(1);
    for (const text of ofTable) expect(text).toContain('Lower limit');
    const all = pages.join(' ');
    for (let i = 0; i < 300; i += 1) expect(all).toContain(`Bore ${i} `);
  });

  it('wraps names of 255 letters and cuts none', async () => {
    const { pages } = await readPdf(await writtenReport(madeContent([madeCharacteristic(0, { name: LONG })])));
    expect(pages.join(' ').replaceAll(' ', '')).toContain(LONG.replaceAll(' ', ''));
  });

  it('cuts a long name in the foot, and never the period', async () => {
    const part = { ...madeContent([]).part, names: ['Pump', 'W'.repeat(255)] };
    const { pages } = await readPdf(await writtenReport(madeContent(rows(60), { part })));
    for (const text of pages) expect(text).toMatch(/Part report: W+…, until 31 Mar 2026/);
  });

  it('keeps the digits of a long number together', async () => {
    const limits = { nominal: 0.123456789, lowerTolerance: -100_000_000.5, upperTolerance: 0.123456799, sources: {} };
    const row = madeCharacteristic(0, { limits, sparkline: [] });
    const { pages } = await readPdf(await writtenReport(madeContent([row]), { template: builtInTemplate('capability-list') }));
    const text = pages.join(' ');
    for (const number of ['−100,000,000.5', '0.123456799']) expect(text).toContain(number);
  });

  it('says once that there are no values', async () => {
    const detail = madeDetail(0);
    const empty = { ...detail, summary: { ...detail.summary, count: 0, notes: ['There are no values.'] } };
    const content = madeContent([detail.characteristic], { withDetails: [empty] });
    const { pages } = await readPdf(await writtenReport(content, { template: builtInTemplate('characteristic') }));
    expect(pages.join(' ').match(/There are no values/g)).toEqual(['There are no values']);
  });

  it('names characteristics of alarms without the part, which the title names', async () => {
    const about = { uuid: 'a', state: 'raised', kind: 'tolerance', partUuid: 'p', partPath: 'PP:/Pump/Housing/' } as const;
    const alarm: Alarm = {
      ...about,
      characteristicPath: 'PPCC:/Pump/Housing/Bore/Depth/',
      raised: '2026-03-02T08:00:00.000Z',
      points: 1,
      muted: false,
      old: false,
    };
    const content = madeContent([], { withAlarms: [alarm] });
    const { pages } = await readPdf(await writtenReport(content, { template: builtInTemplate('alarms') }));
    expect(pages.join(' ')).toContain('Bore / Depth');
    expect(pages.join(' ')).not.toContain('Housing / Bore');
  });

  it('says which characters its font lacks', async () => {
    const { pages } = await readPdf(await writtenReport(madeContent([madeCharacteristic(0, { name: 'Bohrung ⌀ 中文' })])));
    const all = pages.join(' ');
    expect(all).toContain('Bohrung ⌀ ??');
    expect(all).toContain('The font of reports lacks these characters, which stand as “?”: U+4E2D, U+6587.');
  });

  it('stands without characteristics, limits and values', async () => {
    const none = await readPdf(await writtenReport(madeContent([])));
    expect(none.pages.join(' ')).toContain('There are no characteristics.');
    const bare = madeCharacteristic(0, {
      limits: { sources: {} },
      count: 0,
      overall: {},
      within: {},
      now: 'noData',
      process: 'unknown',
      sparkline: [],
    });
    const { last: _last, mean: _mean, standardDeviation: _deviation, ...empty } = bare;
    for (const name of BUILT_IN_TEMPLATES) {
      const { pages } = await readPdf(await writtenReport(madeContent([empty]), { template: builtInTemplate(name) }));
      expect(pages.join(' ')).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it('says that it is not whole', async () => {
    const { pages } = await readPdf(await writtenReport(madeContent(rows(1), { isWhole: false })));
    expect(pages[0]).toContain('This report is not whole');
  });

  it('draws the charts of a characteristic with the names of its lines', async () => {
    const content = madeContent([], { withDetails: [madeDetail(0)] });
    const { pages } = await readPdf(await writtenReport(content, { template: builtInTemplate('characteristic') }));
    for (const text of ['Values over time', 'Histogram', 'Capability', 'tolerance', 'control', '20.036'])
      expect(pages.join(' ')).toContain(text);
  });

  it('shows the values out of tolerance of the most urgent characteristics, most of them first', async () => {
    const worst = [2, 31, 7].map((outOfTolerance, i) => ({ ...madeCharacteristic(i), outOfTolerance }));
    const { pages } = await readPdf(await writtenReport(madeContent(rows(3), { worst })));
    const all = pages[0] ?? '';
    const table = all.slice(all.indexOf('Most urgent'));
    expect([...table.matchAll(/Bore (\d) +20 +(\d+)/g)].slice(0, 3).map(([, bore, count]) => [bore, count])).toEqual([
      ['1', '31'],
      ['2', '7'],
      ['0', '2'],
    ]);
  });

  it('has the fields of AS9102 Rev C with their numbers: components in 15 to 18, gages in 12', async () => {
    const content = madeContent([madeCharacteristic(3, { attributes: { 2001: '4', 2402: 'CMM 2', 2900: 'cold' } })], {
      firstArticle: { indexOfParts: '4711-1\n4711-2', indexOfPartTypes: 'detail', baseline: '4711-0814' },
    });
    const { pages } = await readPdf(await writtenReport(content, { template: builtInTemplate('first-article') }));
    const [first = '', second = '', third = ''] = pages;
    const numbersOf = (text: string) => [...text.matchAll(/(?:^|\s)(\d{1,2})\. [A-Z]/g)].map(([, number]) => Number(number));
    expect(numbersOf(first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]);
    expect(numbersOf(second)).toEqual(Array.from({ length: 13 }, (_, i) => i + 1));
    expect(numbersOf(third)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    for (const text of ['15. Part number of each component', '17. Part type of each', '4711-2', '4711-0814']) expect(first).toContain(text);
    expect(third).toMatch(/12\. Additional data, comments.*CMM 2; cold/);
  });

  it('says below or above the tolerance in form 3, and prints what was typed for the part', async () => {
    const content = madeContent([madeCharacteristic(3, { value: '20.06', now: 'aboveTolerance' })], {
      firstArticle: { serialNumber: 'SN 12', organization: 'Example AG' },
    });
    const { pages } = await readPdf(await writtenReport(content, { template: builtInTemplate('first-article') }));
    const all = pages.join(' ');
    for (const text of ['SN 12', 'Example AG', '4711-0815', '20.060 (above tolerance)', '±0.050 mm']) expect(all).toContain(text);
  });
});
