import { randomUUID } from 'node:crypto';
import { PathScope, type Principal } from '@sinebar/access-control';
import type { ChangeEnvelope } from '@sinebar/contracts';

/** Stream of these measurements, separate from that of the product. */
export const BENCH_STREAM = 'SINEBAR_BENCH';
export const BENCH_SUBJECT_PREFIX = 'bench';

export const PLANTS = 20;
/** Each set of rights reads its own plant and the following ones, so an event reaches this many of the 20 sets. */
export const PLANTS_PER_SET = 5;
export const RIGHTS_SETS = PLANTS;
/** Set of a client that may read everything. */
export const ALL_PLANTS = 'all';

export function plantPath(plant: number): string {
  return `pplant ${plant}/`;
}

/** Plants that clients with a set of rights may read. */
export function plantsOf(set: number): number[] {
  return Array.from({ length: PLANTS_PER_SET }, (_, i) => (set + i) % PLANTS);
}

/** Returns the principal for a set of rights; replaces an access policy. */
export function principalOf(set: unknown): Principal {
  const scope = set === ALL_PLANTS ? PathScope.EVERYTHING : PathScope.of(plantsOf(Number(set)).map(plantPath));
  return { name: `set ${String(set)}`, rightsKey: String(set), scopeOf: () => scope, holds: () => false };
}

/** Makes an event with its creation time, readable for every process of this machine: {@link stampNs}. */
export function stampedChange(plant: number): ChangeEnvelope<'PartModified'> {
  const uuid = stampedUuid();
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/bench',
    type: 'PartModified',
    time: new Date().toISOString(),
    subject: uuid,
    datacontenttype: 'application/json',
    sinebarpath: plantPath(plant),
    sinebarpart: uuid,
    data: { events: [{ PartUuid: uuid }] },
  };
}

/** Returns the time of the machine's monotonic clock in nanoseconds. */
export function nowNs(): number {
  return Number(process.hrtime.bigint());
}

/** Start of every {@link stampedUuid}. */
export const STAMP_PREFIX = '00000000-0000-4000-';

/** Makes a uuid of the present time: {@link stampNs}. */
export function stampedUuid(): string {
  const digits = nowNs().toString(16).padStart(16, '0');
  return `${STAMP_PREFIX}${digits.slice(0, 4)}-${digits.slice(4)}`;
}

/** Returns the {@link nowNs} at which the uuid at this position was made. */
export function stampNs(text: Buffer, uuidAt: number): number {
  return parseInt(text.toString('latin1', uuidAt + 19, uuidAt + 23) + text.toString('latin1', uuidAt + 24, uuidAt + 36), 16);
}
