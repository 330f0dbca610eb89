import type {
  Characteristic,
  Measurement,
  MeasurementWithValues,
  NowStatus,
  Part,
  PartOverview,
  ProcessStatus,
  RawDataInformation,
} from '@sinebar/client';
import { FakeServer } from './fake-server.fixture';

/** A small car door for tests of pages: one part, three characteristics, three measurements, four files. */
export const DOOR = '10000000-0000-4000-8000-000000000001';
export const GAP_LEFT = '20000000-0000-4000-8000-000000000001';
export const GAP_RIGHT = '20000000-0000-4000-8000-000000000002';
export const FLUSH = '20000000-0000-4000-8000-000000000003';
export const NEWEST = '30000000-0000-4000-8000-000000000003';
export const MIDDLE = '30000000-0000-4000-8000-000000000002';
export const OLDEST = '30000000-0000-4000-8000-000000000001';

const WRITTEN = '2026-05-08T21:42:07.000Z';
const LIMITS = { 2101: '20.000', 2110: '19.95', 2111: '20.05', 8014: '19.96', 8015: '20.04', 2142: 'mm' };

export const door: Part = {
  uuid: DOOR,
  path: 'P:/Car door/',
  attributes: { 1003: 'DR-4471 C' },
  version: 0,
  timestamp: WRITTEN,
  charChangeDate: WRITTEN,
};

export const characteristics: Characteristic[] = [
  [GAP_LEFT, 'Gap left'],
  [GAP_RIGHT, 'Gap right'],
  [FLUSH, 'Flush'],
].map(([uuid = '', name]) => ({ uuid, path: `PC:/Car door/${name}/`, attributes: LIMITS, version: 0, timestamp: WRITTEN }));

const TIMES: Readonly<Record<string, string>> = {
  [OLDEST]: '2026-05-08T21:20:00Z',
  [MIDDLE]: '2026-05-08T21:31:00Z',
  [NEWEST]: '2026-05-08T21:41:52Z',
};
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [OLDEST]: { [GAP_LEFT]: '20.001', [GAP_RIGHT]: '20.002' },
  [MIDDLE]: { [GAP_LEFT]: '20.034', [GAP_RIGHT]: '20.000' },
  [NEWEST]: { [GAP_LEFT]: '20.053', [GAP_RIGHT]: '20.010' },
};

export function measurement(uuid: string): Measurement {
  const isNewest = uuid === NEWEST;
  return {
    uuid,
    partUuid: DOOR,
    attributes: { 4: TIMES[uuid] ?? '', 14: `447124${uuid.slice(-3)}`, 10: isNewest ? '2' : '3' },
    lastModified: WRITTEN,
    created: WRITTEN,
    status: [
      { id: 'Green', count: isNewest ? 1 : 2, uuid: isNewest ? [GAP_RIGHT] : [GAP_LEFT, GAP_RIGHT] },
      { id: 'Yellow', count: 0, uuid: [] },
      { id: 'Red', count: isNewest ? 1 : 0, uuid: isNewest ? [GAP_LEFT] : [] },
    ],
  };
}

export function measurementWithValues(uuid: string): MeasurementWithValues {
  const values = Object.entries(VALUES[uuid] ?? {}).map(([characteristic, value]) => [characteristic, { '1': value }]);
  return { ...measurement(uuid), characteristics: Object.fromEntries(values) as MeasurementWithValues['characteristics'] };
}

export function file(key: number, fileName: string, mimeType: string, more: Partial<RawDataInformation> = {}): RawDataInformation {
  const at = `2026-05-0${key + 1}T08:00:00.000Z`;
  return {
    target: { entity: 'Part', uuid: DOOR },
    key,
    fileName,
    mimeType,
    lastModified: at,
    created: at,
    size: 2_400_000,
    md5: 'x',
    ...more,
  };
}

