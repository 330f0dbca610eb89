import type { ReportRun, ReportSchedule } from '@sinebar/contracts';
import { PART_UUID } from '../../shared/documentation.ts';
import { KEPT_REPORT_EXAMPLE } from '../report-examples.ts';

export const SCHEDULE_BODY = {
  name: 'Capability of the line',
  template: 'capability-list',
  selection: { partUuid: PART_UUID },
  language: 'en',
  days: 7,
  when: { cron: '0 6 * * 1', zone: 'Europe/Berlin' },
  receivers: [{ kind: 'email', address: 'ada@example.com' }],
};
export const SCHEDULE_EXAMPLE: ReportSchedule = {
  uuid: '6b0c1c0e-8f0b-4f63-9f0e-2f9e6c3f1a02',
  name: 'Capability of the line',
  template: 'capability-list',
  selection: { partUuid: PART_UUID },
  partPath: '/Pump',
  language: 'en',
  days: 7,
  when: { cron: '0 6 * * 1', zone: 'Europe/Berlin' },
  receivers: [{ kind: 'email', address: 'ada@example.com' }],
  enabled: true,
  next: '2026-04-06T04:00:00.000Z',
  own: true,
  user: 'ada',
  time: '2026-04-01T06:00:00.000Z',
};
export const RUN_EXAMPLE: ReportRun = {
  uuid: '0f6a4ad8-6a0e-4a55-9d6e-0f1a7a2b6c03',
  scheduleUuid: SCHEDULE_EXAMPLE.uuid,
  due: '2026-04-06T04:00:00.000Z',
  state: 'done',
  reportUuid: KEPT_REPORT_EXAMPLE.uuid,
  whole: true,
  started: '2026-04-06T04:00:00.412Z',
  finished: '2026-04-06T04:00:03.101Z',
  sent: [
    {
      receiver: { kind: 'email', to: 'ada@example.com' },
      state: 'delivered',
      tries: 1,
      lastTry: '2026-04-06T04:00:04.020Z',
      answer: '250 Ok: queued',
    },
  ],
};
