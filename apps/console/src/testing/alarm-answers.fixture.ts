import type { Alarm } from '@sinebar/client';
import { CHARACTERISTIC_UUID, PART_UUID } from './analysis-answers.fixture';

export const ALARM_UUID = '5a000000-0000-4000-8000-000000000001';
export const ALARM_MEASUREMENT = '91ab4d20-0000-4000-8000-000000000009';

/** An alarm of the left gap, unless `about` says otherwise. */
export function alarmAnswer(about: Partial<Alarm> = {}): Alarm {
  return {
    uuid: ALARM_UUID,
    state: 'raised',
    kind: 'tolerance',
    partUuid: PART_UUID,
    partPath: 'PP:/Car door/Frame/',
    characteristicUuid: CHARACTERISTIC_UUID,
    characteristicPath: 'PPC:/Car door/Frame/Gap left/',
    raised: '2026-03-02T08:09:01.000Z',
    since: '2026-03-02T08:09:00.000Z',
    last: '2026-03-02T08:09:00.000Z',
    points: 1,
    measurementUuid: ALARM_MEASUREMENT,
    value: 20.053_000_000_1,
    limits: { lower: 19.95, upper: 20.05 },
    muted: false,
    old: false,
    ...about,
  };
}
