import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer, GAP_LEFT, GAP_RIGHT } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const rowsOf = async () => {
  const table = await screen.findByRole('grid', { name: /Characteristics|Merkmale/ });
  return within(table)
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent);
};

describe('the page of a part', () => {
  it('shows its name, its facts and its characteristics', async () => {
    await renderPage(`/parts/${DOOR}`, { server: doorServer() });
    expect(await rowsOf()).toEqual(['Gap left', 'Gap right', 'Flush']);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Car door');
    expect(await screen.findByText('DR-4471 C')).toBeTruthy();
  });

  it('shows values with the digits of their limits', async () => {
    await renderPage(`/parts/${DOOR}`, { server: doorServer() });
    expect(await screen.findByText('20.053')).toBeTruthy();
    await waitFor(() => expect(screen.getAllByText('20.000').length).toBeGreaterThan(0));
  });

  it('shows German words and a decimal comma', async () => {
    await renderPage(`/parts/${DOOR}`, { server: doorServer(), language: 'de' });
    expect(await screen.findByText('20,053')).toBeTruthy();
    expect(screen.getByText('noch keine Zahl')).toBeTruthy();
  });

  it('says that a characteristic has no number', async () => {
    await renderPage(`/parts/${DOOR}`, { server: doorServer() });
    expect(await screen.findByText('no number yet')).toBeTruthy();
  });

  it('asks for the worst first, and for the order of the address', async () => {
    const { server } = await renderPage(`/parts/${DOOR}?order=ppk`, { server: doorServer() });
    await rowsOf();
    expect(server.requests.some((request) => request.includes('/overview?order=ppk'))).toBe(true);
  });

  it('filters by a total, in the address', async () => {
    const { router } = await renderPage(`/parts/${DOOR}`, { server: doorServer() });
    await rowsOf();
    await userEvent.click(await screen.findByRole('button', { name: /1 out of tolerance/ }));
    expect(await screen.findByText(/1 to 1 of 1/)).toBeTruthy();
    expect(router.state.location.search).toMatchObject({ statuses: ['outOfTolerance'] });
  });

  it('has a light of its own for values without limits, and filters by it', async () => {
    const { server, router } = await renderPage(`/parts/${DOOR}`, { server: doorServer({ isFlushUnlimited: true }) });
    const row = (await screen.findByRole('rowheader', { name: /Flush/ })).closest('tr') as HTMLElement;
    expect(within(row).getByRole('img', { name: 'no limits' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /1 in limits/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /1 no limits/ }));
    expect(router.state.location.search).toMatchObject({ statuses: ['noLimits'] });
    await waitFor(async () => expect(await rowsOf()).toEqual(['Flush']));
    expect(server.requests.some((request) => decodeURIComponent(request).includes('statuses={noLimits}'))).toBe(true);
  });

  it('asks for nothing without limits where those in limits are wanted', async () => {
    const { server } = await renderPage(`/parts/${DOOR}?statuses=inLimits`, {
      server: doorServer({ isFlushUnlimited: true }),
      language: 'de',
    });
    expect(await rowsOf()).toEqual(['Gap right']);
    expect(server.requests.some((request) => request.includes('noLimits'))).toBe(false);
    expect(screen.getByRole('button', { name: /1 keine Grenzen/ })).toBeTruthy();
  });

  it('says in words what may be expected of a process, since when, and by which model', async () => {
    await renderPage(`/parts/${DOOR}?columns=pk,process`, { server: doorServer({ isGapUnstable: true }) });
    const cell = await screen.findByText('not stable');
    expect(cell.title).toMatch(/^not stable, the mean went from 20\.0010 to 20\.0400 on 8 May/);
    expect(screen.getByText('uncertain')).toBeTruthy();
    expect(screen.getByText('Weibull').parentElement?.textContent).toBe('Weibull 0.94');
    expect(screen.getByText('Weibull').parentElement?.title).toBe('0.94, mirrored Weibull');
  });

  it('filters by the status of the process, in the address', async () => {
    const { router } = await renderPage(`/parts/${DOOR}`, { server: doorServer({ isGapUnstable: true }), language: 'de' });
    expect(await rowsOf()).toHaveLength(3);
    await userEvent.click(screen.getByRole('button', { name: /^Prozess alle/ }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'nicht stabil' }));
    expect(router.state.location.search).toMatchObject({ process: ['notStable'] });
    await userEvent.keyboard('{Escape}');
    await waitFor(async () => expect(await rowsOf()).toEqual(['Gap left']));
  });

  it('keeps both filters of an address, and removes both', async () => {
    const { server } = await renderPage(`/parts/${DOOR}?statuses=inLimits&process=notStable`, { server: doorServer() });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the filter' }));
    expect(await rowsOf()).toHaveLength(3);
    expect(server.requests.some((request) => decodeURIComponent(request).includes('statuses={inLimits,notStable}'))).toBe(true);
  });

  it('saves the process, its beginning and the model as CSV', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (content) => `#${saved.push(content as Blob)}`;
    await renderPage(`/parts/${DOOR}?columns=pk,process`, { server: doorServer({ isGapUnstable: true }) });
    await rowsOf();
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Table as CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    const lines = (await saved[0]!.text()).split(/\r?\n/);
    expect(lines[0]).toMatch(/Ppk.Model.Process.Not stable since$/);
    expect(lines[1]).toMatch(/0\.94.mirrored Weibull.not stable.2026-05-08T21:31:00Z$/);
  });

  it('filters by name, and says how to see all again', async () => {
    await renderPage(`/parts/${DOOR}?find=hinge`, { server: doorServer() });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the filter' }));
    expect(await rowsOf()).toHaveLength(3);
  });

  it('shows the parts below, worst first, with their processes', async () => {
    const server = doorServer();
    const counts = { inLimits: 2, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0 };
    const process = { capable: 1, uncertain: 0, notCapable: 2, notStable: 3, unknown: 0 };
    const part = (name: string, out: number) => ({
      kind: 'part',
      uuid: name,
      name,
      hasChildren: true,
      characteristics: 6,
      statuses: { now: { ...counts, aboveTolerance: out }, process },
    });
    server.answer('GET /analysisServiceRest/parts/:uuid/children', () => ({ children: [part('Frame', 0), part('Hinge', 2)] }));
    await renderPage(`/parts/${DOOR}`, { server });
    const section = within(await screen.findByRole('region', { name: 'Parts below' }));
    expect(section.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Hinge', 'Frame']);
    expect(section.getAllByText('3 not stable')).toHaveLength(2);
    expect(section.getAllByText('2 not capable')).toHaveLength(2);
  });

  it('chooses rows by keyboard and opens one', async () => {
    const { router } = await renderPage(`/parts/${DOOR}`, { server: doorServer() });
    const table = await screen.findByRole('grid', { name: 'Characteristics' });
    table.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(router.state.location.search).toMatchObject({ selected: GAP_LEFT });
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(router.state.location.pathname).toBe(`/parts/${DOOR}/characteristics/${GAP_RIGHT}`);
  });

  it('says what is wrong when the figures cannot be read, and continues when they can', async () => {
    const server = doorServer();
    server.answer('GET /analysisServiceRest/parts/:uuid/overview', () => refusal(503, 'Unavailable', 'The database is not there.'));
    await renderPage(`/parts/${DOOR}`, { server });
    const failed = await screen.findByRole('alert');
    expect(failed.textContent).toContain('The database is not there.');
    expect(failed.textContent).toContain('r-1');
    server.answer('GET /analysisServiceRest/parts/:uuid/overview', () => ({ total: 0, offset: 0, totals: {}, characteristics: [] }));
    await userEvent.click(within(failed).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This part has no characteristics yet.')).toBeTruthy();
  });

  it('says which part cannot be read', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/parts/:uuid', () => refusal(403, 'Forbidden', `you may not read the part ${DOOR}`));
    await renderPage(`/parts/${DOOR}`, { server });
    expect((await screen.findAllByRole('alert'))[0]?.textContent).toContain('you may not read the part');
  });
});
