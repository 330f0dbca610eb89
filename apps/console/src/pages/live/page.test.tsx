import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer, MIDDLE, NEWEST } from '../../testing/door.fixture';
import { layOut } from '../../testing/layout.fixture';
import { spokenEvents } from '../../testing/live.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

let sequence = 0;

/** Opens the page on events that the test speaks for. */
async function open(address = '/live') {
  const events = spokenEvents();
  const server = doorServer();
  const rendered = await renderPage(address, { server, live: events.live });
  await screen.findByRole('heading', { level: 1, name: 'Live' });
  const happens = (measurement: string) => {
    sequence += 1;
    const meta = { id: `e-${sequence}`, time: '2026-05-08T21:42:00.000Z', sequence: String(sequence) };
    act(() => events.happens('MeasurementCreated', { MeasurementUuid: measurement, PartUuid: DOOR, CharacteristicUuid: '' }, meta));
  };
  return { ...rendered, ...events, happens };
}

const rows = async () => within(await screen.findByRole('grid', { name: 'Events, newest first' })).findAllByText('Measurement added');

describe('the live page', () => {
  it('shows what happens, with the name of its part', async () => {
    const { happens } = await open();
    happens(NEWEST);
    expect(await rows()).toHaveLength(1);
    expect((await screen.findAllByText(/Car door/)).length).toBeGreaterThan(0);
  });

  it('uses the connection of all pages', async () => {
    const { server } = await open();
    expect(server.requests.filter((request) => request.includes('/events'))).toEqual([]);
    expect(screen.getByText('live', { selector: '[role="status"]' })).toBeTruthy();
  });

  it('says that the connection is lost', async () => {
    const { options } = await open();
    act(() => options().onState?.({ state: 'disconnected', reason: 'closed' }));
    expect((await screen.findAllByText(/lost|no connection/i)).length).toBeGreaterThan(0);
  });

  it('holds what comes while it is paused', async () => {
    const { happens } = await open();
    happens(NEWEST);
    await rows();
    await userEvent.click(screen.getByRole('button', { name: /^Pause/ }));
    happens(MIDDLE);
    expect(await screen.findByText('Paused; 1 event is waiting.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Continue/ }));
    expect(await rows()).toHaveLength(2);
  });

  it('shows where events were missed', async () => {
    const { options } = await open();
    await act(async () => options().onGap?.());
    expect(await screen.findByText('Events were missed. The other pages have read everything again.')).toBeTruthy();
  });
});
