import { describe, expect, it } from '@jest/globals';
import type { ChangeEntry } from './event-log';
import { pathTextOf, wantedNames } from './event-names';

const TIME = '2026-05-08T21:41:52.000Z';
const measured: ChangeEntry = {
  kind: 'change',
  id: '1',
  name: 'MeasurementCreated',
  time: TIME,
  payload: { PartUuid: 'door', CharacteristicUuid: 'door', MeasurementUuid: 'm' },
};
const valueFile: ChangeEntry = {
  kind: 'change',
  id: '2',
  name: 'RawDataCreated',
  time: TIME,
  payload: { RawDataEntity: 'Value', TargetUuid: 'm|gap', Key: 0, Filename: 'probe.jpg' },
};
const measurementFile: ChangeEntry = {
  ...valueFile,
  id: '3',
  payload: { ...valueFile.payload, RawDataEntity: 'Measurement', TargetUuid: 'm' },
};
const deleted: ChangeEntry = {
  kind: 'change',
  id: '4',
  name: 'PartDeleted',
  time: TIME,
  payload: { PartUuid: 'x', ParentPartUuid: 'door' },
};

describe('places of events', () => {
  it('want the names of what exists', () => {
    expect(wantedNames([measured, valueFile, measurementFile, deleted])).toEqual({
      parts: ['door'],
      characteristics: ['gap'],
      measurements: ['m'],
    });
  });

  const known = {
    paths: new Map([
      ['door', 'P:/Car door/'],
      ['gap', 'PC:/Car door/Gap left/'],
    ]),
    measurements: new Map([['m', { uuid: 'm', partUuid: 'door', attributes: {}, lastModified: TIME, created: TIME }]]),
  };
  it.each([
    [measured, 'Car door'],
    [valueFile, 'Car door / Gap left'],
    [measurementFile, 'Car door'],
    [deleted, 'Car door'],
  ])('of $name is $1', (event, place) => {
    expect(pathTextOf(event, known)).toBe(place);
  });

  it('is not known as long as nothing is', () => {
    expect(pathTextOf(measured, { paths: new Map(), measurements: new Map() })).toBeUndefined();
  });
});
