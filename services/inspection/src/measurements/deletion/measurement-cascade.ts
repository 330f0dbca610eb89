import type { MeasurementCascade } from '../../plan/measurement-cascade.js';
import { characteristicsWithValues, markValuesStale } from '../sets/value-presence.js';
import { deleteMeasurementsOfParts, measuredAmong } from './measurement-deletion.js';

export const measurementCascade: MeasurementCascade = {
  deleteOfParts: deleteMeasurementsOfParts,
  measuredAmong,
  characteristicsWithValues,
  markValuesStale,
};
