import { characteristicOf, MEASURED, PARTS, type List } from '@sinebar/testing';
import { utf8, type RunningProduct } from './running-product.fixture.ts';
import { PART_KEY, PATH_KEY, SAME_KEY, type World } from './world.fixture.ts';

export interface ListRequest {
  product: RunningProduct;
  world: World;
  who: string;
  where: string;
}

type Ask = (request: ListRequest) => Promise<string[] | number>;
type Named = { uuid: string };

const uuids = (list: readonly string[]) => encodeURIComponent(`{${list.join(',')}}`);
const condition = (text: string) => `searchCondition=${encodeURIComponent(text)}`;
/** Unknown items are shown by their uuid. */
const itemPathOf = (world: World, uuid: string) => world.itemPaths.get(uuid) ?? uuid;

/** A list whose items have uuids. */
const listed =
  (path: (request: ListRequest) => string): Ask =>
  async (request) =>
    (await request.product.read<Named[]>(request.who, `/dataServiceRest/${path(request)}`)).map(({ uuid }) =>
      itemPathOf(request.world, uuid),
    );

const notedParts = (world: World, notes: readonly Named[]) => notes.map(({ uuid }) => itemPathOf(world, uuid));

const counted =
  (path: (request: ListRequest) => string): Ask =>
  async ({ product, who, ...rest }) =>
    (await product.read<{ count: number }>(who, `/dataServiceRest/${path({ product, who, ...rest })}`)).count;

const files =
  (path: (request: ListRequest) => string): Ask =>
  async (request) => {
    const found = await request.product.read<{ target: Named }[]>(request.who, `/rawDataServiceRest/${path(request)}`);
    const itemPaths = found.map(({ target }) => itemPathOf(request.world, target.uuid));
    // A characteristic stands for its part.
    return [...new Set(itemPaths.map((itemPath) => MEASURED.find((part) => itemPath === characteristicOf(part)) ?? itemPath))];
  };

