import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { builtInTemplate, type ReportCharacteristic } from '@sinebar/report';
import type { ReportHead, RowsName } from './report-messages.ts';
import { ReportWriter, type RowSources } from './report-writer.ts';

/** More pages than the pipe of the process holds. */
const ROWS = 6000;
/** Time for which the client reads nothing, ms. */
const PAUSE_MS = 3000;

const NO_COUNTS = {
  now: { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0 },
  process: { capable: 0, uncertain: 0, notCapable: 0, notStable: 0, unknown: 0 },
};
const HEAD: ReportHead = {
  part: { uuid: 'p', names: ['Pump'], attributes: {} },
  attributeNames: {},
  total: ROWS,
  totals: NO_COUNTS,
  worst: [],
  alarmTotal: 0,
  firstArticle: {},
  isWhole: true,
};

/** A row whose texts can hardly be compressed. */
function row(i: number): ReportCharacteristic {
  return {
    uuid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `Bore ${Math.sin(i)}`,
    attributes: {},
    limits: { sources: {} },
    count: 0,
    now: 'noData',
    process: 'unknown',
    sparkline: [],
  };
}

it('writes the whole report to a client that pauses', async () => {
  const rows: Record<RowsName, () => AsyncIterator<never[]>> = { characteristics: none, details: none, alarms: none };
  const sources = { ...rows, characteristics: batches } as RowSources;
  let sizeBytes = 0;
  let end = '';
  const output = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      const isFirst = sizeBytes === 0;
      sizeBytes += chunk.length;
      end = (end + chunk.toString('latin1')).slice(-6);
      void delay(isFirst ? PAUSE_MS : 0).then(() => done());
    },
  });
  const request = { template: builtInTemplate('capability-list'), language: 'en', to: '2026-02-01T00:00:00.000Z', author: '' } as const;
  const signal = AbortSignal.timeout(50_000);
  const pages = await new ReportWriter().write({ request, head: HEAD, format: 'pdf', sources, zone: 'UTC' }, output, signal);
  expect(pages).toBeGreaterThan(50);
  expect(sizeBytes).toBeGreaterThan(400_000);
  expect(end.trim()).toBe('%%EOF');
});

async function* batches(): AsyncGenerator<ReportCharacteristic[]> {
  for (let start = 0; start < ROWS; start += 500) yield await Promise.resolve(Array.from({ length: 500 }, (_, i) => row(start + i)));
}

async function* none(): AsyncGenerator<never[]> {
  // The report has no rows.
}
