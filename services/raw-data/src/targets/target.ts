import {
  invalidField,
  parseRawDataEntity,
  parseTargetUuid,
  ROOT_PART_UUID,
  ServiceError,
  type RawDataEntity,
  type TargetEntity,
} from '@sinebar/contracts';

/** Value of `characteristic_uuid` for every target that is not a value. */
const NOT_A_VALUE = ROOT_PART_UUID;

/** Returns the columns `entity, target_uuid, characteristic_uuid` of a target. */
export function targetColumns(target: TargetEntity): [entity: RawDataEntity, target: string, characteristic: string] {
  const [first = '', second = NOT_A_VALUE] = target.uuid.split('|');
  return [target.entity, first, second];
}

export function targetOfColumns(entity: RawDataEntity, targetUuid: string, characteristicUuid: string): TargetEntity {
  return { entity, uuid: entity === 'Value' ? `${targetUuid}|${characteristicUuid}` : targetUuid };
}

/**
 * Reads the entity segment of an address.
 * @throws ServiceError 404 for another word, since the address then names nothing
 * spec: decisions.md 1.6
 */
export function readEntity(segment: string): RawDataEntity {
  const entity = parseRawDataEntity(segment);
  if (entity) return entity;
  throw new ServiceError(
    'NotFound',
    `There is no raw data of ${JSON.stringify(segment)}. The entities are part, characteristic, measurement and value.`,
  );
}

/** @throws ServiceError 404 for the entity, 400 for the identifier */
export function readTarget(entitySegment: string, uuidSegment: string): TargetEntity {
  const entity = readEntity(entitySegment);
  return { entity, uuid: readTargetUuid(entity, uuidSegment, 'uuid') };
}

/** @param field name for the message @throws ServiceError 400 */
export function readTargetUuid(entity: RawDataEntity, text: string, field: string): string {
  const uuid = parseTargetUuid(entity, text);
  if (uuid !== undefined) return uuid;
  const form = entity === 'Value' ? '<measurement uuid>|<characteristic uuid>' : 'a uuid such as 05040c4c-f0af-46b8-810e-30c0c00a379e';
  const message = `must be ${form}, not ${JSON.stringify(text.slice(0, 100))}`;
  throw invalidField(field, message, `The parameter ${field} ${message}.`);
}

export const MAX_KEY = 2 ** 31 - 1;

/** Key in a request for which the server chooses the next free one (spec: raw-data-service.md, Rules 2). */
export const NEXT_FREE_KEY = -1;

/** Reads a key: a whole number from 0, or -1. @throws ServiceError 400. spec: decisions.md 6.9 */
export function readKey(text: string): number {
  const key = /^-?\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (key >= NEXT_FREE_KEY && key <= MAX_KEY) return key === 0 ? 0 : key;
  const message = `must be a whole number from 0 to ${MAX_KEY}, or -1 for the next free key, not ${JSON.stringify(text.slice(0, 100))}`;
  throw invalidField('key', message, `The parameter key ${message}.`);
}

export function describeTarget(target: TargetEntity): string {
  return `${target.entity.toLowerCase()} ${target.uuid}`;
}

export function noSuchTarget(target: TargetEntity): ServiceError {
  return new ServiceError('NotFound', `There is no ${describeTarget(target)}.`);
}

export function noSuchFile(target: TargetEntity, key: number): ServiceError {
  return new ServiceError('NotFound', `There is no raw data with the key ${key} of ${describeTarget(target)}.`);
}
