import type { Alarm, AlarmMute, ChangedAlarms, ImportedAlarms } from '@sinebar/contracts';
import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';

const PART_PATH = 'P:/Pump/';

export const ALARM_EXAMPLE: Alarm = {
  uuid: '3a9d6f02-5c1e-4d0b-8a55-0c3f2a7be101',
  state: 'closed',
  kind: 'tolerance',
  partUuid: PART_UUID,
  partPath: PART_PATH,
  characteristicUuid: CHARACTERISTIC_UUID,
  characteristicPath: 'PC:/Pump/Bore/',
  raised: '2026-03-02T05:58:12.400Z',
  since: '2026-03-02T05:58:00.000Z',
  last: '2026-03-02T06:04:00.000Z',
  points: 2,
  measurementUuid: '8f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b001',
  value: 20.13,
  limits: { lower: 19.9, upper: 20.1 },
  owner: 'Tool shop',
  reaction: 'Stop, measure again, call the tool shop.',
  muted: false,
  old: false,
  user: 'ada',
  acknowledged: '2026-03-02T06:05:00.000Z',
  closed: '2026-03-02T06:40:00.000Z',
  modifiedBy: 'ada',
  cause: 3,
  causeText: 'Tool worn',
  action: 1,
  actionText: 'Tool changed',
  note: 'The insert was changed after this value.',
};
export const ALARM_WITH_STEPS_EXAMPLE: Alarm = {
  ...ALARM_EXAMPLE,
  measurementUuids: ['8f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b000', '8f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b001'],
  steps: [
    { state: 'raised', time: ALARM_EXAMPLE.raised },
    { state: 'acknowledged', time: '2026-03-02T06:05:00.000Z', user: 'ada' },
    {
      state: 'closed',
      time: '2026-03-02T06:40:00.000Z',
      user: 'ada',
      causeText: 'Tool worn',
      actionText: 'Tool changed',
      note: 'The insert was changed after this value.',
    },
  ],
};
export const CHANGED_ALARM_BODY = { state: 'closed', cause: 3, action: 1, note: 'The insert was changed after this value.' };

const OTHER_ALARM = '3a9d6f02-5c1e-4d0b-8a55-0c3f2a7be102';
export const MANY_ALARMS_BODY = {
  alarms: [ALARM_EXAMPLE.uuid, OTHER_ALARM].map((uuid) => ({ uuid, was: 'raised' })),
  state: 'acknowledged',
};
export const CHANGED_ALARMS_EXAMPLE: ChangedAlarms = {
  changed: [ALARM_EXAMPLE.uuid],
  refused: [{ uuid: OTHER_ALARM, message: `There is no alarm ${OTHER_ALARM}.` }],
};

export const IMPORTED_ALARMS_BODY = { alarms: [ALARM_WITH_STEPS_EXAMPLE], replaces: [OTHER_ALARM] };
export const IMPORTED_ALARMS_EXAMPLE: ImportedAlarms = { created: [ALARM_EXAMPLE.uuid], replaced: [OTHER_ALARM], refused: [] };

const STOP = { from: '2026-03-07T06:00:00.000Z', until: '2026-03-07T14:00:00.000Z', reason: 'Maintenance of the line' };
export const MUTE_EXAMPLE: AlarmMute = {
  uuid: '9b1c2b2e-6b1c-4b27-9d0e-54c1f2a7b777',
  partUuid: PART_UUID,
  partPath: PART_PATH,
  ...STOP,
  user: 'ada',
};
export const NEW_MUTE_BODY = { partPath: '/Pump', ...STOP };
