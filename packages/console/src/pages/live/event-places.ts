import type { Measurement } from '@sinebar/client';
import { namesOf } from '../../server/queries/plan-path';
import type { ChangeEntry } from './event-log';

/** Uuids that the rows in view need names for. */
export interface WantedNames {
  parts: string[];
  characteristics: string[];
  measurements: string[];
}

/** Lists what events name: parts, characteristics and measurements that still exist or may exist. */
export function wantedNames(events: readonly ChangeEntry[]): WantedNames {
  const parts = new Set<string>();
  const characteristics = new Set<string>();
  const measurements = new Set<string>();
  for (const event of events) {
    switch (event.name) {
      case 'PartCreated':
      case 'PartModified':
      case 'PartMoved':
        parts.add(event.payload.PartUuid);
        break;
      case 'PartDeleted':
        parts.add(event.payload.ParentPartUuid);
        break;
      case 'CharacteristicCreated':
      case 'CharacteristicModified':
      case 'CharacteristicMoved':
        characteristics.add(event.payload.CharacteristicUuid);
        break;
      case 'CharacteristicDeleted':
        parts.add(event.payload.ParentPartUuid);
        break;
      case 'MeasurementCreated':
      case 'MeasurementModified':
        parts.add(event.payload.PartUuid);
        measurements.add(event.payload.MeasurementUuid);
        break;
      case 'MeasurementDeleted':
        parts.add(event.payload.PartUuid);
        break;
      case 'RawDataCreated':
      case 'RawDataModified':
      case 'RawDataDeleted': {
        const [first = '', second] = event.payload.TargetUuid.split('|');
        if (event.payload.RawDataEntity === 'Part') parts.add(first);
        if (event.payload.RawDataEntity === 'Characteristic') characteristics.add(first);
        if (event.payload.RawDataEntity === 'Measurement') measurements.add(first);
        if (second !== undefined) characteristics.add(second);
        break;
      }
      case 'ConfigurationModified':
        break;
    }
  }
  const sorted = (uuids: ReadonlySet<string>) => [...uuids].sort();
  return { parts: sorted(parts), characteristics: sorted(characteristics), measurements: sorted(measurements) };
}

/** Known names of the items in events. */
export interface KnownNames {
  /** Paths of parts and characteristics. */
  paths: ReadonlyMap<string, string>;
  measurements: ReadonlyMap<string, Measurement>;
}

export const NOTHING_KNOWN: KnownNames = { paths: new Map(), measurements: new Map() };

/** Names of the path of what an event is about, from the root on; `undefined` as long as they are not known. */
export function placeOf(event: ChangeEntry, { paths, measurements }: KnownNames): string | undefined {
  const named = (uuid: string | undefined) => {
    const path = uuid === undefined ? undefined : paths.get(uuid);
    return path === undefined ? undefined : namesOf(path).join(' / ') || '/';
  };
  switch (event.name) {
    case 'PartCreated':
    case 'PartModified':
    case 'PartMoved':
      return named(event.payload.PartUuid);
    case 'PartDeleted':
    case 'CharacteristicDeleted':
      return named(event.payload.ParentPartUuid);
    case 'CharacteristicCreated':
    case 'CharacteristicModified':
    case 'CharacteristicMoved':
      return named(event.payload.CharacteristicUuid);
    case 'MeasurementCreated':
    case 'MeasurementModified':
    case 'MeasurementDeleted':
      return named(event.payload.PartUuid);
    case 'RawDataCreated':
    case 'RawDataModified':
    case 'RawDataDeleted': {
      const [first, second] = event.payload.TargetUuid.split('|');
      if (event.payload.RawDataEntity === 'Measurement') return named(measurements.get(first ?? '')?.partUuid);
      return named(second ?? first);
    }
    case 'ConfigurationModified':
      return undefined;
  }
}
