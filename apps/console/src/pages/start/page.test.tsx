import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PartChildren } from '@sinebar/client';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer, GAP_LEFT, measurement, NEWEST } from '../../testing/door.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

type Now = PartChildren['children'][number]['statuses']['now'];

/** A server with one part whose newest values have these statuses. */
function serverWith(now: Partial<Now>) {
  const server = doorServer({ isFlushUnlimited: true });
  const statuses = {
    now: { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0, ...now },
    process: { capable: 0, uncertain: 0, notCapable: 0, notStable: 0, unknown: 0 },
  };
  const characteristics = Object.values(statuses.now).reduce((sum, count) => sum + count, 0);
  server.answer('GET /analysisServiceRest/parts/:uuid/children', () => ({
    children: [{ kind: 'part', uuid: DOOR, name: 'Car door', hasChildren: true, characteristics, statuses }],
  }));
  return server;
}

describe('the start page', () => {
  it.each([
    ['en', { inLimits: 3 }, 'All 3 characteristics are in limits.'],
    ['en', { inLimits: 3, noLimits: 2 }, 'All 3 characteristics with limits are in them.'],
    ['de', { inLimits: 1, noLimits: 2 }, 'Das einzige Merkmal mit Grenzen ist darin.'],
    ['en', { noLimits: 2, noData: 1 }, 'No measured characteristic has limits.'],
    ['en', { aboveTolerance: 1, noLimits: 2 }, '1 of 3 characteristics is out of tolerance.'],
    ['en', { noData: 2 }, 'None of 2 characteristics has been measured yet.'],
  ] as const)('says in %s of %j: %s', async (language, now, finding) => {
    await renderPage('/', { server: serverWith(now), language });
    expect((await screen.findByRole('heading', { level: 1, name: finding })).textContent).toBe(finding);
  });

  it('says how many characteristics have no limits', async () => {
    await renderPage('/', { server: serverWith({ inLimits: 3, noLimits: 2 }) });
    expect(await screen.findByText(/2 have no limits\./)).toBeTruthy();
  });

  it('shows a part without limits in grey, never as in limits', async () => {
    await renderPage('/', { server: serverWith({ noLimits: 2 }) });
    const row = (await screen.findByRole('rowheader', { name: 'Car door' })).closest('tr') as HTMLElement;
    expect(within(row).getByRole('img', { name: 'no limits' })).toBeTruthy();
    expect(within(row).queryByRole('img', { name: 'in limits' })).toBeNull();
  });

  it('names a worst characteristic without limits as such', async () => {
    const server = serverWith({ noLimits: 1 });
    await renderPage('/', { server });
    const section = await screen.findByRole('region', { name: /Worst characteristics/ });
    expect(within(section).getByRole('img', { name: 'no limits' })).toBeTruthy();
  });
});

describe('the start page of an empty server', () => {
  it('names the address of this server, and defines the standard attributes', async () => {
    const server = doorServer();
    const created: string[] = [];
    const configuration = { partAttributes: [], characteristicAttributes: [], measurementAttributes: [], valueAttributes: [] };
    server.answer('GET /analysisServiceRest/parts/:uuid/children', () => ({ children: [] }));
    server.answer('GET /dataServiceRest/configuration', () => ({ ...configuration, catalogAttributes: [] }));
    server.answer('GET /dataServiceRest/catalogs', () => []);
    server.answer('GET /dataServiceRest/permissions', () => ({
      userName: 'a',
      partRights: { 'plan:read': ['/'], 'plan:write': ['/'] },
      serverRights: ['configuration:write'],
    }));
    server.answer('POST /dataServiceRest/configuration/:owner', ({ url }) => void created.push(url.pathname.split('/').at(-1) ?? ''));
    // As the server writes it into the page.
    const told = Object.assign(document.createElement('meta'), { name: 'sinebar-command', content: 'npx sinebar' });
    document.head.append(told);
    await renderPage('/', { server });
    expect((await screen.findByRole('code')).textContent).toBe(`npx sinebar demo --server ${location.origin}`);
    told.remove();
    await userEvent.click(await screen.findByRole('button', { name: 'Use the standard attributes' }));
    await waitFor(() => expect(created).toEqual(['catalog', 'part', 'characteristic', 'measurement', 'value']));
  });
});

