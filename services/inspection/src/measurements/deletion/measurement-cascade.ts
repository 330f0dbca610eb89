import type { MeasurementCascade } from '../../plan/measurement-cascade.ts';
import { characteristicsWithValues, markValuesStale } from '../sets/value-presence.ts';
import { allMeasuredAmong, deleteMeasurementsOfParts, measuredAmong } from './measurement-deletion.ts';

export const measurementCascade: MeasurementCascade = {
  deleteOfParts: deleteMeasurementsOfParts,
  measuredAmong,
  allMeasuredAmong,
  characteristicsWithValues,
  markValuesStale,
};
