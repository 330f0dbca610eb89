import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { characteristics, DOOR, doorServer, FLUSH, GAP_LEFT, GAP_RIGHT } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const PAGE = `/parts/${DOOR}/entry`;
const attribute = (key: number, description: string, type: string) => ({ definitionType: 'AttributeDefinition', key, description, type });

interface Written {
  uuid: string;
  partUuid: string;
  attributes: Record<string, string>;
  characteristics: Record<string, Record<string, string>>;
}

/** A server that keeps the measurements that it is sent; Flush counts errors. */
function entryServer({ rights = { 'measurement:write': ['/'] } }: { rights?: Record<string, string[]> } = {}) {
  const server = doorServer();
  const created: Written[] = [];
  const updated: Written[] = [];
  server.answer('GET /dataServiceRest/permissions', () => ({
    userName: 'a',
    partRights: { 'plan:read': ['/'], ...rights },
    serverRights: [],
  }));
  server.answer('GET /dataServiceRest/catalogs', () => [
    { uuid: 'machines', name: 'Machines', validAttributes: [4063], catalogEntries: [{ key: 3, attributes: { 4063: 'Press 3' } }] },
  ]);
  server.answer('GET /dataServiceRest/configuration', () => ({
    partAttributes: [],
    characteristicAttributes: [attribute(2101, 'Nominal value', 'Float')],
    measurementAttributes: [
      attribute(4, 'Time', 'DateTime'),
      attribute(6, 'Batch', 'AlphaNumeric'),
      { definitionType: 'CatalogAttributeDefinition', key: 10, description: 'Machine', catalog: 'machines' },
      attribute(14, 'Serial number', 'AlphaNumeric'),
    ],
    valueAttributes: [attribute(20, 'Sample size', 'Float')],
    catalogAttributes: [attribute(4063, 'Machine', 'AlphaNumeric')],
    versioningType: 'Off',
  }));
  server.answer('GET /dataServiceRest/characteristics', () =>
    characteristics.map((each) => (each.uuid === FLUSH ? { ...each, attributes: { 12004: '5', 2111: '2' } } : each)),
  );
  server.answer('POST /dataServiceRest/values', ({ body }) => void created.push(...(body as Written[])));
  server.answer('PUT /dataServiceRest/values', ({ body }) => void updated.push(...(body as Written[])));
  return { server, created, updated };
}

const field = (name: string) => screen.findByRole('textbox', { name });
const saveButton = () => screen.findByRole('button', { name: 'Save measurement' });

