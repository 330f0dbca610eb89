import { Writable } from 'node:stream';
import { builtInTemplate, readFonts, type ReportCharacteristic, type ReportContent } from '@sinebar/report';
import { writeReport } from '@sinebar/report/write-report';
import { writeReportTable } from '@sinebar/report/write-report-table';

/** A report to write. */
export interface ReportOrder {
  readonly rows: number;
  readonly format: 'pdf' | 'xlsx';
}

/** Duration and size of it. */
export interface ReportTime {
  readonly seconds: number;
  readonly megabytes: number;
}

const POINTS = 32;

process.once('message', (order: ReportOrder) => void write(order));
process.send?.('ready');

async function write({ rows, format }: ReportOrder): Promise<void> {
  let bytes = 0;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  const request = { template: builtInTemplate('capability-list'), language: 'en', to: '2026-03-31T12:00:00.000Z', author: 'Ann' } as const;
  const { signal } = new AbortController();
  const content = contentOf(rows);
  const start = performance.now();
  if (format === 'pdf') await writeReport(request, content, { output, fonts: readFonts(), signal });
  else await writeReportTable(request, content, { output, signal });
  process.send?.({ seconds: (performance.now() - start) / 1000, megabytes: bytes / 1e6 } satisfies ReportTime);
}

function contentOf(total: number): ReportContent {
  async function* characteristics(): AsyncGenerator<ReportCharacteristic> {
    for (let i = 0; i < total; i += 1) yield await Promise.resolve(characteristicOf(i));
  }
  async function* none(): AsyncGenerator<never> {}
  return {
    part: { uuid: 'p', names: ['Pump', 'Housing'], attributes: { 1001: '4711-0815' } },
    attributeNames: { 2005: 'Class' },
    total,
    characteristics: characteristics(),
    details: none(),
    totals: {
      now: { inLimits: total, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0 },
      process: { capable: total, uncertain: 0, notCapable: 0, notStable: 0, unknown: 0 },
    },
    worst: [],
    alarmTotal: 0,
    alarms: none(),
    firstArticle: {},
    isWhole: true,
  };
}

/** A characteristic whose values are different from those of all others. */
function characteristicOf(i: number): ReportCharacteristic {
  const sparkline = Array.from({ length: POINTS }, (_, k) => 20 + Math.sin(i + k * 1.7) * 0.03);
  return {
    uuid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `Frame ${i % 40} / Bore ${i}`,
    attributes: { 2001: String(i + 1), 2005: String(i % 4), 2142: 'mm' },
    limits: { nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05, sources: {} },
    count: 125 + i,
    mean: 20 + Math.sin(i) * 0.01,
    standardDeviation: 0.01 + (i % 97) * 0.0001,
    overall: { p: 1 + (i % 83) / 100, pk: 0.9 + (i % 89) / 100 },
    within: { p: 1 + (i % 79) / 100, pk: 0.9 + (i % 73) / 100 },
    now: 'inLimits',
    process: 'capable',
    sparkline,
  };
}
