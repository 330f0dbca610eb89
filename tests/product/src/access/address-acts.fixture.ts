import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { characteristicOf, markedPathOf, type Act } from '@sinebar/testing';
import type { Asked } from './running-product.fixture.ts';
import { CHARACTERISTIC_KEY, fileHeaders, MARKER_KEY, SAME_KEY, type World } from './world.fixture.ts';

type Request = Omit<Asked, 'who'>;
type MakeRequest = (world: World, where: string) => Request;

const DATA = '/dataServiceRest';
const FILES = '/rawDataServiceRest';

const get =
  (path: (world: World, where: string) => string): MakeRequest =>
  (world, where) => ({ path: path(world, where) });
const remove =
  (path: (world: World, where: string) => string): MakeRequest =>
  (world, where) => ({ method: 'DELETE', path: path(world, where) });
const send =
  (method: string, path: string, body: (world: World, where: string) => unknown): MakeRequest =>
  (world, where) => ({
    method,
    path,
    body: body(world, where),
  });
const upload =
  (method: 'POST' | 'PUT', address: (world: World, where: string) => string): MakeRequest =>
  (world, where) => ({
    method,
    path: `${FILES}/rawData/${address(world, where)}`,
    headers: fileHeaders('new.txt'),
    body: Buffer.from('new'),
  });

const createdPart = (_world: World, where: string) => [{ uuid: randomUUID(), path: markedPathOf(where) }];
const createdCharacteristic = (_world: World, where: string) => [{ uuid: randomUUID(), path: where }];
const changed = (world: World, where: string) => [{ uuid: world.uuid(where), attributes: { [MARKER_KEY]: 'changed' } }];
const [partPath, target] = [
  (_world: World, where: string) => encodeURIComponent(where),
  {
    part: (world: World, where: string) => `part/${world.uuid(where)}`,
    characteristic: (world: World, where: string) => `characteristic/${world.uuid(where)}`,
    measurement: (world: World, where: string) => `measurement/${world.measurement(where)}`,
    value: (world: World, where: string) => `value/${encodeURIComponent(world.value(where))}`,
  },
];
const moved = (path: (itemPath: string) => string) => (world: World, where: string) => {
  const [from = '', to = ''] = where.split(' -> ');
  return [{ uuid: world.uuid(from), path: path(to) }];
};
const origin = (where: string) => where.split(' -> ')[0] ?? '';
const measurementBody = (uuid: (world: World, where: string) => string) => (world: World, where: string) => [
  { uuid: uuid(world, where), partUuid: world.uuid(where), attributes: { [SAME_KEY]: 'other' } },
];
const valuesBody = (uuid: (world: World, where: string) => string) => (world: World, where: string) => [
  { ...world.measurementContent(where, 9), uuid: uuid(world, where) },
];
const stored = (world: World, where: string) => world.measurement(where);
const fresh = () => randomUUID();
const deletePart: MakeRequest = remove((world, where) => `${DATA}/parts/${world.uuid(where)}`);
const deleteCharacteristic: MakeRequest = remove((world, where) => `${DATA}/characteristics/${world.uuid(where)}`);
const clear =
  (query: string): MakeRequest =>
  (world, where) => ({ method: 'POST', path: `${DATA}/parts/${world.uuid(where)}/clear${query}` });
const SETTINGS = '/analysisServiceRest/settings';
const EVALUATION = { model: 'normal', reason: 'a test' };
const evaluationPath = (kind: 'parts' | 'characteristics', world: World, where: string) =>
  `/analysisServiceRest/${kind}/${world.uuid(where)}/evaluation`;
const NOTES = '/analysisServiceRest/notes';
const ALARMS = '/alarmServiceRest/alarms';
const MUTES = '/alarmServiceRest/mutes';
const alarmPath = (world: World, where: string) => `${ALARMS}/${world.alarm(where)}`;
const notePath = (world: World, where: string) => `${NOTES}/${world.note(where)}`;
const definition = { key: 7000, description: 'new', type: 'Integer', definitionType: 'AttributeDefinition' };

