import { randomUUID } from 'node:crypto';
import type { EventName } from '@sinebar/contracts';
import { characteristicOf, markedPathOf, PARTS } from '@sinebar/testing';
import type { Asked } from './running-product.fixture.ts';
import { CHARACTERISTIC_KEY, fileHeaders, MARKER_KEY, TOLERANCE_KEY, type World } from './world.fixture.ts';

/** Action of a permitted user that causes an event of the table. */
interface EventAct {
  /** Requests that prepare the one that causes the event. */
  before: Omit<Asked, 'who'>[];
  request: Omit<Asked, 'who'>;
  subject: string;
}

/** Returns the member of a payload that identifies the entity. */
export function subjectOf(event: EventName): string {
  if (event.startsWith('Part')) return 'PartUuid';
  if (event.startsWith('Characteristic')) return 'CharacteristicUuid';
  if (event === 'ConfigurationModified') return 'EntityType';
  if (event === 'EvaluationModified') return 'Uuid';
  if (event.startsWith('Note')) return 'NoteUuid';
  // The uuid of an alarm is that of the server.
  if (event === 'AlarmRaised') return 'CharacteristicUuid';
  if (event === 'AlarmChanged') return 'AlarmUuid';
  return event.startsWith('Measurement') ? 'MeasurementUuid' : 'TargetUuid';
}

const DATA = '/dataServiceRest';

export function eventAct(world: World, event: EventName, where: string): EventAct {
  const [itemPath = '', to = ''] = where.split(' -> ');
  if (event === 'ConfigurationModified') return configurationAct();
  if (event === 'EvaluationModified') return evaluationAct(world, itemPath);
  if (event.startsWith('Note')) return noteAct(world, event, itemPath);
  if (event.startsWith('Alarm')) return alarmAct(world, event, itemPath);
  if (event.startsWith('Part')) return partAct(world, event, itemPath, to);
  if (event.startsWith('Characteristic')) return characteristicAct(world, event, itemPath, to);
  return event.startsWith('Measurement') ? measurementAct(world, event, itemPath) : fileAct(world, event, itemPath);
}

function configurationAct(): EventAct {
  const body = [{ key: 4711, description: 'new', definitionType: 'AttributeDefinition', type: 'Integer' }];
  return { before: [], request: { method: 'PUT', path: `${DATA}/configuration/catalog`, body }, subject: 'catalog' };
}

function evaluationAct(world: World, itemPath: string): EventAct {
  const subject = world.uuid(itemPath);
  const path = `/analysisServiceRest/${itemPath.includes(':') ? 'characteristics' : 'parts'}/${subject}/evaluation`;
  return { before: [], request: { method: 'PUT', path, body: { model: 'normal', reason: 'a test' } }, subject };
}

function noteAct(world: World, event: EventName, itemPath: string): EventAct {
  const path = '/analysisServiceRest/notes';
  const subject = randomUUID();
  const create = { method: 'POST', path, body: { uuid: subject, partUuid: world.uuid(itemPath), text: 'a note' } };
  if (event === 'NoteCreated') return { before: [], request: create, subject };
  if (event === 'NoteDeleted') return { before: [create], request: { method: 'DELETE', path: `${path}/${subject}` }, subject };
  return { before: [create], request: { method: 'PUT', path: `${path}/${subject}`, body: { text: 'another text' } }, subject };
}

function alarmAct(world: World, event: EventName, itemPath: string): EventAct {
  if (event === 'AlarmChanged') {
    const subject = world.alarm(itemPath);
    const request = { method: 'PUT', path: `/alarmServiceRest/alarms/${subject}`, body: { state: 'acknowledged' } };
    return { before: [], request, subject };
  }
  const subject = world.uuid(characteristicOf(itemPath));
  const tolerance = { method: 'PUT', path: `${DATA}/characteristics`, body: [{ uuid: subject, attributes: { [TOLERANCE_KEY]: '100' } }] };
  const body = [{ uuid: randomUUID(), partUuid: world.uuid(itemPath), characteristics: { [subject]: { 1: '101' } } }];
  return { before: [tolerance], request: { method: 'POST', path: `${DATA}/values`, body }, subject };
}

function partAct(world: World, event: EventName, itemPath: string, to: string): EventAct {
  const path = `${DATA}/parts`;
  const isThere = (part: string) => (PARTS as readonly string[]).includes(part);
  const remove = (part: string) => ({ method: 'DELETE', path: `${path}/${world.uuid(part)}` });
  const create = (part: string, uuid: string) => ({ method: 'POST', path, body: [{ uuid, path: markedPathOf(part) }] });
  const fresh = randomUUID();
  if (event === 'PartCreated')
    return { before: isThere(itemPath) ? [remove(itemPath)] : [], request: create(itemPath, fresh), subject: fresh };
  const subject = isThere(itemPath) ? world.uuid(itemPath) : fresh;
  const before = [...(isThere(itemPath) ? [] : [create(itemPath, fresh)]), ...(isThere(to) ? [remove(to)] : [])];
  if (event === 'PartDeleted') return { before, request: remove(itemPath), subject };
  const change = event === 'PartMoved' ? { path: markedPathOf(to) } : { attributes: { [MARKER_KEY]: 'changed' } };
  return { before, request: { method: 'PUT', path, body: [{ uuid: subject, ...change }] }, subject };
}

function characteristicAct(world: World, event: EventName, itemPath: string, to: string): EventAct {
  const path = `${DATA}/characteristics`;
  const subject = event === 'CharacteristicModified' || event === 'CharacteristicMoved' ? world.uuid(itemPath) : randomUUID();
  const change = event === 'CharacteristicMoved' ? { path: to } : { attributes: { [CHARACTERISTIC_KEY]: 'changed' } };
  // The new item is placed in the part.
  const create = { method: 'POST', path, body: [{ uuid: subject, path: `${markedPathOf(itemPath).replace(/^(P*):/, '$1C:')}new/` }] };
  if (event === 'CharacteristicCreated') return { before: [], request: create, subject };
  if (event === 'CharacteristicDeleted') {
    return { before: [create], request: { method: 'DELETE', path: `${path}/${subject}` }, subject };
  }
  return { before: [], request: { method: 'PUT', path, body: [{ uuid: subject, ...change }] }, subject };
}

function measurementAct(world: World, event: EventName, itemPath: string): EventAct {
  const path = `${DATA}/measurements`;
  const subject = randomUUID();
  const body = [{ uuid: subject, partUuid: world.uuid(itemPath) }];
  const create = { method: 'POST', path, body };
  if (event === 'MeasurementCreated') return { before: [], request: create, subject };
  if (event === 'MeasurementModified') return { before: [create], request: { method: 'PUT', path, body }, subject };
  return { before: [create], request: { method: 'DELETE', path: `${path}/${subject}` }, subject };
}

function fileAct(world: World, event: EventName, itemPath: string): EventAct {
  const subject = world.uuid(itemPath);
  const path = `/rawDataServiceRest/rawData/part/${subject}/7`;
  const create = { method: 'POST', path, headers: fileHeaders('new.txt'), body: Buffer.from('new') };
  if (event === 'RawDataCreated') return { before: [], request: create, subject };
  if (event === 'RawDataDeleted') return { before: [create], request: { method: 'DELETE', path }, subject };
  const body = { fileName: 'renamed.txt' };
  return { before: [create], request: { method: 'PUT', path: path.replace('/rawData/', '/rawDataInformation/'), body }, subject };
}