/** Returns the paths of items whose archives are in the answer, recognised by their uuids. */
const archives =
  (query: 'ArchiveEntryQuery' | 'ArchiveContentQuery'): Ask =>
  async ({ product, world, who }) => {
    const selectors = MEASURED.map((part) => ({ target: { entity: 'Part', uuid: world.uuid(part) }, key: 0, entries: ['inside.txt'] }));
    const answer = await product.send({ who, method: 'POST', path: `/rawDataServiceRest/rawData/${query}`, body: { selectors } });
    if (answer.status !== 200) throw new Error(`${answer.status} ${utf8(answer)}`);
    const named = new Set(utf8(answer).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
    return MEASURED.filter((part) => named.has(world.uuid(part)));
  };

/** Returns the paths of items whose values are in use, as far as the user may know. */
const inUse =
  (itemPaths: readonly string[], address: (itemPath: string, index: number) => string): Ask =>
  async ({ product, who }) => {
    const found: string[] = [];
    for (const [index, itemPath] of itemPaths.entries()) {
      const answer = await product.send({ who, path: `/dataServiceRest/attributes/${address(itemPath, index)}` });
      if (answer.status === 204) found.push(itemPath);
      else if (answer.status !== 404) throw new Error(`${answer.status} ${utf8(answer)}`);
    }
    return found;
  };

export interface ChangePage {
  changes: { event: string; data: Record<string, string> }[];
}

const changes =
  (event: string, member: string): Ask =>
  async ({ product, world, who }) => {
    const page = await product.read<ChangePage>(who, `/eventServiceRest/changes?limit=10000&after=${world.start}`);
    const received = page.changes.filter(
      (change) => change.event === event && (event !== 'RawDataCreated' || change.data['RawDataEntity'] === 'Part'),
    );
    return [...new Set(received.map(({ data }) => itemPathOf(world, data[member] ?? '')))];
  };

export const ASK: Readonly<Record<List, Ask>> = {
  'parts below': listed(({ where }) => `parts?depth=65535&partPath=${encodeURIComponent(where)}`),
  'parts by uuid': listed(({ world }) => `parts?partUuids=${uuids(world.itemUuids)}`),
  'parts by search': listed(() => `parts?depth=65535&${condition(`${PATH_KEY}Like[%]`)}`),
  'the count of parts below': counted(({ where }) => `parts/count?depth=65535&partPath=${encodeURIComponent(where)}`),
  'characteristics by uuid': listed(({ world }) => `characteristics?charUuids=${uuids(world.itemUuids)}`),
  'characteristics of all parts, part by part': async (request) => {
    const lists = PARTS.map((part) => listed(() => `characteristics?partPath=${encodeURIComponent(part)}`)(request));
    return ((await Promise.all(lists)) as string[][]).flat();
  },
  'the count of characteristics by uuid': counted(({ world }) => `characteristics/count?charUuids=${uuids(world.itemUuids)}`),
  'plan items below': listed(({ where }) => `inspectionPlanItems?paths=${encodeURIComponent(where)}`),
  'plan items by uuid': listed(({ world }) => `inspectionPlanItems?itemUuids=${uuids(world.itemUuids)}`),
  'the count of plan items below': counted(({ where }) => `inspectionPlanItems/count?paths=${encodeURIComponent(where)}`),
  'the count of parts in the plan': counted(() => 'inspectionPlanItems/count?restrictToEntity=Part'),
  'the count of characteristics in the plan': counted(
    () => 'inspectionPlanItems/count?restrictToEntity=CharacteristicWithoutIntermediateParts',
  ),
  'attribute values of parts in use': inUse(PARTS, (itemPath) => `${PATH_KEY}/${encodeURIComponent(itemPath)}`),
  measurements: listed(() => 'measurements'),
  'measurements below': listed(({ where }) => `measurements?deep=true&partPath=${encodeURIComponent(where)}`),
  'measurements by uuid': listed(({ world }) => `measurements?measurementUuids=${uuids(world.measurementUuids)}`),
  'measurements of parts': listed(({ world }) => `measurements?deep=true&partUuids=${uuids(world.itemUuids)}`),
  'measurements by search': listed(() => `measurements?${condition(`${SAME_KEY}=[same]`)}`),
  'measurements by value': listed(() => `measurements?${condition('1>[0.5]')}`),
  'merged measurements': listed(
    ({ world }) => `measurements?mergeAttributes=${SAME_KEY}&mergeCondition=None&partUuids=${uuids(world.itemUuids)}`,
  ),
  'the count of measurements': counted(() => 'measurements/count'),
  'the count of measurements below': counted(({ where }) => `measurements/count?deep=true&partPath=${encodeURIComponent(where)}`),
  'the count of measurements by search': counted(() => `measurements/count?${condition(`${SAME_KEY}=[same]`)}`),
  'measurements with statistics': listed(() => 'measurements?statistics=Detailed'),
  'the newest measurements': listed(() => 'measurements?limitResult=1'),
  values: listed(() => 'values'),
  'values by characteristic': listed(({ world }) => `values?characteristicUuids=${uuids(world.itemUuids)}`),
  'distinct values': ({ product, who }) =>
    product.read<string[]>(who, `/dataServiceRest/distinctMeasurementAttributeValues?key=${PART_KEY}`),
  'attribute values of measurements in use': inUse(MEASURED, (itemPath) => `${PART_KEY}/${encodeURIComponent(itemPath)}`),
  'measured values in use': inUse(MEASURED, (_path, index) => `1/${index + 1}`),
  notes: async ({ product, world, who }) => notedParts(world, await product.read(who, '/analysisServiceRest/notes')),
  'notes below': async ({ product, world, who, where }) =>
    notedParts(world, await product.read(who, `/analysisServiceRest/notes?partPath=${encodeURIComponent(where)}`)),
  alarms: async ({ product, world, who }) => notedParts(world, await product.read(who, '/alarmServiceRest/alarms')),
  'alarms below': async ({ product, world, who, where }) =>
    notedParts(world, await product.read(who, `/alarmServiceRest/alarms?partPath=${encodeURIComponent(where)}`)),
  'the count of alarms below': async ({ product, who, where }) =>
    (await product.read<{ count: number }>(who, `/alarmServiceRest/alarms/count?partPath=${encodeURIComponent(where)}`)).count,
  'planned stops': async ({ product, world, who, where }) =>
    notedParts(world, await product.read(who, `/alarmServiceRest/mutes?partPath=${encodeURIComponent(where)}`)),
  'files of parts': files(() => 'rawDataInformation/part'),
  'files of parts at the old address': files(() => 'rawData/part'),
  'files of parts by uuid': files(({ world }) => `rawDataInformation/part?uuids=${uuids(world.itemUuids)}`),
  'files of parts by filter': files(() => `rawDataInformation/part?filter=${encodeURIComponent("FileName like '*'")}`),
  'files of characteristics': files(() => 'rawDataInformation/characteristic'),
  'files of measurements': files(() => 'rawDataInformation/measurement'),
  'files of values': files(() => 'rawDataInformation/value'),
  'entries of archives': archives('ArchiveEntryQuery'),
  'contents of archives': archives('ArchiveContentQuery'),
  'changes of parts': changes('PartCreated', 'PartUuid'),
  'changes of characteristics': changes('CharacteristicCreated', 'CharacteristicUuid'),
  'changes of measurements': changes('MeasurementCreated', 'MeasurementUuid'),
  'changes of files': changes('RawDataCreated', 'TargetUuid'),
};
