import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';

export const MEASUREMENT_UUID = '7d1c2b5e-6f0a-4c55-8a0e-1f7a5c9b2d30';
export const SENT_MEASUREMENT = { uuid: MEASUREMENT_UUID, partUuid: PART_UUID, attributes: { '4': '2026-01-05T08:30:00Z' } };
export const STORED_MEASUREMENT = { ...SENT_MEASUREMENT, lastModified: '2026-01-05T08:30:01.120Z', created: '2026-01-05T08:30:01.120Z' };
export const CHARACTERISTIC_VALUES = { [CHARACTERISTIC_UUID]: { '1': '20.010' } };
