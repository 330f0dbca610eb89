import { formatsOf } from '@sinebar/charts';
import { describe, expect, it } from '@jest/globals';
import type { EventName, EventPayloads, Measurement } from '@sinebar/client';
import type { ChangeEntry } from './event-log';
import { viewOf } from './event-views';
import { texts } from './texts';

const event = <Name extends EventName>(name: Name, payload: EventPayloads[Name]) =>
  ({ kind: 'change', id: '1', time: '2026-05-08T21:41:52.000Z', name, payload }) as ChangeEntry;
const part = { PartUuid: 'p', ParentPartUuid: 'owner' };
const moved = { FromPath: 'PP:/Line/Door 1\\/2/', ToPath: '' };
const characteristic = { CharacteristicUuid: 'c', ParentPartUuid: 'owner', ParentUuid: 'owner' };
const measured = { PartUuid: 'p', CharacteristicUuid: 'p', MeasurementUuid: 'm' };
const file = (RawDataEntity: EventPayloads['RawDataCreated']['RawDataEntity'], TargetUuid: string) =>
  ({ RawDataEntity, TargetUuid, Key: 3, Filename: 'a.txt' }) as const;
const renamed = { ...file('Part', 'p'), OldFilename: 'a.txt', NewFilename: 'b.txt' };
const configured = event('ConfigurationModified', { EntityType: 'part', AttributeKeys: [4, 9] });

const MEASUREMENT: Measurement = {
  uuid: 'm',
  partUuid: 'p',
  attributes: { 4: '2026-05-08T21:41:52Z', 14: 'S-17' },
  lastModified: '',
  created: '',
  status: [
    { id: 'Green', count: 39 },
    { id: 'Red', count: 1 },
  ],
};

describe('views of events', () => {
  it.each([
    [event('PartCreated', part), '/parts/$partUuid', { partUuid: 'p' }],
    [event('PartDeleted', part), '/parts/$partUuid', { partUuid: 'owner' }],
    [event('CharacteristicCreated', characteristic), undefined, undefined],
    [
      event('CharacteristicModified', characteristic),
      '/parts/$partUuid/characteristics/$characteristicUuid',
      { partUuid: 'owner', characteristicUuid: 'c' },
    ],
    [event('CharacteristicMoved', { ...characteristic, ...moved }), undefined, undefined],
    [event('CharacteristicDeleted', characteristic), '/parts/$partUuid', { partUuid: 'owner' }],
    [event('MeasurementModified', measured), '/measurements/$measurementUuid', { measurementUuid: 'm' }],
    [event('MeasurementDeleted', measured), '/parts/$partUuid', { partUuid: 'p' }],
    [event('RawDataCreated', file('Part', 'p')), '/parts/$partUuid/files', { partUuid: 'p' }],
    [event('RawDataCreated', file('Characteristic', 'c')), undefined, undefined],
    [event('RawDataDeleted', file('Value', 'm|c')), '/measurements/$measurementUuid', { measurementUuid: 'm' }],
    [configured, '/administration/definitions', undefined],
  ])('link $name to %s', (happened, to, params) => {
    const link = viewOf(happened).link?.(happened.payload);
    expect(link?.to).toBe(to);
    expect(link?.params).toEqual(params);
  });

  it.each([
    [event('PartModified', part), undefined],
    [event('PartMoved', { ...part, ...moved }), 'from Line / Door 1/2 to …'],
    [event('RawDataDeleted', file('Part', 'p')), 'a.txt'],
    [event('RawDataModified', renamed), 'b.txt, was a.txt'],
    [event('RawDataModified', { ...renamed, OldFilename: 'b.txt' }), 'b.txt'],
    [configured, 'of parts: 4, 9'],
    [event('MeasurementCreated', measured), 'S-17, 40 values, 1 out of tolerance'],
  ])('say of $name: %s', (happened, text) => {
    const measurements = new Map([['m', MEASUREMENT]]);
    expect(viewOf(happened).words?.(happened.payload, { t: texts.en, formats: formatsOf('en'), measurements })?.text).toBe(text);
  });

  it.each([
    [{ status: [{ id: 'Green', count: 3 }] as const, noLimits: { count: 1 } }, 'inLimits', 'S-17, 3 values, 1 without limits'],
    [{ status: [{ id: 'Green', count: 3 }] as const, noLimits: { count: 3 } }, 'noLimits', 'S-17, 3 values, no limits'],
  ])('judge no value without limits: %j', ({ status, noLimits }, light, text) => {
    const measurements = new Map([['m', { ...MEASUREMENT, status: [...status], noLimits }]]);
    const happened = event('MeasurementCreated', measured);
    const words = viewOf(happened).words?.(happened.payload, { t: texts.en, formats: formatsOf('en'), measurements });
    expect(words).toEqual({ status: light, text });
  });

  it.each([
    [event('CharacteristicDeleted', characteristic), ['plan', 'overview']],
    [event('MeasurementDeleted', measured), ['overview']],
    [event('RawDataModified', renamed), ['files']],
    [configured, ['configuration', 'plan', 'overview']],
  ])('renew after $name the queries of %j', (happened, topics) => {
    expect(viewOf(happened).topics).toEqual(topics);
  });
});
