import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';

const shared = { attributes: { '1001': 'P-4711' }, version: 12, timestamp: '2026-01-05T08:30:00.000Z' };
export const ITEM_EXAMPLES = {
  part: { uuid: PART_UUID, path: 'P:/Pump/', ...shared, charChangeDate: '2026-01-05T08:30:00.000Z' },
  characteristic: { uuid: CHARACTERISTIC_UUID, path: 'PC:/Pump/Diameter/', ...shared, attributes: { '2101': '20.0' } },
};