describe('the page for entering values', () => {
  it('saves one measurement with the keyboard alone, as a gauge types', async () => {
    const { server, created } = entryServer();
    await renderPage(PAGE, { server });
    await userEvent.click(await field('Serial number'));
    await userEvent.keyboard('SN 7{Enter}B2{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Machine' })));
    await userEvent.keyboard('press{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await field('Gap left')));
    await userEvent.keyboard('20,0100{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await field('Gap right')));
    await userEvent.keyboard('19.99mm{Tab}3{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await field('Sample size of Flush')));
    await userEvent.keyboard('50{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await saveButton()));
    await userEvent.keyboard('{Enter}');
    await screen.findByText(/^Saved at/);
    expect(created).toHaveLength(1);
    expect(created[0]).toMatchObject({
      partUuid: DOOR,
      attributes: { 6: 'B2', 10: '3', 14: 'SN 7', 4: expect.stringMatching(/Z$/) },
      characteristics: { [GAP_LEFT]: { 1: '20.0100' }, [GAP_RIGHT]: { 1: '19.99' }, [FLUSH]: { 1: '3', 20: '50' } },
    });
    expect(await field('Gap left')).toHaveProperty('value', '');
    expect(await field('Batch')).toHaveProperty('value', 'B2');
    expect(await field('Serial number')).toHaveProperty('value', '');
  });

  it('says at once what is out of tolerance', async () => {
    await renderPage(PAGE, { server: entryServer().server });
    await userEvent.type(await field('Gap left'), '20.06');
    expect((await field('Gap left')).closest('li')?.dataset['status']).toBe('aboveTolerance');
    expect(screen.getByText('1 out of tolerance')).toBeTruthy();
    expect(await saveButton()).toHaveProperty('disabled', false);
  });

  it('names nonsense, keeps it in its field and takes the next value there', async () => {
    const { server, created } = entryServer();
    await renderPage(PAGE, { server });
    await userEvent.type(await field('Gap left'), '20.01{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await field('Gap right')));
    await userEvent.keyboard('ERR 02{Enter}');
    expect(screen.getByText('“ERR 02” is not a number.')).toBeTruthy();
    expect(await saveButton()).toHaveProperty('disabled', true);
    await userEvent.keyboard('20.02{Enter}');
    expect(screen.queryByText(/is not a number/)).toBeNull();
    await userEvent.click(await saveButton());
    await waitFor(() => expect(created[0]?.characteristics).toEqual({ [GAP_LEFT]: { 1: '20.01' }, [GAP_RIGHT]: { 1: '20.02' } }));
  });

  it('moves a code that was scanned into a value to the serial number', async () => {
    await renderPage(PAGE, { server: entryServer().server });
    await userEvent.type(await field('Gap left'), 'DR-0815');
    await userEvent.click(await screen.findByRole('button', { name: 'Use as serial number' }));
    expect(await field('Serial number')).toHaveProperty('value', 'DR-0815');
    expect(await field('Gap left')).toHaveProperty('value', '');
  });

  it('does not make two measurements of two presses', async () => {
    const { server, created } = entryServer();
    await renderPage(PAGE, { server });
    await userEvent.type(await field('Gap left'), '20');
    await userEvent.dblClick(await saveButton());
    await screen.findByText(/^Saved at/);
    expect(created).toHaveLength(1);
  });

  it('repeats an attempt whose answer was lost under the same uuid', async () => {
    const { server, updated } = entryServer();
    const uuids: string[] = [];
    server.answer('POST /dataServiceRest/values', ({ body }) => {
      uuids.push((body as Written[])[0]!.uuid);
      return uuids.length === 1 ? refusal(502, 'BadGateway', 'The proxy lost the server.') : refusal(409, 'Conflict', 'It exists.');
    });
    await renderPage(PAGE, { server });
    await userEvent.type(await field('Gap left'), '20');
    await userEvent.click(await saveButton());
    expect((await screen.findByRole('alert')).textContent).toContain('The proxy lost the server.');
    expect(await field('Gap left')).toHaveProperty('value', '20');
    await userEvent.type(await field('Gap right'), '20.1');
    await userEvent.click(await saveButton());
    await screen.findByText(/^Saved at/);
    expect(new Set(uuids).size).toBe(1);
    expect(updated).toMatchObject([{ uuid: uuids[0], characteristics: { [GAP_LEFT]: { 1: '20' }, [GAP_RIGHT]: { 1: '20.1' } } }]);
  });

  it('asks before it is left with values that are not saved', async () => {
    const { router } = await renderPage(PAGE, { server: entryServer().server });
    await userEvent.type(await field('Gap left'), '20');
    await userEvent.click(screen.getByRole('link', { name: 'Overview' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe(PAGE);
  });

  it.each([
    ['when the sign-in expires', 'asks'],
    ['when its reader has lost the right', 'refuses'],
  ] as const)('keeps what was typed %s', async (_when, then) => {
    const { server } = entryServer();
    const { session } = await renderPage(PAGE, { server });
    await userEvent.type(await field('Gap left'), '20.01');
    server.answer('GET /dataServiceRest/permissions', () =>
      then === 'asks'
        ? new Response('{}', { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Sinebar"' } })
        : { userName: 'a', partRights: { 'plan:read': ['/'] }, serverRights: [] },
    );
    await act(async () => {
      // It resolves when somebody has signed in again.
      void session.credentialsFor('refused');
      await Promise.resolve();
    });
    if (then === 'asks') await waitFor(() => expect(session.snapshot()).toMatchObject({ step: 'signed-out', ways: { basic: true } }));
    else expect(await screen.findByText(/measurement:write for \/Car door is missing/)).toBeTruthy();
    expect(await field('Gap left')).toHaveProperty('value', '20.01');
    expect(await saveButton()).toHaveProperty('disabled', then === 'refuses');
  });

  it('says which right is missing', async () => {
    await renderPage(PAGE, { server: entryServer({ rights: {} }).server });
    expect(await screen.findByText(/measurement:write for \/Car door is missing/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Enter values' })).toBeNull();
  });
});
