/** Uuids of the items that {@link readAddresses} reads. */
export interface KnownUuids {
  line: string;
  door: string;
  side: string;
  other: string;
  gap: string;
  flush: string;
  catalog: string;
  /** Alarm of the characteristic `gap`. */
  alarm: string;
  /** About a measurement of `door` and the characteristic `gap`. */
  note: string;
  /** A measurement of the part `door` with a file, and one of `side` with a file of its value of `flush`. */
  ofDoor: string;
  ofSide: string;
}

/** Reads whose answers differ on two servers with the same content. */
export const NOT_COMPARED: Readonly<Record<string, string>> = {
  '/dataServiceRest/accessPolicy': 'the policy file of the server, which an archive does not hold',
  '/dataServiceRest/pendingOperations/{uuid}': 'deletions in the background that were asked of this server',
  '/analysisServiceRest/characteristics/{uuid}/evaluation/history': 'who changed it when on this server',
  '/analysisServiceRest/parts/{uuid}/changes': 'what has changed when on this server',
  '/analysisServiceRest/parts/{uuid}/evaluation/history': 'who changed it when on this server',
  '/analysisServiceRest/settings': 'settings of the plant, which an archive does not hold',
  '/analysisServiceRest/settings/history': 'settings of the plant, which an archive does not hold',
  '/analysisServiceRest/settings/shift': 'settings of the plant, which an archive does not hold',
  '/analysisServiceRest/views': 'views of users, which an archive does not hold',
  '/analysisServiceRest/views/{uuid}': 'views of users, which an archive does not hold',
  '/alarmServiceRest/deliveries': 'messages that this server has sent',
  '/alarmServiceRest/deliveries/{uuid}': 'messages that this server has sent',
  '/alarmServiceRest/receivers': 'settings of the server, and claims of the user',
  '/alarmServiceRest/subscriptions': 'subscriptions of users, which an archive does not hold',
  '/alarmServiceRest/subscriptions/{uuid}': 'subscriptions of users, which an archive does not hold',
  '/alarmServiceRest/subscriptions/{uuid}/unsubscribe': 'subscriptions of users, which an archive does not hold',
  '/alarmServiceRest': 'versions only',
  '/reportServiceRest': 'versions only',
  '/reportServiceRest/templates': 'templates of the product, and files of the plant',
  '/reportServiceRest/reports': 'kept reports, which an archive does not hold',
  '/reportServiceRest/reports/{uuid}': 'kept reports, which an archive does not hold',
  '/reportServiceRest/reports/{uuid}/content': 'kept reports, which an archive does not hold',
  '/reportServiceRest/schedules': 'schedules of users, which an archive does not hold',
  '/reportServiceRest/schedules/{uuid}': 'schedules of users, which an archive does not hold',
  '/reportServiceRest/schedules/{uuid}/runs': 'schedules of users, which an archive does not hold',
  '/reportServiceRest/firstArticle/{partUuid}': 'what is typed for reports, which an archive does not hold',
  '/alarmServiceRest/mutes': 'planned stops, which an archive does not hold',
  '/exchangeServiceRest/mappings': 'mappings of tables, which an archive does not hold',
  '/exchangeServiceRest/mappings/{name}': 'mappings of tables, which an archive does not hold',
  '/exchangeServiceRest': 'versions only',
  '/exchangeServiceRest/values': 'the values of /dataServiceRest/values as a file',
  '/eventServiceRest/changes': 'each server numbers its own changes, from its own beginning',
  '/.well-known/ServerConfiguration': 'a setting of the server: how clients sign in',
  '/oAuthServiceRest/oAuthConfiguration': 'a setting of the server: its provider',
  '/oAuthServiceRest/oauthTokenInformation': 'a setting of the server: its provider',
  '/': 'leads browsers to the console',
  '/console': 'a page, the same on every server of a version',
  '/console/assets/{file}': 'a page, the same on every server of a version',
  '/console/logo': 'a setting of the server: the logo of its company',
  '/console/{view}': 'a page, the same on every server of a version',
  '/healthServiceRest': 'the state of the process',
  '/healthServiceRest/ready': 'the state of the process',
  '/healthServiceRest/live': 'the state of the process',
  '/healthServiceRest/all/ready': 'the state of the process',
  '/healthServiceRest/all/live': 'the state of the process',
};