const CONFIGURATION = {
  partAttributes: [{ definitionType: 'AttributeDefinition', key: 1003, description: 'Drawing', type: 'AlphaNumeric', length: 30 }],
  characteristicAttributes: [],
  measurementAttributes: [
    { definitionType: 'AttributeDefinition', key: 4, description: 'Time', type: 'DateTime' },
    { definitionType: 'AttributeDefinition', key: 14, description: 'Serial no.', type: 'AlphaNumeric', length: 40 },
    { definitionType: 'CatalogAttributeDefinition', key: 10, description: 'Machine', catalog: 'machines' },
  ],
  valueAttributes: [],
  catalogAttributes: [{ definitionType: 'AttributeDefinition', key: 4063, description: 'Machine', type: 'AlphaNumeric', length: 40 }],
  versioningType: 'Off',
};
const CATALOGS = [
  {
    uuid: 'machines',
    name: 'Machines',
    validAttributes: [4063],
    catalogEntries: [
      { key: 2, attributes: { 4063: 'CMM 2' } },
      { key: 3, attributes: { 4063: 'CMM 3' } },
    ],
  },
];

const limits = { nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05, lowerWarning: 19.96, upperWarning: 20.04, sources: {} };
/** Words of the newest value and of the process. */
const statusesOf = (value: number | undefined, pk: number): { now: NowStatus; process: ProcessStatus } => {
  if (value === undefined) return { now: 'noData', process: 'unknown' };
  return { now: value > 20.05 ? 'aboveTolerance' : 'inLimits', process: pk < 1.33 ? 'notCapable' : 'uncertain' };
};
const entry = (uuid: string, name: string, value: number | undefined, pk: number): PartOverview['characteristics'][number] => ({
  uuid,
  path: `PC:/Car door/${name}/`,
  name,
  count: value === undefined ? 0 : 5000,
  ...statusesOf(value, pk),
  ...(value !== undefined && {
    last: { time: WRITTEN, value, status: value > 20.05 ? ('aboveTolerance' as const) : ('inLimits' as const), measurementUuid: NEWEST },
    mean: 20.0093,
    standardDeviation: 0.0144,
    overall: { p: 1.16, pk },
  }),
  limits,
  sparkline: value === undefined ? [] : [20, value],
});

const PROCESS_WORDS = ['capable', 'uncertain', 'notCapable', 'notStable', 'unknown'];

/** Whether a status is one of those that the request names of its kind, where it names any. */
const isWanted = (status: string, kind: 'now' | 'process', wanted: readonly string[]) => {
  const ofKind = wanted.filter((word) => PROCESS_WORDS.includes(word) === (kind === 'process'));
  return ofKind.length === 0 || ofKind.includes(status);
};

/** A characteristic whose process has a step, and whose index is that of a model. */
const unstable: PartOverview['characteristics'][number] = {
  ...entry(GAP_LEFT, 'Gap left', 20.053, 0.94),
  process: 'notStable',
  since: { kind: 'step', on: 'location', time: '2026-05-08T21:31:00Z', measurementUuid: MIDDLE, from: 20.001, to: 20.04 },
  model: { name: 'weibullMirrored', asOf: WRITTEN },
};

/** A characteristic with a value and no limits. */
const unlimited: PartOverview['characteristics'][number] = {
  ...entry(FLUSH, 'Flush', 0.2, 0),
  now: 'noLimits',
  process: 'unknown',
  limits: { sources: {} },
};

/**
 * A server with the car door.
 * @param options.isFlushUnlimited whether the flush has a value and no limits, in place of no value
 * @param options.isGapUnstable whether the process of the left gap has a step
 */
