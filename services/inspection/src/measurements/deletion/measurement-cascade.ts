import type { MeasurementCascade } from '../../plan/measurement-cascade.js';
import { characteristicsWithValues, markValuesStale } from '../sets/value-presence.js';
import { allMeasuredAmong, deleteMeasurementsOfParts, measuredAmong } from './measurement-deletion.js';

export const measurementCascade: MeasurementCascade = {
  deleteOfParts: deleteMeasurementsOfParts,
  measuredAmong,
  allMeasuredAmong,
  characteristicsWithValues,
  markValuesStale,
};
