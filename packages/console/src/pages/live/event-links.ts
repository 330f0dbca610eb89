import { linkOptions } from '@tanstack/react-router';
import type { ChangeEntry } from './event-log';

/** Address of what an event names; `undefined` where nothing is left to open. */
export function linkOf(event: ChangeEntry) {
  const part = (partUuid: string) => linkOptions({ to: '/parts/$partUuid', params: { partUuid } });
  const measurement = (measurementUuid: string) => linkOptions({ to: '/measurements/$measurementUuid', params: { measurementUuid } });
  switch (event.name) {
    case 'PartCreated':
    case 'PartModified':
    case 'PartMoved':
      return part(event.payload.PartUuid);
    case 'PartDeleted':
    case 'CharacteristicDeleted':
      return part(event.payload.ParentPartUuid);
    case 'CharacteristicModified':
      return linkOptions({
        to: '/parts/$partUuid/characteristics/$characteristicUuid',
        params: { partUuid: event.payload.ParentPartUuid, characteristicUuid: event.payload.CharacteristicUuid },
      });
    case 'CharacteristicCreated':
    case 'CharacteristicMoved':
      // The page of a characteristic needs its part, which these events do not name.
      return undefined;
    case 'MeasurementCreated':
    case 'MeasurementModified':
      return measurement(event.payload.MeasurementUuid);
    case 'MeasurementDeleted':
      return part(event.payload.PartUuid);
    case 'RawDataCreated':
    case 'RawDataModified':
    case 'RawDataDeleted': {
      const { RawDataEntity, TargetUuid, Key } = event.payload;
      const [first = ''] = TargetUuid.split('|');
      if (RawDataEntity === 'Measurement' || RawDataEntity === 'Value') return measurement(first);
      if (RawDataEntity === 'Characteristic') return undefined;
      return linkOptions({ to: '/parts/$partUuid/files', params: { partUuid: first }, search: { selected: `Part/${first}/${Key}` } });
    }
    case 'ConfigurationModified':
      return linkOptions({ to: '/administration/definitions' });
  }
}
