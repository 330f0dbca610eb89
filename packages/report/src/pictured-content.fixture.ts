import type { Alarm, NowStatus, ProcessStatus } from '@sinebar/contracts';
import { madeCharacteristic, madeContent, madeDetail } from './made-content.fixture.ts';
import type { ReportCharacteristic, ReportContent } from './report-content.ts';
import type { BuiltInTemplate } from './templates/built-in.ts';

type Row = readonly [name: string, nominal: number, tolerance: number, unit: string, now: NowStatus, process: ProcessStatus, pk: number];

const ROWS: readonly Row[] = [
  ['Bearing seat A / Diameter', 52, 0.015, 'mm', 'inLimits', 'notCapable', 0.86],
  ['Bearing seat B / Diameter', 52, 0.015, 'mm', 'aboveTolerance', 'notStable', 0.94],
  ['Bearing seats / Coaxiality ◎', 0, 0.03, 'mm', 'inLimits', 'uncertain', 1.31],
  ['Flange / Flatness ⏥', 0, 0.02, 'mm', 'inLimits', 'capable', 1.71],
  ['Flange / Hole pattern / Position of hole 1', 0, 0.1, 'mm', 'inLimits', 'capable', 2.04],
  ['Flange / Hole pattern / Position of hole 2', 0, 0.1, 'mm', 'inLimits', 'capable', 1.98],
  ['Flange / Hole pattern / Position of hole 3', 0, 0.1, 'mm', 'inWarning', 'uncertain', 1.35],
  ['Shaft bore / Diameter ⌀20 H7', 20.0105, 0.0105, 'mm', 'inLimits', 'capable', 1.52],
  ['Shaft bore / Perpendicularity ⊥ to the flange', 0, 0.05, 'mm', 'inLimits', 'capable', 1.66],
  ['Length over all', 118.5, 0.2, 'mm', 'inLimits', 'capable', 2.41],
  ['Sealing face / Roughness Rz', 4, 2.3, 'µm', 'inLimits', 'uncertain', 1.28],
  ['Chamfer angle', 45, 1, '°', 'inLimits', 'capable', 1.83],
];
const AT = Date.UTC(2026, 2, 2, 8);
const HOUR_MS = 3_600_000;

const characteristics = ROWS.map(([name, nominal, tolerance, unit, now, process, pk], i): ReportCharacteristic => {
  const isOneSided = nominal === 0;
  const deviation = tolerance / (3 * pk) / (isOneSided ? 2 : 1);
  const mean = isOneSided ? tolerance / 2 : nominal + tolerance * 0.1;
  const values = Array.from({ length: 20 }, (_, k) => Number((mean + Math.sin(i + k * 2.3) * Math.cos(k) * deviation * 1.6).toFixed(4)));
  const last = now === 'aboveTolerance' ? nominal + tolerance * 1.2 : now === 'inWarning' ? tolerance * 0.9 : values.at(-1)!;
  return madeCharacteristic(i, {
    name,
    attributes: {
      2001: String((i + 1) * 10),
      2005: i < 3 ? 'critical' : 'main',
      2142: unit,
      2402: i < 9 ? 'CMM 2' : 'Gauge 14',
    },
    limits: {
      ...(isOneSided ? { lowerBoundary: 0 } : { nominal, lowerTolerance: nominal - tolerance }),
      upperTolerance: nominal + tolerance,
      sources: {},
    },
    count: 125,
    last: { value: last, status: now === 'aboveTolerance' || now === 'inWarning' ? now : 'inLimits', measurementUuid: 'm' },
    mean,
    standardDeviation: deviation,
    overall: { p: pk + 0.11, pk },
    within: { p: pk + 0.19, pk: pk + 0.07 },
    now,
    process,
    sparkline: values,
    value: last.toFixed(4),
  });
});

const alarm = (i: number, about: Partial<Alarm>): Alarm => ({
  uuid: `a${i}`,
  state: 'closed',
  kind: 'tolerance',
  partUuid: 'p',
  partPath: 'P:/Pump/Housing/',
  characteristicPath: `PC:/Pump/Housing/${ROWS[i % ROWS.length]![0].replaceAll(' / ', '/')}/`,
  raised: new Date(AT + i * 31 * HOUR_MS).toISOString(),
  points: 1,
  value: 52.018,
  limits: { lower: 51.985, upper: 52.015 },
  muted: false,
  old: false,
  user: 'ada',
  acknowledged: new Date(AT + (i * 31 + 0.4) * HOUR_MS).toISOString(),
  causeText: 'Tool worn',
  actionText: 'Tool changed',
  ...about,
});
const ALARMS: readonly Alarm[] = [
  alarm(1, { note: 'Insert 3 replaced; the first part afterwards was measured.' }),
  alarm(0, {
    kind: 'rule',
    rule: 'nelson2',
    on: 'location',
    state: 'acknowledged',
    causeText: 'Temperature',
    actionText: 'Measured again',
  }),
];

/** Content as a plant has it, for pictures; new for each report, since its lists are read once. */
export function picturedContent(template: BuiltInTemplate): ReportContent {
  const withDetails = characteristics.slice(0, 2).map((about, i) => {
    const detail = madeDetail(7);
    return {
      ...detail,
      characteristic: {
        ...detail.characteristic,
        name: about.name,
        attributes: about.attributes,
        process: 'uncertain' as const,
        now: 'inLimits' as const,
      },
      alarms: i === 0 ? [] : ALARMS.slice(0, 1),
    };
  });
  return madeContent(characteristics, {
    withDetails,
    withAlarms: ALARMS,
    ...(template === 'measurement' && { measurement: { time: new Date(AT).toISOString(), attributes: { 14: 'SN 2026-0412' } } }),
    attributeNames: {
      1001: 'Part number',
      1002: 'Part description',
      1041: 'Drawing number',
      1062: 'Customer',
      2005: 'Class',
      14: 'Serial number',
    },
    worst: [3, 17, 8, 1].map((outOfTolerance, i) => ({ ...characteristics[[1, 0, 2, 6][i]!]!, outOfTolerance })),
    firstArticle: { serialNumber: 'SN 2026-0412', reportNumber: 'FAI-118', organization: 'Example AG', material: 'EN AC-46000' },
  });
}
