import { describe, expect, it } from '@jest/globals';
import type { ShownEntry } from '@sinebar/charts';
import { alarmAnswer } from '../../../testing/alarm-answers.fixture';
import { flagsOf } from './use-alarm-marks';

const time = (minute: number) => new Date(Date.UTC(2026, 2, 2, 8, minute)).toISOString();
const entry = (position: number, count = 1): ShownEntry => ({
  position,
  count,
  from: time(position),
  to: time(position + count - 1),
  minimum: 1,
  mean: 1,
  maximum: 1,
  measurementUuids: count === 1 ? [`m${position}`] : [],
});
const SHOWN = { entries: [entry(0), entry(1), entry(2, 10), entry(12)], count: 13 };
const at = (uuid: string, minute: number, about: object = {}) =>
  alarmAnswer({ uuid, measurementUuid: `m${minute}`, since: time(minute), last: time(minute), ...about });
const flags = (alarms: ReturnType<typeof at>[]) => flagsOf(alarms, SHOWN, ({ uuid }) => uuid);

describe('the flags of alarms', () => {
  it('stand at the point of their measurement, also in a group of points', () => {
    expect(flags([at('a', 1), at('b', 5)])).toEqual([
      { position: 1.5, label: 'a', alarm: 'a' },
      { position: 7, label: 'b', alarm: 'b' },
    ]);
  });

  it('take the stretch of a run', () => {
    expect(flags([at('a', 1, { points: 9, last: time(12) })])).toEqual([{ position: 1, end: 13, label: 'a', alarm: 'a' }]);
  });

  it('are one at the same point, which leads to the newest alarm', () => {
    expect(flags([at('new', 1), at('old', 1)])).toEqual([{ position: 1.5, label: 'new\nold', alarm: 'new' }]);
  });

  it('are nowhere for silence, and for what is not in view', () => {
    expect(flags([at('a', 1, { kind: 'silence' }), at('b', 40)])).toEqual([]);
  });
});
