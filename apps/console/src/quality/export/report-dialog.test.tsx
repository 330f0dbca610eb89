import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeServer, refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderComponent } from '../../testing/render.fixture';
import { openFakeTab } from '../../testing/tab.fixture';
import { ExportMenu } from './export-menu';
import type { Reported } from './report-dialog';

beforeAll(layOut);

const template = (name: string, subject: string, more = {}) => ({
  name,
  builtIn: true,
  for: subject,
  title: { en: `${name} report`, de: `Bericht ${name}` },
  sections: ['characteristics', 'pages'],
  pages: 'none',
  worst: 5,
  ...more,
});
const TEMPLATES = [
  template('part', 'part', { pages: 'worst' }),
  template('list', 'part'),
  template('first', 'part', { sections: ['form1', 'form2', 'form3'] }),
  template('one', 'characteristic'),
  template('bad', 'part', { problem: 'line 3' }),
];
const PART: Reported = { subject: 'part', selection: { partUuid: 'p' } };

type Answers = ConstructorParameters<typeof FakeServer>[0];

/** Opens the dialog on a server that keeps what is asked of it. */
async function open(reported: Reported = PART, make: () => unknown = () => new Response('%PDF-1.7'), more: Answers = {}) {
  const orders: unknown[] = [];
  const saved: Blob[] = [];
  URL.createObjectURL = (content) => `#${saved.push(content as Blob)}`;
  const server = new FakeServer({
    'GET /reportServiceRest/templates': () => TEMPLATES,
    'POST /reportServiceRest/reports': ({ body }) => {
      orders.push(body);
      return make();
    },
    ...more,
  });
  const { session } = await renderComponent(<ExportMenu title={['Door']} reported={reported} />, { server });
  if (server.knows('GET /dataServiceRest/permissions')) await act(() => session.begin());
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Report…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Make a report' }));
  return { dialog, orders, saved, server };
}

