import { describe, expect, it } from '@jest/globals';
import type { ReportSchedule } from '@sinebar/client';
import { newScheduleDraft, scheduleContent, scheduleDraftOf, scheduleProblem, timesOf, type ScheduleDraft } from './schedule-draft';

const SUBJECT = { template: 'part', selection: { partUuid: 'p' }, language: 'en' as const };
const draft = (more: Partial<ScheduleDraft> = {}) => ({ ...newScheduleDraft('Weekly'), ...more });
const content = (more: Partial<ScheduleDraft>) => scheduleContent(draft(more), SUBJECT);
const schedule = (more: Partial<ReportSchedule>): ReportSchedule => ({
  uuid: 's',
  name: 'Weekly',
  ...SUBJECT,
  when: { cron: '0 6 * * 1' },
  receivers: [],
  enabled: true,
  own: true,
  time: '2026-03-01T00:00:00.000Z',
  ...more,
});

describe('draft of a schedule', () => {
  it.each<[Partial<ScheduleDraft>, string]>([
    [{}, '0 6 * * 1'],
    [{ frequency: 'daily', time: '22:05' }, '5 22 * * *'],
    [{ frequency: 'weekly', weekday: '0' }, '0 6 * * 0'],
    [{ frequency: 'monthly', dayOfMonth: '01' }, '0 6 1 * *'],
    [{ frequency: 'other', cron: ' 0 6,14 * * 1-5 ' }, '0 6,14 * * 1-5'],
  ])('%j has the times %s', (more, cron) => {
    expect(content(more).when).toEqual({ cron });
  });

  it.each([
    ['5 22 * * *', { frequency: 'daily', time: '22:05' }],
    ['0 6 * * 1', { frequency: 'weekly', weekday: '1', time: '06:00' }],
    ['0 6 31 * *', { frequency: 'monthly', dayOfMonth: '31', time: '06:00' }],
    ['0 6 1 * 1', { frequency: 'other' }],
    ['0 6 * * 1-5', { frequency: 'other' }],
    ['*/5 * * * *', { frequency: 'other' }],
    ['0 6 * * MON', { frequency: 'other' }],
  ])('reads %s', (cron, times) => {
    expect(timesOf(cron)).toEqual(times);
  });

  it('sends to each address once, and to a webhook', () => {
    expect(content({ addresses: ' a@x.example, b@x.example;a@x.example ', webhook: 'https://h.example/in' }).receivers).toEqual([
      { kind: 'email', address: 'a@x.example' },
      { kind: 'email', address: 'b@x.example' },
      { kind: 'webhook', url: 'https://h.example/in', shape: 'standard' },
    ]);
  });

  it('keeps what the dialog does not show', () => {
    const hooks = ['https://a.example/', 'https://b.example/'].map((url) => ({
      kind: 'webhook' as const,
      url,
      shape: 'standard' as const,
    }));
    const known = schedule({ when: { cron: '0 6 * * 1', zone: 'Asia/Kolkata' }, receivers: hooks, days: 7 });
    expect(scheduleContent(scheduleDraftOf(known), SUBJECT, known)).toEqual({
      name: 'Weekly',
      ...SUBJECT,
      when: { cron: '0 6 * * 1', zone: 'Asia/Kolkata' },
      days: 7,
      receivers: hooks,
      enabled: true,
    });
  });

  it('has no days where all values count', () => {
    expect(content({ days: '' })).not.toHaveProperty('days');
    expect(scheduleDraftOf(schedule({})).days).toBe('');
  });

  it.each<[Partial<ScheduleDraft>, string | undefined]>([
    [{}, undefined],
    [{ name: ' ' }, 'noName'],
    [{ time: '' }, 'noTime'],
    [{ frequency: 'monthly', dayOfMonth: '32' }, 'noDay'],
    [{ frequency: 'other', cron: '0 6 *' }, 'noCron'],
    [{ days: '0' }, 'wrongDays'],
    [{ days: '1.5' }, 'wrongDays'],
    [{ addresses: 'ada@x.example, bob' }, 'wrongAddress'],
    [{ webhook: 'h.example' }, 'wrongWebhook'],
  ])('says of %j what is wrong: %s', (more, problem) => {
    expect(scheduleProblem(draft(more))).toBe(problem);
  });
});
