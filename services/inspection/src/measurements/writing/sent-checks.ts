import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import type { MeasuredPart } from '../sets/measured-parts.js';

/** @throws ServiceError 400 a uuid stands twice in one request */
export function rejectDuplicates(sent: readonly SentMeasurement[]): void {
  const seen = new Map<string, number>();
  sent.forEach(({ uuid }, index) => {
    const other = seen.get(uuid);
    if (other !== undefined) throw invalidField(index, 'uuid', `the uuid ${uuid} stands in [${other}] already`);
    seen.set(uuid, index);
  });
}

/**
 * @param owners the parts, by the places of the measurements
 * @throws ServiceError 403 that names the measurement, because its part need not be in the request
 */
export function refuseForbidden(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[], principal: Principal): void {
  const writable = principal.scopeOf('measurement:write');
  const forbidden = new Set([...new Set(owners)].filter(({ path }) => !writable.includes(path)));
  if (forbidden.size === 0) return;
  const index = owners.findIndex((owner) => forbidden.has(owner));
  throw new ServiceError('Forbidden', `[${index}]: you may not write the measurement ${itemAt(sent, index).uuid}`);
}

/** Names a measurement of a request in messages. */
export function placeOf({ uuid }: Pick<SentMeasurement, 'uuid'>, index: number): string {
  return `[${index}] (measurement ${uuid})`;
}

export function invalidField(index: number, field: string, message: string): ServiceError {
  return new ServiceError('InvalidRequest', `[${index}].${field}: ${message}`, { details: [{ field: `[${index}].${field}`, message }] });
}

export function itemAt<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}