describe('the newest measurements', () => {
  it.each([
    ['en', '1 out of tolerance, of 2 values'],
    ['de', '1 außerhalb der Toleranz, von 2 Werten'],
  ] as const)('are one for each part, with its statuses, in %s', async (language, words) => {
    const server = serverWith({ inLimits: 1 });
    server.answer('GET /dataServiceRest/measurements', ({ url }) =>
      url.searchParams.get('limitResultPerPart') === '1' ? [measurement(NEWEST)] : [],
    );
    await renderPage('/', { server, language });
    const item = (await screen.findByText(words)).closest('li')!;
    const link = await within(item).findByRole('link', { name: 'Car door' });
    expect(link.getAttribute('href')).toContain(`/measurements/${NEWEST}`);
  });

  it('are said to be in limits where all values are', async () => {
    const server = serverWith({ inLimits: 1 });
    const status = [{ id: 'Green' as const, count: 12 }];
    server.answer('GET /dataServiceRest/measurements', () => [{ ...measurement(NEWEST), status, noLimits: { count: 2 } }]);
    await renderPage('/', { server });
    expect(await screen.findByText('10 values in limits')).toBeTruthy();
  });
});

describe('what changed', () => {
  const EARLY = { name: 'early', from: '06:00', to: '14:00' };
  const change = (status: 'now' | 'process', from: string, to: string, at: string) => ({
    time: at,
    characteristicUuid: GAP_LEFT,
    path: 'PC:/Car door/Gap left/',
    name: 'Gap left',
    status,
    from,
    to,
  });
  const serverWithShift = () => {
    const server = serverWith({ inLimits: 3 });
    server.answer('GET /analysisServiceRest/settings', () => ({ zone: 'UTC', shifts: [EARLY], revision: 1 }));
    server.answer('GET /analysisServiceRest/parts/:uuid/changes', () => ({
      total: 12,
      offset: 0,
      changes: [
        change('process', 'uncertain', 'notStable', '2026-05-08T10:30:00.000Z'),
        change('now', 'inLimits', 'aboveTolerance', '2026-05-08T10:00:00.000Z'),
      ],
    }));
    return server;
  };

  it('in the last shift is listed with both statuses, its moment and a link', async () => {
    const { server } = await renderPage('/', { server: serverWithShift() });
    const section = await screen.findByRole('region', { name: 'What changed in the last shift' });
    const items = within(section).getAllByRole('listitem');
    expect(items[0]?.textContent).toContain('uncertain → not stable');
    expect(items[1]?.textContent).toContain('in limits → above tolerance');
    expect(items[0]?.querySelector('time')?.dateTime).toBe('2026-05-08T10:30:00.000Z');
    expect(within(items[0]!).getByRole('link', { name: 'Gap left' }).getAttribute('href')).toContain(
      `/parts/${DOOR}/characteristics/${GAP_LEFT}`,
    );
    expect(within(section).getByText(/^early, /)).toBeTruthy();
    expect(within(section).getByText('and 10 earlier changes')).toBeTruthy();
    const asked = server.requests.map((request) => decodeURIComponent(request)).find((request) => request.includes('/changes?'));
    expect(asked).toMatch(/from=[^&]*T06:00:00.000Z&to=[^&]*T14:00:00.000Z/);
  });

  it('in the last 24 hours, without shifts, is said to be nothing', async () => {
    await renderPage('/', { server: serverWith({ inLimits: 3 }), language: 'de' });
    const section = await screen.findByRole('region', { name: 'Änderungen der letzten 24 Stunden' });
    expect(within(section).getByText('Kein Status hat sich geändert.')).toBeTruthy();
  });
});