const FILES = '/rawDataServiceRest/rawData';
const DATA = '/dataServiceRest';
const ANALYSIS = '/analysisServiceRest';
const ALARMS = '/alarmServiceRest/alarms';

/** Addresses by the path of their route in the OpenAPI documents. The addresses of a route together use all its parameters. */
export function readAddresses(known: KnownUuids): Readonly<Record<string, string[]>> {
  const { line, door, side, other, gap, flush, catalog, alarm, note, ofDoor, ofSide } = known;
  const lineAndDoor = `{${line},${door}}`;
  const bothMeasurements = `{${ofDoor},${ofSide}}`;
  const measured = [
    '',
    `measurementUuids=${bothMeasurements}`,
    `partUuids={${door},${side}}&order=31003 asc,4 desc`,
    `partPath=/Line 1\\/2/Tür&deep=true&order=4 asc&limitResult=50`,
    `partPath=/Line 1\\/2/Tür&deep=true&limitResultPerPart=20`,
    'searchCondition=31003=[3]%2B4>[2023-11-14T22:13:40Z]',
    'searchCondition=31004=[X]&caseSensitive=false&aggregation=All',
    'fromModificationDate=2000-01-01T00:00:00Z&toModificationDate=2100-01-01T00:00:00Z',
    'aggregation=All',
  ];
  const merged = [
    `partUuids={${side},${other}}&mergeAttributes={31005}&aggregation=All`,
    `partUuids={${door},${side},${other}}&mergeAttributes={31005}&mergeCondition=MeasurementsInAtLeastTwoParts&mergeMasterPart=${other}&aggregation=All`,
  ];
  const parts = ['depth=99', `partUuids=${lineAndDoor}`, 'partPath=/Line 1\\/2&depth=2', 'depth=99&searchCondition=31002=[red]'];
  const characteristics = [
    'partPath=/Line 1\\/2/Tür&depth=9',
    `charUuids={${gap},${flush}}`,
    'partPath=/Line 1\\/2/Tür&searchCondition=2101=[1.5]',
  ];
  const items = [
    'depth=99',
    'paths={/Line 1\\/2/Tür}&depth=1&restrictToEntity=Part',
    `parentUuids={${door}}`,
    `itemUuids={${side},${gap}}`,
    'depth=99&searchCondition=31002=[red]',
  ];
  const values = [
    '',
    'searchCondition=31003=[3]&caseSensitive=false&aggregation=All&limitResult=50',
    `from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&exclude={${ofDoor}}`,
    'fromModificationDate=2000-01-01T00:00:00Z&toModificationDate=2100-01-01T00:00:00Z',
  ];
  const charts = [
    'subgroup=5&chart=xbarS&sigma=pooled&rules=nelson,westernElectric&convention=minitab',
    'baselineFrom=2000-01-01T00:00:00Z&baselineTo=2100-01-01T00:00:00Z',
  ];
  const alarms = [
    '',
    `partUuid=${door}&kind={tolerance}&state={raised,closed}&told=false`,
    `characteristicUuid=${gap}&from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`,
    'partPath=/Line 1\\/2',
  ];
  const below = (path: string, queries: readonly string[]) => queries.map((query) => (query === '' ? path : `${path}?${query}`));
  const targets = [`part/${door}`, `characteristic/${gap}`, `measurement/${ofDoor}`, `value/${ofSide}|${flush}`];
  const lists = ['part', 'characteristic', 'measurement', 'value'];
  const listings = (path: string) => [
    ...lists.map((entity) => `${path}/${entity}`),
    `${path}/part?uuids=${lineAndDoor}`,
    `${path}/part?filter=FileName like '*.bin'`,
    `${path}/value?uuids={${ofSide}|${flush}}`,
    `${path}/part?partPath=/Line 1\\/2`,
    `${path}/measurement?measurementUuids=${bothMeasurements}`,
  ];
  return {
    [DATA]: [DATA],
    [`${DATA}/openapi.json`]: [`${DATA}/openapi.json`],
    [`${DATA}/serviceInformation`]: [`${DATA}/serviceInformation`],
    [`${DATA}/configuration`]: [`${DATA}/configuration`],
    [`${DATA}/catalogs`]: [`${DATA}/catalogs`],
    [`${DATA}/catalogs/{uuid}`]: [`${DATA}/catalogs/${catalog}`],
    [`${DATA}/parts`]: below(`${DATA}/parts`, [...parts, 'depth=99&requestedPartAttributes={31002}', 'depth=99&withHistory=true']),
    [`${DATA}/parts/count`]: below(`${DATA}/parts/count`, parts),
    [`${DATA}/parts/{uuid}`]: below(`${DATA}/parts/${door}`, ['', 'requestedPartAttributes=None', 'withHistory=true']),
    [`${DATA}/characteristics`]: below(`${DATA}/characteristics`, [
      ...characteristics,
      'partPath=/Line 1\\/2/Tür&requestedCharacteristicAttributes={2110}&withHistory=true',
    ]),
    [`${DATA}/characteristics/count`]: below(`${DATA}/characteristics/count`, characteristics),
    [`${DATA}/characteristics/{uuid}`]: below(`${DATA}/characteristics/${gap}`, [
      '',
      'requestedCharacteristicAttributes={2110}',
      'withHistory=true',
    ]),
    [`${DATA}/inspectionPlanItems`]: below(`${DATA}/inspectionPlanItems`, [
      ...items,
      'depth=99&requestedPartAttributes={31002}&requestedCharacteristicAttributes={2101}&withHistory=true',
    ]),
    [`${DATA}/inspectionPlanItems/count`]: below(`${DATA}/inspectionPlanItems/count`, items),
    [`${DATA}/measurements`]: below(`${DATA}/measurements`, [
      ...measured,
      ...merged,
      'statistics=Simple',
      'statistics=Detailed&aggregation=All',
      'requestedMeasurementAttributes={4}',
    ]),
    [`${DATA}/measurements/count`]: below(
      `${DATA}/measurements/count`,
      measured.map((query) => query.replace(/&(order|limit\w+)=[^&]*/g, '')),
    ),
    [`${DATA}/measurements/{uuid}`]: below(`${DATA}/measurements/${ofDoor}`, [
      'statistics=Detailed',
      'requestedMeasurementAttributes={31003}&aggregation=All',
    ]),
    [`${DATA}/distinctMeasurementAttributeValues`]: below(
      `${DATA}/distinctMeasurementAttributeValues`,
      measured.map((query) => `key=${query.includes('31004') ? 31_004 : 31_003}${query === '' ? '' : '&'}${query}`),
    ),
    [`${DATA}/values`]: below(`${DATA}/values`, [
      ...measured,
      ...merged,
      'requestedMeasurementAttributes={4}&requestedValueAttributes={1}',
      `characteristicUuids={${flush}}`,
    ]),
    [`${DATA}/values/{uuid}`]: below(`${DATA}/values/${ofSide}`, [
      '',
      `requestedMeasurementAttributes=None&requestedValueAttributes={1}&characteristicUuids={${flush}}&aggregation=All`,
    ]),
    [`${DATA}/attributes/{key}/{value}`]: [`${DATA}/attributes/31002/red`, `${DATA}/attributes/31003/3`, `${DATA}/attributes/31001/press`],
    [`${DATA}/permissions`]: below(`${DATA}/permissions`, ['', 'partPath=/Line 1\\/2']),
    [ANALYSIS]: [ANALYSIS],
    [`${ANALYSIS}/characteristics/{uuid}/evaluation`]: [`${ANALYSIS}/characteristics/${gap}/evaluation`],
    [`${ANALYSIS}/parts/{uuid}/evaluation`]: [`${ANALYSIS}/parts/${line}/evaluation`],
    [`${ANALYSIS}/parts/{uuid}/evaluations`]: [`${ANALYSIS}/parts/${line}/evaluations`],
    [`${ANALYSIS}/characteristics/{uuid}/summary`]: below(`${ANALYSIS}/characteristics/${gap}/summary`, [
      ...values,
      ...charts,
      'confidence=0.9',
      'subgroupBy=31003',
      'model=normal&content=0.95',
    ]),
    [`${ANALYSIS}/characteristics/{uuid}/series`]: below(`${ANALYSIS}/characteristics/${gap}/series`, [
      'model=weibull',
      'by=31003',
      ...values,
      ...charts,
      'points=20',
      'subgroupBy=31003',
      'shownFrom=2000-01-01T00:00:00Z&shownTo=2100-01-01T00:00:00Z&newest=5',
    ]),
    [`${ANALYSIS}/characteristics/{uuid}/groups`]: below(
      `${ANALYSIS}/characteristics/${gap}/groups`,
      values.map((query) => `by=31003${query === '' ? '' : '&'}${query}`),
    ).concat(`${ANALYSIS}/characteristics/${gap}/groups?by=week&model=normal&confidence=0.9`),
    [`${ANALYSIS}/characteristics/{uuid}/probability`]: below(`${ANALYSIS}/characteristics/${flush}/probability`, [...values, 'points=5']),
    [`${ANALYSIS}/parts/{uuid}/overview`]: below(`${ANALYSIS}/parts/${door}/overview`, [
      ...values,
      'depth=2&order=ppk&offset=1&limit=5',
      'find=a&statuses=inLimits,inWarning,outOfTolerance,noData',
    ]),
    [`${ANALYSIS}/parts/{uuid}/children`]: below(`${ANALYSIS}/parts/${line}/children`, [...values, 'limit=1']),
    [`${ANALYSIS}/parts/{uuid}/statuses`]: below(`${ANALYSIS}/parts/${line}/statuses`, [...values, 'depth=3']),
    [`${ANALYSIS}/notes`]: below(`${ANALYSIS}/notes`, [
      'limitResult=10&offset=0',
      `partUuid=${line}`,
      `characteristicUuid=${gap}`,
      'partPath=/Line 1\\/2&from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
    ]),
    [`${ANALYSIS}/notes/{uuid}`]: [`${ANALYSIS}/notes/${note}`],
    [ALARMS]: below(ALARMS, [...alarms, 'limitResult=10&offset=1']),
    [`${ALARMS}/count`]: below(`${ALARMS}/count`, alarms),
    [`${ALARMS}/{uuid}`]: [`${ALARMS}/${alarm}`],
    [`${ANALYSIS}/correlation`]: below(
      `${ANALYSIS}/correlation`,
      [...values, 'confidence=0.9'].map((query) => `characteristicUuids={${gap},${flush}}&${query}`),
    ),
    '/docs': ['/docs'],
    '/docs/{file}': ['/docs/page.js'],
    '/oAuthServiceRest': ['/oAuthServiceRest'],
    '/oAuthServiceRest/serviceInformation': ['/oAuthServiceRest/serviceInformation'],
    '/rawDataServiceRest': ['/rawDataServiceRest'],
    '/rawDataServiceRest/openapi.json': ['/rawDataServiceRest/openapi.json'],
    '/rawDataServiceRest/serviceInformation': ['/rawDataServiceRest/serviceInformation'],
    '/rawDataServiceRest/rawDataInformation/{entity}': listings('/rawDataServiceRest/rawDataInformation'),
    '/rawDataServiceRest/rawDataInformation/{entity}/{uuid}': targets.map((target) => `/rawDataServiceRest/rawDataInformation/${target}`),
    [`${FILES}/{entity}`]: listings(FILES),
    [`${FILES}/{entity}/{uuid}`]: targets.map((target) => `${FILES}/${target}`),
    [`${FILES}/{entity}/{uuid}/{key}`]: [...targets.map((target) => `${FILES}/${target}/5`), `${FILES}/part/${other}/6`],
    [`${FILES}/{entity}/{uuid}/{key}/thumbnail`]: [`${FILES}/part/${other}/6/thumbnail`],
    [`${FILES}/{entity}/{uuid}/{key}/ArchiveEntries`]: [`${FILES}/part/${other}/7/ArchiveEntries`],
    [`${FILES}/{entity}/{uuid}/{key}/ArchiveContent/{filename}`]: [`${FILES}/part/${other}/7/ArchiveContent/folder/größe.txt`],
    '/eventServiceRest': ['/eventServiceRest'],
    '/eventServiceRest/openapi.json': ['/eventServiceRest/openapi.json'],
  };
}

/** Parameters that select a copy of the bytes, not content. */
export const NOT_ASKED = ['expectedMd5', 'expectedArchiveMd5'];
