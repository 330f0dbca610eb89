import { CHARACTERISTIC_UUID, PART_UUID } from '../../shared/documentation.ts';
import { MEASUREMENT_UUID } from '../../measurements/measurements-examples.ts';
import { SUMMARY_EXAMPLE } from '../analysis-examples.ts';

const STATUSES = {
  now: { inLimits: 60, inWarning: 1, belowTolerance: 0, aboveTolerance: 3, noLimits: 0, noData: 0 },
  process: { capable: 41, uncertain: 8, notCapable: 9, notStable: 6, unknown: 0 },
};

export const OVERVIEW_EXAMPLE = {
  total: 64,
  offset: 0,
  totals: STATUSES,
  characteristics: [
    {
      uuid: CHARACTERISTIC_UUID,
      path: SUMMARY_EXAMPLE.path,
      name: 'Diameter',
      count: 5000,
      last: {
        time: SUMMARY_EXAMPLE.lastTime,
        value: 20.06,
        status: 'aboveTolerance',
        measurementUuid: MEASUREMENT_UUID,
      },
      mean: 20.01,
      standardDeviation: 0.0151,
      now: 'aboveTolerance',
      process: 'notCapable',
      overall: { p: 1.1, pk: 0.88 },
      within: { p: 1.17, pk: 0.94 },
      limits: SUMMARY_EXAMPLE.limits,
      sparkline: [20, 20.01, 20.06],
    },
  ],
};

export const CHILDREN_EXAMPLE = {
  children: [{ kind: 'part', uuid: PART_UUID, name: 'Frame', hasChildren: true, characteristics: 64, statuses: STATUSES }],
};

export const STATUSES_EXAMPLE = {
  characteristics: [
    [CHARACTERISTIC_UUID, 'inLimits', 'uncertain', 1.41],
    ['1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', 'noData', 'unknown'],
  ],
};
export const CHANGES_EXAMPLE = {
  total: 2,
  offset: 0,
  changes: [
    {
      time: SUMMARY_EXAMPLE.lastTime,
      characteristicUuid: CHARACTERISTIC_UUID,
      path: SUMMARY_EXAMPLE.path,
      name: 'Diameter',
      measurementUuid: MEASUREMENT_UUID,
      status: 'now',
      from: 'inLimits',
      to: 'aboveTolerance',
    },
    {
      time: SUMMARY_EXAMPLE.lastTime,
      characteristicUuid: CHARACTERISTIC_UUID,
      path: SUMMARY_EXAMPLE.path,
      name: 'Diameter',
      measurementUuid: MEASUREMENT_UUID,
      status: 'process',
      from: 'uncertain',
      to: 'notStable',
    },
  ],
};
