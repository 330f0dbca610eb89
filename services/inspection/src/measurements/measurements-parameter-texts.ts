import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';
import { MEASUREMENT_UUID } from './measurements-examples.ts';

export const MEASUREMENTS_TAG = 'Measurements';
export const VALUES_TAG = 'Values';

export const MEASUREMENT_CHANGE_ERRORS = ['NotFound', 'AlreadyExists', 'Conflict'] as const;

/** Texts for every parameter of the measurement routes; a route shows those that it takes. spec: inspection-service.md, Measurements */
export const MEASUREMENT_PARAMETERS = {
  uuid: { description: 'Uuid of the measurement, in any case, with or without braces', example: MEASUREMENT_UUID },
  key: { description: 'Key of the measurement attribute', example: '14' },
  measurementUuids: { description: 'Only these measurements', example: `{${MEASUREMENT_UUID}}` },
  partUuids: { description: 'Only measurements of these parts', example: `{${PART_UUID}}` },
  partPath: { description: 'Only measurements of this part; with `deep` also of those below it', example: '/Pump' },
  deep: { description: 'Whether parts below count, too; by default false', example: 'true' },
  order: { description: 'Attribute keys, `LastModified` or `Created`, each with a direction; by default `4 desc`', example: '4 asc' },
  searchCondition: {
    description: 'Only measurements that fulfil this: `key operator [value]`, joined by `+`',
    example: '4 >= [2026-01-01T00:00:00Z]',
  },
  caseSensitive: { description: 'Whether texts of the condition compare with case; by default as the server is set', example: 'false' },
  fromModificationDate: { description: 'Modified at this time or later', example: '2026-01-01T00:00:00Z' },
  toModificationDate: { description: 'Modified before this time', example: '2027-01-01T00:00:00Z' },
  limitResult: { description: 'Measurements in the answer, at most; below 0 there is no limit', example: '100' },
  limitResultPerPart: {
    description: 'Measurements of each part, at most; without `partUuids`, or `partPath` with `deep`, it has no effect',
    example: '10',
  },
  aggregation: { description: 'Measurements (the default), AggregationMeasurements or All', example: 'Measurements' },
  mergeAttributes: { description: 'Key of the attribute by which measurements of several parts belong together', example: '{14}' },
  mergeCondition: {
    description: 'None, MeasurementsInAtLeastTwoParts or MeasurementsInAllParts (the default)',
    example: 'MeasurementsInAllParts',
  },
  mergeMasterPart: { description: 'Only values that measurements of this part have', example: PART_UUID },
  requestedMeasurementAttributes: {
    description: 'Attributes of measurements in the answer: All, None or a list of keys; by default all',
    example: '{4}',
  },
  requestedValueAttributes: {
    description: 'Attributes of values in the answer besides the measured value (1): All, None or a list of keys; by default all',
    example: '{1}',
  },
  characteristicUuids: { description: 'Only values of these characteristics', example: `{${CHARACTERISTIC_UUID}}` },
  statistics: {
    description:
      'None (the default), Simple (counts by tolerance, and `noLimits`, those of Green that nothing limits) or Detailed (with the uuids of the characteristics)',
    example: 'Simple',
  },
};