describe('the dialog for reports', () => {
  it('offers the templates for its subject, and saves the PDF', async () => {
    const { dialog, orders, saved } = await open();
    const choice = await dialog.findByRole('combobox', { name: 'Template' });
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['part report', 'list report', 'first report']);
    await userEvent.selectOptions(choice, 'list report');
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Language' }), 'Deutsch');
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Pages of single characteristics' }), 'of all');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(orders).toEqual([{ template: 'list', selection: { partUuid: 'p' }, language: 'de', options: { pages: 'all' } }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('saves the table as Excel', async () => {
    const { dialog, orders } = await open();
    await userEvent.selectOptions(await dialog.findByRole('combobox', { name: 'Format' }), 'its table as Excel');
    expect(dialog.queryByRole('combobox', { name: 'Pages of single characteristics' })).toBeNull();
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(orders).toHaveLength(1));
    expect(orders[0]).toMatchObject({ template: 'part', format: 'xlsx' });
  });

  it('takes over the times that a chart shows', async () => {
    const times = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' };
    const { dialog, orders } = await open({
      subject: 'characteristic',
      selection: { partUuid: 'p', characteristicUuids: ['c'] },
      ...times,
    });
    await userEvent.click(await dialog.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(orders).toHaveLength(1));
    expect(orders[0]).toMatchObject({ template: 'one', ...times });
  });

  it('shows why a report was refused, and stays open', async () => {
    const { dialog } = await open(PART, () => refusal(429, 'TooManyRequests', 'ada has 2 reports at the same time.'));
    await userEvent.click(await dialog.findByRole('button', { name: 'Save' }));
    expect(await dialog.findByText(/ada has 2 reports at the same time/)).toBeTruthy();
  });

  it('saves under the name that the server gives the file', async () => {
    const names: string[] = [];
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { dialog } = await open(
      PART,
      () => new Response('%PDF-1.7', { headers: { 'Content-Disposition': 'attachment; filename="Part report Door 2026-03-01.pdf"' } }),
    );
    await userEvent.click(await dialog.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(names).toEqual(['Part report Door 2026-03-01.pdf']));
    click.mockRestore();
  });

  it('shows a report in a tab of its own, and stays open', async () => {
    const tab = openFakeTab();
    const { dialog, orders, saved } = await open();
    await userEvent.click(await dialog.findByRole('button', { name: 'Preview' }));
    await waitFor(() => expect(tab.addresses).toEqual(['#1']));
    expect(await saved[0]?.text()).toBe('%PDF-1.7');
    expect(orders).toEqual([{ template: 'part', selection: { partUuid: 'p' }, language: 'en' }]);
    expect(dialog.getByRole('button', { name: 'Save' })).toBeTruthy();
  });

  it('keeps a report, and leads to the page of reports', async () => {
    const { dialog, orders, saved } = await open(PART, () => ({ uuid: 'r' }));
    await userEvent.click(await dialog.findByRole('button', { name: 'Keep' }));
    const notice = within(await screen.findByRole('dialog', { name: 'The report is kept' }));
    expect(notice.getByRole('link', { name: 'To the reports' }).getAttribute('href')).toBe('/reports');
    expect(orders).toEqual([{ template: 'part', selection: { partUuid: 'p' }, language: 'en', keep: true }]);
    expect(saved).toEqual([]);
    await userEvent.click(notice.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('neither shows nor keeps a workbook', async () => {
    const { dialog } = await open();
    await userEvent.selectOptions(await dialog.findByRole('combobox', { name: 'Format' }), 'its table as Excel');
    expect(dialog.queryByRole('button', { name: 'Preview' })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Keep' })).toBeNull();
  });

  it('asks how many of the worst get pages, where the template or the reader says so', async () => {
    const { dialog, orders } = await open();
    const worst = () => dialog.queryByRole('textbox', { name: 'How many of the most urgent' });
    await userEvent.type(await dialog.findByRole('textbox', { name: 'How many of the most urgent' }), '0');
    expect(dialog.getByText('Type a whole number from 1 to 1000.')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    await userEvent.clear(worst()!);
    await userEvent.type(worst()!, '12');
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Template' }), 'list report');
    expect(worst()).toBeNull();
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Pages of single characteristics' }), 'of the most urgent');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(orders).toHaveLength(1));
    expect(orders[0]).toMatchObject({ template: 'list', options: { pages: 'worst', worst: 12 } });
  });

  it('says that the filter of the page does not hold', async () => {
    const { dialog } = await open({ ...PART, isFiltered: true });
    expect(await dialog.findByText('The filter of the page does not hold for the report.')).toBeTruthy();
  });
});

describe('the fields of the forms of a first article', () => {
  const kept = { serialNumber: 'SN 1', approvedBy: 'Bea' };
  const permissions = (right: object) => ({ userName: 'ada', partRights: { 'plan:read': ['/'], ...right }, serverRights: [] });

  async function openForms(right: object, put: (body: unknown) => unknown = () => undefined, read: () => object = () => kept) {
    const { dialog } = await open(PART, undefined, {
      'GET /dataServiceRest/permissions': () => permissions(right),
      'GET /dataServiceRest/parts/:uuid': () => ({ uuid: 'p', path: 'P:/Door/', attributes: { 1001: 'D-4711' } }),
      'GET /reportServiceRest/firstArticle/:uuid': () => Response.json(read(), { headers: { ETag: '"1"' } }),
      'PUT /reportServiceRest/firstArticle/:uuid': ({ body }) => put(body),
    });
    await userEvent.selectOptions(await dialog.findByRole('combobox', { name: 'Template' }), 'first report');
    await userEvent.click(dialog.getByRole('button', { name: 'Fields of the forms…' }));
    const forms = within(await screen.findByRole('dialog', { name: 'Fields of the forms' }));
    const field = (name: string) => forms.findByRole<HTMLInputElement>('textbox', { name });
    return { forms, field };
  }

  it('are typed by form, with the attributes of the part in grey, and kept', async () => {
    const bodies: unknown[] = [];
    const { forms, field } = await openForms({ 'note:write': ['/'] }, (body) => void bodies.push(body));
    expect((await field('3. Serial number')).value).toBe('SN 1');
    expect((await field('1. Part number')).placeholder).toBe('D-4711');
    expect(forms.getAllByRole('group').map((group) => group.querySelector('legend')?.textContent)).toEqual([
      'Form 1: part number accountability',
      'Form 2: materials, special processes, functional tests',
    ]);
    expect(forms.getByRole('heading', { name: 'Form 3: characteristics' })).toBeTruthy();
    await userEvent.clear(await field('3. Serial number'));
    await userEvent.type(await field('4. FAIR identifier'), 'FAIR 7');
    await userEvent.click(forms.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bodies).toEqual([{ approvedBy: 'Bea', reportNumber: 'FAIR 7' }]));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Fields of the forms' })).toBeNull());
    // The fields of the part are stored, and no report is made yet.
    expect(screen.getByRole('dialog', { name: 'Make a report' })).toBeTruthy();
  });

  it('that somebody else has changed meanwhile are taken over, but for what was typed here', async () => {
    const bodies: unknown[] = [];
    let read: object = kept;
    const { forms, field } = await openForms(
      { 'note:write': ['/'] },
      (body) => {
        bodies.push(body);
        read = { serialNumber: 'SN 2', approvedBy: 'Cem' };
        return bodies.length === 1 ? refusal(412, 'PreconditionFailed', 'It was changed.') : undefined;
      },
      () => read,
    );
    const serialNumber = await field('3. Serial number');
    await userEvent.clear(serialNumber);
    await userEvent.type(serialNumber, 'SN 9');
    await userEvent.click(forms.getByRole('button', { name: 'Save' }));
    expect((await forms.findByRole('alert')).textContent).toContain('Somebody else has changed the fields meanwhile.');
    expect((await field('22. FAIR reviewed and approved by')).value).toBe('Cem');
    await userEvent.click(forms.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bodies[1]).toEqual({ serialNumber: 'SN 9', approvedBy: 'Cem' }));
  });

  it('are only read by who may not write notes of the part', async () => {
    const { forms, field } = await openForms({});
    expect(await forms.findByText(/you need the right to write notes of the part/)).toBeTruthy();
    expect((await field('3. Serial number')).disabled).toBe(true);
    expect(forms.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });
});
