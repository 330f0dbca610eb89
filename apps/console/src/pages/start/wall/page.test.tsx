import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer } from '../../../testing/door.fixture';
import { withElementWidth } from '../../../testing/element-size.fixture';
import { spokenEvents } from '../../../testing/live.fixture';
import { renderPage } from '../../../testing/render.fixture';

withElementWidth(960);

const worst = () => screen.queryByRole('region', { name: /Worst characteristics/ });
const changed = () => screen.queryByRole('region', { name: /What changed/ });

describe('the wall screen', () => {
  it('shows the finding, the counts and what is worst, without the frame of other pages', async () => {
    await renderPage('/wall', { server: doorServer() });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toMatch(/characteristic/);
    expect(within(screen.getByRole('list', { name: 'Now' })).getAllByRole('listitem').length).toBeGreaterThan(0);
    expect(worst()).not.toBeNull();
    expect(screen.queryByRole('banner')?.querySelector('button') ?? null).toBeNull();
    expect(screen.queryByRole('tree')).toBeNull();
  });

  it('turns by itself, and stays where the reader stops it', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    try {
      const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
      await renderPage('/wall?seconds=30', { server: doorServer() });
      await waitFor(() => expect(worst()).not.toBeNull());
      act(() => void jest.advanceTimersByTime(25_000));
      expect(worst()).not.toBeNull();
      act(() => void jest.advanceTimersByTime(6000));
      await waitFor(() => expect(worst()).toBeNull());
      await user.click(screen.getByRole('button', { name: 'Stop turning' }));
      act(() => void jest.advanceTimersByTime(120_000));
      expect(worst()).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Next screen' }));
      await waitFor(() => expect(worst()).not.toBeNull());
      expect(changed()).toBeNull();
    } finally {
      jest.useRealTimers();
    }
  });

  it('shows one part where the address names it', async () => {
    await renderPage(`/wall?part=${DOOR}`, { server: doorServer() });
    expect(await screen.findByText('Car door')).toBeTruthy();
  });

  it('says for the whole room that the server is lost, and asks for nothing', async () => {
    const events = spokenEvents();
    await renderPage('/wall', { server: doorServer(), live: events.live });
    await waitFor(() => expect(worst()).not.toBeNull());
    act(() => events.options().onState?.({ state: 'disconnected', reason: 'transport close' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^No connection to the server since .*What stands here is from before\.$/,
    );
    expect(worst()).not.toBeNull();
    expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
    act(() => events.options().onState?.({ state: 'connected' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(''));
  });
});
