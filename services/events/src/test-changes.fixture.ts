import { PathScope, type Principal } from '@sinebar/access-control';
import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';
import { createLogger } from '@sinebar/runtime';
import { changeEnvelope } from '@sinebar/testing';

export const silentLog = createLogger({ service: 'test', level: 'silent' });

/** Builds a stream message as services publish it. */
export function change<N extends EventName>(
  type: N,
  path: string,
  events: EventPayloads[N][],
  more: Partial<ChangeEnvelope> = {},
): ChangeEnvelope {
  return changeEnvelope({ type, time: '2026-01-02T03:04:05.678Z', sinebarpath: path, data: { events }, ...more });
}

/** Builds a `PartCreated` message for this stored path; the uuid identifies it. */
export function partCreated(uuid: string, path = 'pa/'): ChangeEnvelope {
  return change('PartCreated', path, [{ PartUuid: uuid, ParentPartUuid: 'root' }]);
}

export function partMoved(from: string, to: string): ChangeEnvelope {
  return change('PartMoved', to, [{ PartUuid: 'moved', FromPath: `P:/${from}`, ToPath: `P:/${to}` }], { sinebaroldpath: from });
}

/** Builds one message with several measurements of one part. */
export function measurementsCreated(uuids: readonly string[], path = 'pa/'): ChangeEnvelope {
  return change(
    'MeasurementCreated',
    path,
    uuids.map((uuid) => ({ MeasurementUuid: uuid, PartUuid: 'part', CharacteristicUuid: 'part' })),
  );
}

/** Makes a principal with read rights below some stored paths. */
export function reader(rightsKey: string, rights: { plan?: PathScope; measurement?: PathScope; rawData?: PathScope }): Principal {
  return {
    name: rightsKey,
    rightsKey,
    scopeOf: (right) => {
      if (right === 'plan:read') return rights.plan ?? PathScope.NOTHING;
      if (right === 'measurement:read') return rights.measurement ?? PathScope.NOTHING;
      if (right === 'rawData:read') return rights.rawData ?? PathScope.NOTHING;
      return PathScope.NOTHING;
    },
    holds: () => false,
  };
}
