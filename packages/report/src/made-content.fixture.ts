import type { Alarm, CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import type { ReportCharacteristic, ReportContent, ReportDetail } from './report-content.ts';

const ZERO_COUNTS = {
  now: { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0 },
  process: { capable: 0, uncertain: 0, notCapable: 0, notStable: 0, unknown: 0 },
};

/** A characteristic with 20 values around 20 mm. */
export function madeCharacteristic(i: number, about: Partial<ReportCharacteristic> = {}): ReportCharacteristic {
  const values = Array.from({ length: 20 }, (_, k) => 20 + Math.sin(i + k * 1.7) * 0.03);
  return {
    uuid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `Bore ${i}`,
    attributes: { 2001: String(i + 1), 2142: 'mm' },
    limits: { nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05, sources: {} },
    count: 20,
    last: { value: values.at(-1)!, status: 'inLimits', measurementUuid: 'm' },
    mean: 20.00123456789,
    standardDeviation: 0.012345678901,
    overall: { p: 1.35, pk: 1.3333333333 },
    within: { p: 1.4, pk: 1.39 },
    now: i % 17 === 3 ? 'aboveTolerance' : 'inLimits',
    process: (['capable', 'uncertain', 'notCapable', 'notStable'] as const)[i % 4]!,
    sparkline: values,
    ...about,
  };
}

async function* iterate<T>(rows: Iterable<T>): AsyncGenerator<T> {
  for (const row of rows) yield await Promise.resolve(row);
}

/** Content of a report with these characteristics. */
export function madeContent(
  rows: readonly ReportCharacteristic[],
  about: Partial<ReportContent> & { withDetails?: readonly ReportDetail[]; withAlarms?: readonly Alarm[] } = {},
): ReportContent {
  const { withDetails = [], withAlarms = [], ...rest } = about;
  const totals = structuredClone(ZERO_COUNTS);
  for (const { now, process } of rows) {
    totals.now[now] += 1;
    totals.process[process] += 1;
  }
  return {
    part: {
      uuid: 'p',
      names: ['Pump', 'Housing'],
      attributes: { 1001: '4711-0815', 1002: 'Pump housing, left', 1041: 'Z-100', 1062: 'Example AG' },
    },
    attributeNames: { 1001: 'Part number', 1002: 'Part description', 1041: 'Drawing number', 1062: 'Customer', 2005: 'Class' },
    total: rows.length,
    characteristics: iterate(rows),
    details: iterate(withDetails),
    totals,
    worst: rows.slice(0, 5).map((row, i) => ({ ...row, outOfTolerance: i })),
    alarmTotal: withAlarms.length,
    alarms: iterate(withAlarms),
    firstArticle: {},
    isWhole: true,
    ...rest,
  };
}

const time = (i: number) => new Date(Date.UTC(2026, 2, 2, 8, i)).toISOString();

/** A characteristic with a chart of single values. */
export function madeDetail(i: number, about: Partial<ReportCharacteristic> = {}): ReportDetail {
  const characteristic = madeCharacteristic(i, about);
  const points = characteristic.sparkline.map((value, k) => ({
    time: time(k),
    value,
    measurementUuid: `m${k}`,
    status: 'inLimits' as const,
  }));
  const chart = {
    type: 'individuals' as const,
    subgroupSize: 1,
    sigmaMethod: 'movingRange' as const,
    sigma: 0.012,
    location: { centerLine: 20, lower: 19.964, upper: 20.036 },
    variation: { centerLine: 0.0135, lower: 0, upper: 0.044 },
    baseline: { count: 20 },
  };
  const edges = Array.from({ length: 8 }, (_, k) => 19.96 + k * 0.0125);
  const index = (name: string, value: number) => ({ name, value, lower: value - 0.3, upper: value + 0.3 });
  const summary: CharacteristicSummary = {
    characteristicUuid: characteristic.uuid,
    partUuid: 'p',
    path: `PC:/Pump/${characteristic.name}/`,
    count: 20,
    missing: 0,
    firstTime: time(0),
    lastTime: time(19),
    minimum: Math.min(...characteristic.sparkline),
    maximum: Math.max(...characteristic.sparkline),
    mean: 20,
    median: 20,
    standardDeviation: 0.012,
    limits: characteristic.limits,
    counts: { inLimits: 20, inWarning: 0, belowTolerance: 0, aboveTolerance: 0 },
    chart,
    capability: {
      convention: 'aiagVda',
      confidence: 0.95,
      pk: { ...index('Ppk', 1.33), from: 'normal' },
      normal: {
        overall: { sigma: 0.0125, p: index('Pp', 1.35), pk: index('Ppk', 1.33) },
        within: { sigma: 0.012, p: index('Cp', 1.4), pk: index('Cpk', 1.39) },
      },
    },
    assessment: { stable: 'yes', normal: 'yes', capable: 'uncertain', required: { value: 1.33, source: 'default' } },
    histogram: { edges, counts: edges.slice(1).map((_, k) => k + 1) },
  };
  const series: CharacteristicSeries = { count: 20, offset: 0, kind: 'values', values: points, newest: points, chart, ruleHits: [] };
  return { characteristic, summary, series, notes: [], alarms: [] };
}
