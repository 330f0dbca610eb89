import { randomUUID } from 'node:crypto';
import type { ReadableParts, Principal } from '@sinebar/access-control';
import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';
import { createLogger } from '@sinebar/service-kit';

export const silentLog = createLogger({ service: 'test', level: 'silent' });

/** A stream message as a service publishes it. */
export function change<N extends EventName>(
  type: N,
  path: string,
  events: EventPayloads[N][],
  more: Partial<ChangeEnvelope> = {},
): ChangeEnvelope {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/inspection',
    type,
    time: '2026-01-02T03:04:05.678Z',
    subject: randomUUID(),
    datacontenttype: 'application/json',
    sinebarpath: path,
    sinebarpart: randomUUID(),
    data: { events },
    ...more,
  };
}

/** A created part at this stored path, told apart by its uuid. */
export function partCreated(uuid: string, path = 'pa/'): ChangeEnvelope {
  return change('PartCreated', path, [{ PartUuid: uuid, ParentPartUuid: 'root' }]);
}

export function partMoved(from: string, to: string): ChangeEnvelope {
  return change('PartMoved', to, [{ PartUuid: 'moved', FromPath: `P:/${from}`, ToPath: `P:/${to}` }], { sinebaroldpath: from });
}

/** One message with several measurements of one part. */
export function measurementsCreated(uuids: readonly string[], path = 'pa/'): ChangeEnvelope {
  return change(
    'MeasurementCreated',
    path,
    uuids.map((uuid) => ({ MeasurementUuid: uuid, PartUuid: 'part', CharacteristicUuid: 'part' })),
  );
}

/** Somebody with read rights below some stored paths. */
export function reader(
  rightsKey: string,
  rights: { plan?: ReadableParts; measurement?: ReadableParts; rawData?: ReadableParts },
): Principal {
  return {
    name: rightsKey,
    rightsKey,
    partsWith: (right) => {
      if (right === 'plan:read') return rights.plan ?? [];
      if (right === 'measurement:read') return rights.measurement ?? [];
      if (right === 'rawData:read') return rights.rawData ?? [];
      return [];
    },
    holds: () => false,
  };
}
