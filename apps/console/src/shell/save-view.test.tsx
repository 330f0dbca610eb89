import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SavedView } from '@sinebar/client';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SavedViews } from '../pages/start/saved-views';
import { FakeServer, refusal } from '../testing/fake-server.fixture';
import { layOut } from '../testing/layout.fixture';
import { renderComponent } from '../testing/render.fixture';
import { SaveView } from './save-view';

beforeAll(layOut);
beforeEach(() => localStorage.clear());

const VIEW: SavedView = {
  uuid: 'v-1',
  name: 'Doors',
  address: '/console/parts?a=1',
  shared: false,
  own: true,
  time: '2026-03-02T06:00:00Z',
};

/** A server that keeps views, and the bodies of the views that it gets. */
function viewServer(server: FakeServer, userName: string, serverRights: readonly string[], views: readonly SavedView[] = []) {
  const saved: unknown[] = [];
  server.answer('GET /dataServiceRest/permissions', () => ({ userName, partRights: { 'plan:read': ['/'] }, serverRights }));
  server.answer('GET /analysisServiceRest/views', () => views);
  server.answer('PUT /analysisServiceRest/views/:uuid', ({ body }) => {
    saved.push(body);
    return VIEW;
  });
  server.answer('DELETE /analysisServiceRest/views/:uuid', () => undefined);
  return { server, saved };
}

async function renderDialog(server: FakeServer) {
  const onClose = jest.fn();
  const { session } = await renderComponent(<SaveView isOpen onClose={onClose} />, { server });
  await act(() => session.begin());
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Doors');
  return onClose;
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

describe('saving a view', () => {
  it('keeps it on the server for a user who has signed in, in the place of the own one with the name', async () => {
    const { server, saved } = viewServer(new FakeServer(), 'ada', [], [{ ...VIEW, uuid: 'v-2', shared: true }, VIEW]);
    const onClose = await renderDialog(server);
    expect(screen.queryByRole('checkbox')).toBeNull();
    await waitFor(() => expect(server.requests).toContain('GET /analysisServiceRest/views'));
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(server.requests).toContain('PUT /analysisServiceRest/views/v-1');
    expect(saved).toEqual([{ name: 'Doors', address: expect.stringMatching(/^\//), shared: false }]);
    expect(localStorage).toHaveLength(0);
  });

  it('keeps it for all users, where the reader may do so', async () => {
    const { server, saved } = viewServer(new FakeServer(), '', ['configuration:write']);
    await renderDialog(server);
    await userEvent.click(screen.getByRole('checkbox', { name: 'On the start page of all users' }));
    await save();
    await waitFor(() => expect(saved).toEqual([expect.objectContaining({ name: 'Doors', shared: true })]));
  });

  it('keeps it in the browser without sign-in', async () => {
    const { server, saved } = viewServer(new FakeServer(), '', []);
    const onClose = await renderDialog(server);
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(saved).toEqual([]);
    expect(localStorage.getItem('sinebar.views')).toContain('Doors');
  });

  it('shows why the server refuses it', async () => {
    const { server } = viewServer(new FakeServer(), 'ada', []);
    server.answer('PUT /analysisServiceRest/views/:uuid', () => refusal(400, 'InvalidRequest', 'There are 500 own views already.'));
    const onClose = await renderDialog(server);
    await save();
    expect((await screen.findByRole('alert')).textContent).toContain('There are 500 own views already.');
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('saved views', () => {
  it('are own ones, shared ones and those of the browser, and go where the reader may remove them', async () => {
    const views = [VIEW, { ...VIEW, uuid: 'v-2', name: 'Line', shared: true, own: false }];
    const { server } = viewServer(new FakeServer(), 'ada', [], views);
    localStorage.setItem('sinebar.views', JSON.stringify([{ name: 'Here', address: '/console/live' }]));
    const { session } = await renderComponent(<SavedViews />, { server });
    await act(() => session.begin());
    expect((await screen.findByRole('link', { name: 'Doors' })).getAttribute('href')).toBe('/console/parts?a=1');
    expect(screen.getByRole('link', { name: 'Line' }).title).toBe('All users see this view.');
    expect(screen.queryByRole('button', { name: 'Remove the view Line' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Remove the view Doors' }));
    await waitFor(() => expect(server.requests).toContain('DELETE /analysisServiceRest/views/v-1'));
    await userEvent.click(screen.getByRole('button', { name: 'Remove the view Here' }));
    expect(screen.queryByRole('link', { name: 'Here' })).toBeNull();
  });
});
