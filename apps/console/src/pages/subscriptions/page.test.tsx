import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AlarmDelivery, AlarmReceiverChoice, AlarmSubscription } from '@sinebar/client';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const PATH = '/alarmServiceRest/subscriptions';
const CHOICE: AlarmReceiverChoice = {
  any: true,
  ownAddress: 'ann@plant.example',
  mailDomains: [],
  mail: true,
  links: true,
  zone: 'Europe/Berlin',
};
const STORED: AlarmSubscription = {
  uuid: '6b000000-0000-4000-8000-000000000001',
  receiver: { kind: 'email', address: 'ann@plant.example' },
  partUuid: 'p',
  partPath: '/Car door/Frame',
  kinds: ['tolerance', 'process'],
  escalateAfterMinutes: 30,
  digest: { at: ['06:00', '14:00'] },
  quietHours: { from: '22:00', to: '06:00' },
  language: 'en',
  own: true,
  time: '2026-03-02T08:00:00.000Z',
};
const TEST: AlarmDelivery = {
  uuid: '7c000000-0000-4000-8000-000000000001',
  subscriptionUuid: STORED.uuid,
  state: 'waiting',
  receiver: { kind: 'email', to: 'ann@plant.example' },
  test: true,
  alarms: 0,
  alarmUuids: [],
  created: '2026-03-02T08:00:00.000Z',
  tries: 0,
};

interface Given {
  choice?: Partial<AlarmReceiverChoice>;
  subscriptions?: AlarmSubscription[];
  language?: 'en' | 'de';
  tested?: Partial<AlarmDelivery>;
}

async function open({ choice = {}, subscriptions = [STORED], language = 'en', tested = {} }: Given = {}) {
  const sent: unknown[] = [];
  const server = doorServer();
  server.answer('GET /alarmServiceRest/receivers', () => ({ ...CHOICE, ...choice }));
  server.answer(`GET ${PATH}`, () => subscriptions);
  server.answer(
    `GET ${PATH}/:uuid`,
    () => new Response(JSON.stringify(STORED), { headers: { ETag: '"1"', 'Content-Type': 'application/json' } }),
  );
  server.answer(`POST ${PATH}`, ({ body }) => {
    sent.push(body);
    const { receiver } = body as AlarmSubscription;
    return { ...STORED, receiver: receiver.kind === 'webhook' ? { ...receiver, secret: 'whsec_made' } : receiver };
  });
  server.answer(`PUT ${PATH}/:uuid`, ({ body }) => {
    sent.push(body);
    return STORED;
  });
  server.answer(`DELETE ${PATH}/:uuid`, ({ url }) => void sent.push(url.pathname));
  server.answer(`POST ${PATH}/:uuid/test`, () => TEST);
  server.answer('GET /alarmServiceRest/deliveries/:uuid', () => ({ ...TEST, ...tested }));
  await renderPage('/administration/subscriptions', { server, language });
  await screen.findByRole('heading', { level: 1, name: language === 'en' ? 'Subscriptions' : 'Abonnements' });
  return { server, sent };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

describe('the page of subscriptions', () => {
  it('says who is told about what, when and how', async () => {
    await open();
    const row = (await screen.findByRole('rowheader', { name: /ann@plant.example/ })).closest('tr')!;
    expect(row.textContent).toContain('Car door / Frame');
    expect(row.textContent).toContain(
      'out of tolerance, process; not acknowledged after 30 minutes; together at 06:00, 14:00; quiet from 22:00 to 06:00',
    );
    expect(within(row).getByRole('link', { name: 'To its messages' }).getAttribute('href')).toContain(`subscription=${STORED.uuid}`);
  });

  it('says what the server lacks, and why a subscription rests', async () => {
    await open({ choice: { mail: false, links: false }, subscriptions: [{ ...STORED, paused: 'mail' }] });
    expect(await screen.findByText(/SINEBAR_SMTP_URL is missing/)).toBeTruthy();
    expect(screen.getByText(/SINEBAR_PUBLIC_URL is missing/)).toBeTruthy();
    expect(await screen.findByText('paused: this server sends no e-mails')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Send a test to ann@plant.example' }).hasAttribute('disabled')).toBe(true);
  });

  it('says why nobody can be told, and offers nothing', async () => {
    await open({ choice: { any: false, ownAddress: undefined }, subscriptions: [] });
    expect(await screen.findByText(/You may have nobody told/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'New subscription…' })).toBeNull();
  });

  it('creates one for the own address', async () => {
    const { sent } = await open({ subscriptions: [] });
    await press('New subscription…');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'When' }), 'when nobody acknowledges it');
    const minutes = screen.getByRole('textbox', { name: 'Minutes' });
    await userEvent.clear(minutes);
    expect(screen.getByText('Alarms are told after 1 to 10,080 minutes.')).toBeTruthy();
    await userEvent.type(minutes, '45');
    await userEvent.click(screen.getByRole('checkbox', { name: 'nothing measured' }));
    await press('Save');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      receiver: { kind: 'email', address: 'ann@plant.example' },
      partPath: '/',
      kinds: ['tolerance', 'plausibility', 'rule', 'process'],
      escalateAfterMinutes: 45,
      language: 'en',
    });
  });

  it('shows the secret of a new webhook once', async () => {
    await open({ subscriptions: [] });
    await press('New subscription…');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Tell' }), 'a webhook');
    await userEvent.type(screen.getByRole('textbox', { name: 'Address of the webhook' }), 'https://example.com/alarms');
    await press('Save');
    const dialog = await screen.findByRole('dialog', { name: 'The secret of this webhook' });
    expect(within(dialog).getByText('whsec_made')).toBeTruthy();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('whsec_made')).toBeNull());
  });

  it('keeps the form open when the server refuses', async () => {
    const { server } = await open({ subscriptions: [] });
    server.answer(`POST ${PATH}`, () => refusal(403, 'Forbidden', 'You may not have this address told.'));
    await press('New subscription…');
    await press('Save');
    expect((await screen.findByRole('alert')).textContent).toContain('You may not have this address told.');
    expect(screen.getByRole('dialog', { name: 'New subscription' })).toBeTruthy();
  });

  it('changes one with the condition under which it was read, and deletes one', async () => {
    const { sent } = await open();
    await press('Change the subscription of ann@plant.example');
    await userEvent.click(await screen.findByRole('checkbox', { name: /Quiet hours/ }));
    await press('Save');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).not.toHaveProperty('quietHours');
    await press('Delete the subscription of ann@plant.example');
    await press('Delete');
    await waitFor(() => expect(sent[1]).toBe(`${PATH}/${STORED.uuid}`));
  });

  it.each([
    [{ state: 'delivered', answer: '250 OK', tries: 1 }, 'The test to ann@plant.example has arrived: 250 OK.'],
    [{ state: 'waiting', answer: 'connection refused', tries: 1 }, 'The test to ann@plant.example has not arrived: connection refused'],
  ] as const)('sends a test, and says how it went: %j', async (tested, sentence) => {
    await open({ tested });
    await press('Send a test to ann@plant.example');
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  it('speaks German', async () => {
    await open({ language: 'de', choice: { mail: false } });
    expect(await screen.findByText(/verschickt keine E-Mails/)).toBeTruthy();
    expect((await screen.findByRole('row', { name: /ann@plant/ })).textContent).toContain('nach 30 Minuten nicht bestätigt');
  });
});
