import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { KeptReport } from '@sinebar/client';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DOOR, doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';
import { openFakeTab } from '../../testing/tab.fixture';

beforeAll(layOut);

const report = (uuid: string, about: Partial<KeptReport>): KeptReport => ({
  uuid,
  template: 'part',
  title: 'Part report: Car door',
  partUuid: DOOR,
  partPath: 'P:/Car door/',
  user: 'ada',
  created: '2026-03-02T08:00:00.000Z',
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-03-01T00:00:00.000Z',
  language: 'en',
  state: 'done',
  pages: 19,
  sizeBytes: 531_500,
  sha256: '9f86',
  whole: true,
  expires: '2026-05-31T08:00:04.000Z',
  ...about,
});
const RUNNING = { state: 'running', pages: undefined, sizeBytes: undefined } as unknown as Partial<KeptReport>;
const REPORTS = [
  report('1', { ...RUNNING, title: 'Alarms: Car door', template: 'alarms' }),
  report('2', {}),
  report('3', { state: 'failed', reason: 'The report has more than 256 MiB.', title: 'Capability list: Car door' }),
  report('4', { title: 'Part report: Pump', partPath: 'P:/Pump/', whole: false, pages: 1 }),
];
const TEMPLATES = [
  { name: 'part', builtIn: true, for: 'part', title: { en: 'Part report', de: 'Teilebericht' }, sections: [], pages: 'worst', worst: 5 },
];

async function open(address = '/reports', reports: readonly KeptReport[] = REPORTS, language: 'en' | 'de' = 'en') {
  const server = doorServer();
  let listed = reports;
  server.answer('GET /reportServiceRest/reports', () => listed);
  server.answer('GET /reportServiceRest/templates', () => TEMPLATES);
  server.answer(
    'GET /reportServiceRest/reports/:uuid/content',
    () =>
      new Response('%PDF-1.7', { headers: { 'Content-Disposition': `attachment; filename="_.pdf"; filename*=UTF-8''T%C3%BCr%201.pdf` } }),
  );
  server.answer('DELETE /reportServiceRest/reports/:uuid', ({ url }) => {
    listed = listed.filter(({ uuid }) => !url.pathname.endsWith(uuid));
    return undefined;
  });
  await renderPage(address, { server, language });
  return { server, change: (next: readonly KeptReport[]) => (listed = next) };
}

const rows = async () => (await screen.findAllByRole('row')).slice(1).map(({ textContent }) => textContent);

describe('the page of kept reports', () => {
  it('lists title, part, who made it when, its outcome, and until when it is kept', async () => {
    await open();
    const [running, done, failed, other] = await rows();
    expect(running).toContain('Alarms: Car door');
    expect(running).toContain('being written');
    expect(running).not.toMatch(/Open|31 May/);
    await waitFor(() => expect(screen.getAllByRole('row')[2]?.textContent).toContain('Part report: Car doorCar doorPart report'));
    expect(done).toContain('from 1 Feb');
    expect(done).toMatch(/2 Mar .*08:00by ada/);
    expect(done).toContain('done19 pages, 531.5');
    expect(done).toMatch(/31 May.*OpenSaveDelete/);
    expect(failed).toContain('failedThe report has more than 256 MiB.');
    expect(other).toContain('done, not whole1 page, ');
    expect(screen.getAllByRole('link', { name: 'Car door' }).at(-1)?.getAttribute('href')).toContain(`/parts/${DOOR}`);
  });

  it('reads again while one is being written, and then offers it', async () => {
    const { change } = await open(undefined, [report('1', RUNNING)]);
    expect((await rows())[0]).toContain('being written');
    change([report('1', {})]);
    expect(await screen.findByRole('button', { name: 'Open Part report: Car door' }, { timeout: 10_000 })).toBeTruthy();
  });

  it('opens a report in a tab of its own', async () => {
    const [tab, opened] = [openFakeTab(), [] as Blob[]];
    URL.createObjectURL = (content) => `blob:${opened.push(content as Blob)}`;
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Open Part report: Car door' }));
    await waitFor(() => expect(tab.addresses).toEqual(['blob:1']));
    expect(await opened[0]?.text()).toBe('%PDF-1.7');
  });

  it('closes the tab and says why, when the report is not there any longer', async () => {
    const tab = openFakeTab();
    const { server } = await open();
    server.answer('GET /reportServiceRest/reports/:uuid/content', () => refusal(404, 'NotFound', 'There is no report 2.'));
    await userEvent.click(await screen.findByRole('button', { name: 'Open Part report: Car door' }));
    expect((await screen.findByRole('alert')).textContent).toContain('There is no report 2.');
    expect(tab.isClosed).toBe(true);
  });

  it('says what to do when the browser opens no tab', async () => {
    window.open = () => null;
    const { server } = await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Open Part report: Car door' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The browser has opened no new tab.');
    expect(server.requests.filter((request) => request.endsWith('/content'))).toEqual([]);
  });

  it('saves a report under the name that the server gives it', async () => {
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:1';
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Save Part report: Car door' }));
    await waitFor(() => expect(saved).toEqual(['Tür 1.pdf']));
    click.mockRestore();
  });

  it('asks before it deletes one', async () => {
    const { server } = await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Part report: Pump' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this report?' }));
    expect(dialog.getByText(/^Part report: Pump, 2 Mar 2026/)).toBeTruthy();
    expect(server.requests).not.toContain('DELETE /reportServiceRest/reports/4');
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(async () => expect(await rows()).toHaveLength(3));
    expect(server.requests).toContain('DELETE /reportServiceRest/reports/4');
  });

  it('says why somebody else’s report stays', async () => {
    const { server } = await open();
    server.answer('DELETE /reportServiceRest/reports/:uuid', () => refusal(403, 'Forbidden', 'It was made by somebody else.'));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Part report: Pump' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('It was made by somebody else.')).toBeTruthy();
  });

  it('filters by title and part, which the address holds', async () => {
    await open('/reports?find=pump');
    expect(await rows()).toHaveLength(1);
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Filter by title or part' }));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by title or part' }), 'wheel');
    expect(await screen.findByText('No report matches the filter.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove the filter' }));
    await waitFor(async () => expect(await rows()).toHaveLength(4));
  });

  it('tells how to make the first one', async () => {
    await open(undefined, []);
    expect(await screen.findByText(/open a part, choose “Export” and “Report…”, and press “Keep”/)).toBeTruthy();
  });

  it('speaks German', async () => {
    await open(undefined, undefined, 'de');
    expect((await rows())[2]).toContain('gescheitert');
    expect(await screen.findByRole('button', { name: 'Part report: Pump löschen' })).toBeTruthy();
  });
});
