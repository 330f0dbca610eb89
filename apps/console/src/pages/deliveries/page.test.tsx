import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AlarmDelivery } from '@sinebar/client';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ALARM = '5a000000-0000-4000-8000-000000000001';
const message = (uuid: string, about: Partial<AlarmDelivery>): AlarmDelivery => ({
  uuid,
  subscriptionUuid: 's1',
  state: 'delivered',
  receiver: { kind: 'email', to: 'ann@plant.example' },
  test: false,
  alarms: 1,
  alarmUuids: [ALARM],
  created: '2026-03-02T08:00:00.000Z',
  tries: 1,
  answer: '250 OK',
  ...about,
});
const MESSAGES = [
  message('1', {}),
  message('2', {
    state: 'failed',
    receiver: { kind: 'webhook', to: 'https://hooks.example.com' },
    tries: 12,
    alarms: 250,
    answer: '500 Internal Server Error',
  }),
  message('3', {
    state: 'waiting',
    tries: 3,
    nextTry: '2026-03-02T09:00:00.000Z',
    answer: 'no answer within 10 s',
    test: true,
    alarms: 0,
    alarmUuids: [],
  }),
];

async function open(address = '/administration/deliveries', messages = MESSAGES, language: 'en' | 'de' = 'en') {
  const server = doorServer();
  server.answer('GET /alarmServiceRest/deliveries', () => messages);
  server.answer('GET /alarmServiceRest/subscriptions', () => []);
  server.answer('POST /alarmServiceRest/deliveries/:uuid/retry', () => ({ ...MESSAGES[1], state: 'waiting' }));
  await renderPage(address, { server, language });
  return server;
}

describe('the page of messages', () => {
  it('lists state, receiver, answer and the next try', async () => {
    await open();
    const [arrived, failed, waiting] = (await screen.findAllByRole('row')).slice(1);
    expect(arrived?.textContent).toContain('arrived: 250 OK');
    expect(failed?.textContent).toContain('failed: 500 Internal Server Error12 tries');
    expect(failed?.textContent).toContain('250 alarms');
    expect(waiting?.textContent).toMatch(/waiting: no answer within 10 s3 tries, next try 2 Mar .*09:00/);
    expect(screen.getByRole('link', { name: '1 alarm' }).getAttribute('href')).toContain(`selected=${ALARM}`);
  });

  it('sends one again', async () => {
    const server = await open();
    await userEvent.click(await screen.findByRole('button', { name: /to https:\/\/hooks.example.com again$/ }));
    await waitFor(() => expect(server.requests).toContain('POST /alarmServiceRest/deliveries/2/retry'));
    expect(screen.queryByRole('button', { name: /of 2 Mar 2026, 08:00 to ann@plant.example again$/ })?.textContent).toBe('Send now');
  });

  it('says why one cannot be sent again', async () => {
    const server = await open();
    server.answer('POST /alarmServiceRest/deliveries/:uuid/retry', () => refusal(409, 'Conflict', 'The message is being sent.'));
    await userEvent.click(await screen.findByRole('button', { name: /to https:\/\/hooks.example.com again$/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('The message is being sent.');
  });

  it('filters by state and subscription, which the address holds', async () => {
    const server = await open('/administration/deliveries?state=failed&subscription=s1', []);
    expect(await screen.findByText('No message matches the filters.')).toBeTruthy();
    const asked = server.requests.find((request) => request.startsWith('GET /alarmServiceRest/deliveries?'));
    expect(decodeURIComponent(asked ?? '')).toContain('state={failed}');
    expect(asked).toContain('subscriptionUuid=s1');
    await userEvent.click(screen.getByRole('button', { name: 'Remove the filters' }));
    expect(await screen.findByText('No message was sent yet.')).toBeTruthy();
  });

  it('speaks German', async () => {
    await open(undefined, undefined, 'de');
    expect((await screen.findAllByRole('row'))[2]?.textContent).toContain('gescheitert: 500 Internal Server Error12 Versuche');
  });
});