export const REQUESTS: Readonly<Record<Act, MakeRequest>> = {
  'read the part': get((world, where) => `${DATA}/parts/${world.uuid(where)}`),
  'read the characteristic': get((world, where) => `${DATA}/characteristics/${world.uuid(where)}`),
  'create the part': send('POST', `${DATA}/parts`, createdPart),
  'create the characteristic': send('POST', `${DATA}/characteristics`, createdCharacteristic),
  'change the part': send('PUT', `${DATA}/parts`, changed),
  'change the characteristic': send('PUT', `${DATA}/characteristics`, (world, where) => [
    { uuid: world.uuid(where), attributes: { [CHARACTERISTIC_KEY]: 'changed' } },
  ]),
  'move the part': send('PUT', `${DATA}/parts`, moved(markedPathOf)),
  'move the characteristic': send(
    'PUT',
    `${DATA}/characteristics`,
    moved((path) => path),
  ),
  'delete the part': deletePart,
  'delete the part by its path': remove((world, where) => `${DATA}/parts?partPath=${partPath(world, where)}`),
  'delete the part from a list': remove((world, where) => `${DATA}/parts?partUuids={${randomUUID()},${world.uuid(where)}}`),
  'delete the characteristic': deleteCharacteristic,
  'delete the characteristic by its path': remove(
    (_world, where) => `${DATA}/characteristics?charPath=${encodeURIComponent(where.replace(/^[PC]*:/, ''))}`,
  ),
  'clear the part': clear(''),
  'delete the measured part': deletePart,
  'delete the measured characteristic': deleteCharacteristic,
  'clear the measured part': clear(''),
  'clear the measured part but for sub parts': clear('?keep=subParts'),

  'read the measurement': get((world, where) => `${DATA}/measurements/${stored(world, where)}`),
  'read the figures of the characteristic': get((world, where) => `/analysisServiceRest/characteristics/${world.uuid(where)}/summary`),
  'read the groups of the characteristic': get((world, where) => `/analysisServiceRest/characteristics/${world.uuid(where)}/groups?by=day`),
  'read the overview of the part': get((world, where) => `/analysisServiceRest/parts/${world.uuid(where)}/overview`),
  'read the children of the part with their statuses': get((world, where) => `/analysisServiceRest/parts/${world.uuid(where)}/children`),
  'read the statuses below the part': get((world, where) => `/analysisServiceRest/parts/${world.uuid(where)}/statuses`),
  'read what has changed below the part': get((world, where) => `/analysisServiceRest/parts/${world.uuid(where)}/changes`),
  'read the evaluation of the part': get((world, where) => evaluationPath('parts', world, where)),
  'read the evaluation of the characteristic': get((world, where) => evaluationPath('characteristics', world, where)),
  'read the history of the evaluation': get((world, where) => `${evaluationPath('parts', world, where)}/history`),
  'list the evaluations below the part': get((world, where) => `${evaluationPath('parts', world, where)}s`),
  'change the evaluation of the part': (world, where) => ({
    method: 'PUT',
    path: evaluationPath('parts', world, where),
    body: EVALUATION,
  }),
  'change the evaluation of the characteristic': (world, where) => ({
    method: 'PUT',
    path: evaluationPath('characteristics', world, where),
    body: EVALUATION,
  }),
  'remove the evaluation of the part': remove((world, where) => `${evaluationPath('parts', world, where)}?reason=a+test`),
  'list the notes of the characteristic': get((world, where) => `${NOTES}?characteristicUuid=${world.uuid(where)}`),
  'read the note': get(notePath),
  'write a note about the part': send('POST', NOTES, (world, where) => ({ partUuid: world.uuid(where), text: 'a note' })),
  'write a note about the characteristic': send('POST', NOTES, (world, where) => ({
    characteristicUuid: world.uuid(where),
    text: 'a note',
  })),
  'change the note': (world, where) => ({ method: 'PUT', path: notePath(world, where), body: { text: 'another text' } }),
  'delete the note': remove(notePath),
  'list the alarms of the characteristic': get((world, where) => `${ALARMS}?characteristicUuid=${world.uuid(where)}`),
  'count the alarms of the part': get((world, where) => `${ALARMS}/count?partUuid=${world.uuid(where)}`),
  'read the alarm': get(alarmPath),
  'acknowledge the alarm': (world, where) => ({ method: 'PUT', path: alarmPath(world, where), body: { state: 'acknowledged' } }),
  'plan a stop of the part': send('POST', MUTES, (world, where) => ({
    partUuid: world.uuid(where),
    until: '2998-01-01T00:00:00Z',
    reason: 'a stop',
  })),
  'end the planned stop': remove((world, where) => `${MUTES}/${world.mute(where)}`),
  'read the values': get((world, where) => `${DATA}/values/${stored(world, where)}`),
  'create a measurement': send('POST', `${DATA}/measurements`, measurementBody(fresh)),
  'import a file': (_world, where) => ({
    method: 'POST',
    path: `/exchangeServiceRest/imports?format=aqdef&partPath=${encodeURIComponent(where)}`,
    headers: { 'Content-Type': 'text/plain' },
    // New content each time: a file that was imported before needs no right to write.
    body: Buffer.from(`K0100 1\nK1001/1 ${randomUUID()}\nK2001/1 1\nK0001/1 1\n`),
  }),
  'create values': send('POST', `${DATA}/values`, valuesBody(fresh)),
  'change the measurement': send('PUT', `${DATA}/measurements`, measurementBody(stored)),
  'change the values': send('PUT', `${DATA}/values`, valuesBody(stored)),
  'delete the measurement': remove((world, where) => `${DATA}/measurements/${stored(world, where)}`),
  'delete the measurement from a list': remove(
    (world, where) => `${DATA}/measurements?measurementUuids={${stored(world, where)},${randomUUID()}}`,
  ),
  'delete the measurements of the part': remove((world, where) => `${DATA}/measurements?partUuids=${world.uuid(where)}`),
  'delete the measurements below the path': remove((world, where) => `${DATA}/measurements?deep=true&partPath=${partPath(world, where)}`),
  'delete the measurements in the background': remove(
    (world, where) => `${DATA}/measurements?runAsync=true&partPath=${partPath(world, where)}`,
  ),
  'delete all measurements': remove(() => `${DATA}/measurements`),

  'list the files of the part': get((world, where) => `${FILES}/rawDataInformation/${target.part(world, where)}`),
  'list the files of the measurement': get((world, where) => `${FILES}/rawDataInformation/${target.measurement(world, where)}`),
  'read the file of the part': get((world, where) => `${FILES}/rawData/${target.part(world, where)}/0`),
  'read the file of the characteristic': get((world, where) => `${FILES}/rawData/${target.characteristic(world, where)}/0`),
  'read the file of the measurement': get((world, where) => `${FILES}/rawData/${target.measurement(world, where)}/0`),
  'read the file of the value': get((world, where) => `${FILES}/rawData/${target.value(world, where)}/0`),
  'read the thumbnail': get((world, where) => `${FILES}/rawData/${target.part(world, where)}/1/thumbnail`),
  'list the archive': get((world, where) => `${FILES}/rawData/${target.part(world, where)}/0/ArchiveEntries`),
  'read from the archive': get((world, where) => `${FILES}/rawData/${target.part(world, where)}/0/ArchiveContent/inside.txt`),
  'write a file of the part': upload('POST', target.part),
  'write a file of the characteristic': upload('POST', target.characteristic),
  'write a file of the measurement': upload('POST', target.measurement),
  'write a file of the value': upload('POST', target.value),
  'replace the file': upload('PUT', (world, where) => `${target.part(world, where)}/0`),
  'rename the file': (world, where) => ({
    method: 'PUT',
    path: `${FILES}/rawDataInformation/${target.part(world, where)}/0`,
    body: { fileName: 'renamed.txt' },
  }),
  'delete the file': remove((world, where) => `${FILES}/rawData/${target.part(world, where)}/0`),
  'delete the files of the part': remove((world, where) => `${FILES}/rawData/${target.part(world, where)}`),

  'read the part after a move': get((world, where) => `${DATA}/parts/${world.uuid(origin(where))}`),
  'read the measurement after a move': get((world, where) => `${DATA}/measurements/${stored(world, origin(where))}`),
  'read the file after a move': get((world, where) => `${FILES}/rawData/${target.value(world, origin(where))}/0`),

  'change the settings of the plant': send('PUT', SETTINGS, () => ({ zone: 'UTC', reason: randomUUID() })),
  'define an attribute': send('POST', `${DATA}/configuration/part`, () => [definition]),
  'delete all definitions': remove(() => `${DATA}/configuration`),
  'create a catalog': send('POST', `${DATA}/catalogs`, () => [{ uuid: randomUUID(), name: 'new', validAttributes: [] }]),
  'delete all catalogs': remove(() => `${DATA}/catalogs`),
  'read the access policy': get(() => `${DATA}/accessPolicy`),
  'read the configuration': get(() => `${DATA}/configuration`),
  'read the catalogs': get(() => `${DATA}/catalogs`),
};

/** Builds the request that moves a part, as a user with the right. */
export function moveRequest(world: World, where: string): Request {
  return REQUESTS['move the part'](world, where);
}

/** Returns addresses with which a user might try to leave `/A`. */
export function outsideAddresses(world: World): string[] {
  return ['/B', '/AB', '/A\\/sub']
    .flatMap((itemPath) => [
      `${DATA}/parts/${world.uuid(itemPath)}`,
      `${DATA}/characteristics/${world.uuid(characteristicOf(itemPath))}`,
      `${DATA}/measurements/${world.measurement(itemPath)}`,
      `${DATA}/values/${world.measurement(itemPath)}`,
      `${ALARMS}/${world.alarm(itemPath)}`,
      `${FILES}/rawDataInformation/${target.part(world, itemPath)}`,
      `${FILES}/rawData/${target.part(world, itemPath)}/0`,
      `${FILES}/rawData/${target.value(world, itemPath)}/0`,
      `${FILES}/rawData/${target.part(world, itemPath)}/1/thumbnail`,
      `${FILES}/rawData/${target.part(world, itemPath)}/0/ArchiveContent/inside.txt`,
    ])
    .concat(`${DATA}/parts/${ROOT_PART_UUID}`);
}