export function doorServer({ isFlushUnlimited = false, isGapUnstable = false } = {}): FakeServer {
  const all = [NEWEST, MIDDLE, OLDEST];
  const named = (url: URL, name: string) =>
    (url.searchParams.get(name) ?? '')
      .replace(/[{}]/g, '')
      .split(',')
      .filter((uuid) => uuid !== '');
  return new FakeServer({
    'GET /dataServiceRest/configuration': () => CONFIGURATION,
    'GET /dataServiceRest/catalogs': () => CATALOGS,
    'GET /dataServiceRest/permissions': () => ({
      userName: '',
      partRights: { 'measurement:write': ['/'], 'rawData:write': ['/'], 'measurement:read': ['/'], 'plan:read': ['/'] },
      serverRights: [],
    }),
    'GET /dataServiceRest/parts': () => [door],
    'GET /dataServiceRest/parts/:uuid': () => door,
    'GET /dataServiceRest/characteristics': () => characteristics,
    'GET /dataServiceRest/inspectionPlanItems': () => [door, ...characteristics],
    'GET /dataServiceRest/measurements': ({ url }) => {
      const condition = url.searchParams.get('searchCondition') ?? '';
      const wanted = named(url, 'measurementUuids');
      const from = /4>=\[([^\]]+)/.exec(condition)?.[1];
      const to = /4<=\[([^\]]+)/.exec(condition)?.[1];
      const found = all
        .filter((uuid) => wanted.length === 0 || wanted.includes(uuid))
        .filter((uuid) => (from === undefined || (TIMES[uuid] ?? '') >= from) && (to === undefined || (TIMES[uuid] ?? '') <= to))
        .filter(() => !condition.includes('10In[9]'));
      return (url.searchParams.get('order') === '4 asc' ? found.reverse() : found).map(measurement);
    },
    'GET /dataServiceRest/values/:uuid': ({ url }) => measurementWithValues(url.pathname.split('/').at(-1) ?? ''),
    'GET /analysisServiceRest/parts/:uuid/statuses': () => ({
      characteristics: [
        [GAP_LEFT, 'aboveTolerance', 'notCapable', 0.94],
        [GAP_RIGHT, 'inLimits', 'uncertain', 1.4],
        [FLUSH, isFlushUnlimited ? 'noLimits' : 'noData', 'unknown'],
      ],
    }),
    'GET /analysisServiceRest/settings': () => ({ zone: 'UTC', shifts: [], revision: 0 }),
    'GET /analysisServiceRest/parts/:uuid/changes': () => ({ total: 0, offset: 0, changes: [] }),
    'GET /analysisServiceRest/parts/:uuid/children': () => ({ children: [] }),
    'GET /analysisServiceRest/parts/:uuid/overview': ({ url }) => {
      const entries = [
        isGapUnstable ? unstable : entry(GAP_LEFT, 'Gap left', 20.053, 0.94),
        entry(GAP_RIGHT, 'Gap right', 20.01, 1.4),
        isFlushUnlimited ? unlimited : entry(FLUSH, 'Flush', undefined, 0),
      ];
      const statuses = named(url, 'statuses');
      const found = entries.filter(
        ({ name, now, process }) =>
          name.toLowerCase().includes((url.searchParams.get('find') ?? '').toLowerCase()) &&
          isWanted(now === 'aboveTolerance' ? 'outOfTolerance' : now, 'now', statuses) &&
          isWanted(process, 'process', statuses),
      );
      return {
        total: found.length,
        offset: 0,
        totals: {
          now: { inLimits: 1, inWarning: 0, belowTolerance: 0, aboveTolerance: 1, noLimits: 0, noData: 1 },
          process: { capable: 0, uncertain: 1, notCapable: 1, notStable: 0, unknown: 1 },
        },
        characteristics: found,
      };
    },
    'GET /rawDataServiceRest/rawDataInformation/Part': () => [
      file(0, 'door-fixture.jpg', 'image/jpeg'),
      file(1, 'setup.txt', 'text/plain', { size: 40 }),
      file(2, 'points.zip', 'application/zip'),
    ],
    'GET /rawDataServiceRest/rawDataInformation/Characteristic': () => [],
    'GET /rawDataServiceRest/rawDataInformation/Measurement': () => [
      file(3, 'report.pdf', 'application/pdf', { target: { entity: 'Measurement', uuid: NEWEST } }),
    ],
    'GET /rawDataServiceRest/rawDataInformation/Value': () => [],
    'GET /rawDataServiceRest/rawData/Part/:uuid/1': () => new Response('Clamp 1 and 3 first,\nthen 2; wait 30 s.'),
    'GET /rawDataServiceRest/rawData/Part/:uuid/2/ArchiveEntries': () => [
      { archiveInfo: file(2, 'points.zip', 'application/zip'), entries: ['points/', 'points/frame.csv', 'log.txt'] },
    ],
    'GET /rawDataServiceRest/rawData/Part/:uuid/2/ArchiveContent/points/frame.csv': () => new Response('x;y;z\n1;2;3'),
    'GET /rawDataServiceRest/rawData/Part/:uuid/2/ArchiveContent/log.txt': () => new Response('measured'),
  });
}
