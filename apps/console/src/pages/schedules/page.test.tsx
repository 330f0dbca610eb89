import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReportRun, ReportSchedule } from '@sinebar/client';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer } from '../../testing/door.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const schedule = (uuid: string, about: Partial<ReportSchedule> = {}): ReportSchedule => ({
  uuid,
  name: 'Capability of the line',
  template: 'capability-list',
  selection: { partUuid: DOOR },
  partPath: '/Car door',
  language: 'en',
  days: 7,
  when: { cron: '0 6 * * 1', zone: 'Europe/Berlin' },
  receivers: [{ kind: 'email', address: 'ada@plant.example' }],
  enabled: true,
  next: '2026-04-06T04:00:00.000Z',
  own: true,
  time: '2026-03-01T00:00:00.000Z',
  ...about,
});
const RUN: ReportRun = {
  uuid: 'r',
  scheduleUuid: '1',
  due: '2026-03-30T04:00:00.000Z',
  state: 'failed',
  reason: 'The schedule has no part.',
  started: '2026-03-30T04:00:00.000Z',
  sent: [],
};
const CHOICE = { any: true, mailDomains: [], mail: true, links: true, zone: 'Europe/Berlin' };

async function open(schedules: readonly ReportSchedule[], language: 'en' | 'de' = 'en') {
  const server = doorServer();
  const sent: unknown[] = [];
  server.answer('GET /reportServiceRest/schedules', () => schedules);
  server.answer('GET /reportServiceRest/schedules/:uuid', () => schedules[0]);
  server.answer('GET /reportServiceRest/schedules/:uuid/runs', () => [RUN]);
  server.answer('POST /reportServiceRest/schedules/:uuid/runs', () => ({ uuid: 'r' }));
  server.answer('GET /alarmServiceRest/receivers', () => CHOICE);
  server.answer('PUT /reportServiceRest/schedules/:uuid', ({ body }) => {
    sent.push(body);
    return schedules[0];
  });
  server.answer('DELETE /reportServiceRest/schedules/:uuid', () => undefined);
  await renderPage('/reports/schedules', { server, language });
  return { server, sent };
}

describe('the page of schedules', () => {
  it('says when, to whom, and how the last one went', async () => {
    await open([schedule('1'), schedule('2', { receivers: [], paused: 'user', when: { cron: '*/5 * * * *' } })]);
    const rows = (await screen.findAllByRole('row')).slice(1);
    expect(rows[0]?.textContent).toContain('every Monday at 06:00Europe/Berlin');
    expect(rows[0]?.textContent).toContain('ada@plant.example');
    await waitFor(() => expect(rows[0]?.textContent).toContain('failed: The schedule has no part.'));
    expect(rows[1]?.textContent).toContain('*/5 * * * *');
    expect(rows[1]?.textContent).toContain('nobody; only kept');
    expect(rows[1]?.textContent).toContain('its user may not sign in any more');
  });

  it('changes one, and keeps what it does not show', async () => {
    const { sent } = await open([schedule('1')]);
    await userEvent.click(await screen.findByRole('button', { name: 'Change Capability of the line' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the schedule' }));
    await userEvent.clear(dialog.getByLabelText('Send to'));
    await userEvent.type(dialog.getByLabelText('Send to'), 'bob');
    expect(dialog.getByRole('status').textContent).toContain('is not like ada@example.com');
    await userEvent.type(dialog.getByLabelText('Send to'), '@plant.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      when: { cron: '0 6 * * 1', zone: 'Europe/Berlin' },
      days: 7,
      receivers: [{ kind: 'email', address: 'bob@plant.example' }],
    });
  });

  it('makes one now, and asks before it deletes one', async () => {
    const { server } = await open([schedule('1')]);
    await userEvent.click(await screen.findByRole('button', { name: 'Make the report of Capability of the line now' }));
    await waitFor(() => expect(server.requests).toContain('POST /reportServiceRest/schedules/1/runs'));
    await userEvent.click(screen.getByRole('button', { name: 'Delete Capability of the line' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this schedule?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    const afterDeletion = () => server.requests.slice(server.requests.indexOf('DELETE /reportServiceRest/schedules/1'));
    await waitFor(() => expect(afterDeletion()).toContain('GET /reportServiceRest/schedules'));
    expect(afterDeletion().filter((each) => each.includes('/runs'))).toEqual([]);
  });

  it('tells how to make the first one, in German too', async () => {
    await open([], 'de');
    expect(await screen.findByText(/drücken „Wiederholen…“/)).toBeTruthy();
  });
});
