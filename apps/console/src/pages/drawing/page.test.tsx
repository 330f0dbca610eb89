import { beforeAll, describe, expect, it } from '@jest/globals';
import { STAMP_ATTRIBUTES } from '@sinebar/client';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { characteristics, DOOR, doorServer, file, FLUSH, GAP_LEFT, GAP_RIGHT } from '../../testing/door.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const PAGE = `/parts/${DOOR}/drawing`;
const STAMPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [GAP_LEFT]: { 2001: '10', 2808: '1', 2809: '2', 2810: '0.25', 2811: '0.5', 2812: '0.3', 2813: '0.6' },
  [GAP_RIGHT]: { 2001: '20', 2808: '1', 2810: '0.75', 2811: '0.5' },
};
/** Size of the picture, which jsdom does not read, px: the box of 1152 × 600 shows it twice as large. */
const PICTURE = { naturalWidth: 400, naturalHeight: 300 };
const SCALE = 2;

const definitions = STAMP_ATTRIBUTES.map(({ key, names, type, length }) => ({
  definitionType: 'AttributeDefinition',
  key,
  description: names.en,
  type,
  ...(length !== undefined && { length }),
}));

interface Options {
  rights?: readonly string[];
  defined?: readonly unknown[];
  serverRights?: readonly string[];
  fileName?: string;
}

/** A server whose door has a drawing with two balloons; it keeps what is written. */
function drawingServer({ rights = ['/'], defined = definitions, serverRights = [], fileName = 'drawing.png' }: Options = {}) {
  const server = doorServer();
  const bodies: unknown[] = [];
  let stored = characteristics.map((each) => ({ ...each, attributes: { ...each.attributes, ...STAMPS[each.uuid] } }));
  server.answer('GET /dataServiceRest/permissions', () => ({
    userName: 'a',
    partRights: { 'plan:read': ['/'], 'plan:write': rights, 'rawData:read': ['/'] },
    serverRights,
  }));
  server.answer('GET /dataServiceRest/configuration', () => ({
    partAttributes: [],
    characteristicAttributes: defined,
    measurementAttributes: [],
    valueAttributes: [],
    catalogAttributes: [],
    versioningType: 'Off',
  }));
  server.answer('GET /dataServiceRest/characteristics', ({ url }) => {
    const wanted = url.searchParams.get('charUuids');
    return wanted === null ? stored : stored.filter(({ uuid }) => wanted.includes(uuid));
  });
  server.answer('PUT /dataServiceRest/characteristics', ({ body }) => {
    bodies.push(body);
    const changes = body as typeof stored;
    stored = stored.map((each) => ({ ...each, attributes: changes.find(({ uuid }) => uuid === each.uuid)?.attributes ?? each.attributes }));
    return undefined;
  });
  server.answer('GET /rawDataServiceRest/rawDataInformation/Part', () => [
    file(0, 'door-fixture.jpg', 'image/jpeg'),
    file(5, fileName, 'image/png', { size: 5 }),
  ]);
  server.answer('GET /rawDataServiceRest/rawData/Part/:uuid/5', () => new Response('bytes'));
  return { server, bodies };
}

/** Opens the page and lets the browser read the picture. */
async function open(options: Options = {}, address = PAGE) {
  const made = drawingServer(options);
  const rendered = await renderPage(address, { server: made.server });
  const picture = await screen.findByRole('img', { name: options.fileName ?? 'drawing.png' });
  Object.entries(PICTURE).forEach(([name, value]) => Object.defineProperty(picture, name, { value }));
  fireEvent.load(picture);
  return { ...rendered, ...made };
}

const drawing = () => within(screen.getByRole('region', { name: 'Drawing' }));
const edit = async () => userEvent.click(await screen.findByRole('button', { name: 'Edit balloons' }));
/** Moves the focus to a balloon or target. */
async function focus(name: RegExp) {
  const handle = await drawing().findByRole('button', { name });
  act(() => handle.focus());
}

describe('the page of a drawing', () => {
  it('is among the views of a part that has an image or PDF, for who may read files', async () => {
    const { server } = drawingServer();
    await renderPage(`/parts/${DOOR}`, { server });
    expect(await screen.findByRole('link', { name: 'Drawing' })).toHaveProperty('pathname', PAGE);
  });

  it('is not among the views of a part without one', async () => {
    const { server } = drawingServer();
    server.answer('GET /rawDataServiceRest/rawDataInformation/Part', () => [file(1, 'setup.txt', 'text/plain')]);
    await renderPage(`/parts/${DOOR}`, { server });
    await waitFor(() => expect(server.requests.filter((request) => request.includes('rawDataInformation'))).toHaveLength(1));
    const views = within(screen.getByRole('navigation', { name: 'Views' }));
    expect(views.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Overview',
      'Measurements',
      'Files',
      'Notes',
      'Plan',
    ]);
  });

  it('says what a drawing is where a part has none', async () => {
    const { server } = drawingServer();
    server.answer('GET /rawDataServiceRest/rawDataInformation/Part', () => []);
    await renderPage(PAGE, { server });
    await screen.findByText(/^This part has no drawing/);
    expect(screen.getByRole('link', { name: 'To its files' })).toHaveProperty('pathname', `/parts/${DOOR}/files`);
  });

  it('shows balloons with their numbers in order, as links with the status of the characteristic', async () => {
    await open();
    const links = await drawing().findAllByRole('link');
    expect(links.map((link) => link.getAttribute('aria-label'))).toEqual([
      'Balloon 2, Gap left: above tolerance',
      'Balloon 20, Gap right: in limits',
    ]);
    expect(links[0]).toHaveProperty('pathname', `/parts/${DOOR}/characteristics/${GAP_LEFT}`);
    expect(links[0]?.style.left).toBe(`${0.25 * PICTURE.naturalWidth * SCALE - 12}px`);
    expect(screen.queryByText('1 characteristic has no balloon.')).not.toBeNull();
    expect(screen.queryByText('drawing.png')).not.toBeNull();
  });

  it('moves balloons and targets by arrow keys, ten pixels with Shift, and saves all attributes together', async () => {
    const { bodies } = await open();
    await edit();
    await focus(/^Balloon 2, Gap left/);
    await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowDown}{/Shift}');
    await focus(/^Target of balloon 2, Gap left/);
    await userEvent.keyboard('{ArrowLeft}');
    await userEvent.click(screen.getByRole('button', { name: 'Save 1 change' }));
    await screen.findByText('Saved.');
    const [width, height] = [PICTURE.naturalWidth * SCALE, PICTURE.naturalHeight * SCALE];
    const [first] = bodies as { uuid: string; attributes: Record<string, string> }[][];
    expect(first).toEqual([
      {
        uuid: GAP_LEFT,
        attributes: {
          ...characteristics[0]?.attributes,
          ...STAMPS[GAP_LEFT],
          2810: String(0.25 + 1 / width),
          2811: String(Number((0.5 + 10 / height).toFixed(5))),
          2812: String(0.3 - 1 / width),
        },
      },
    ]);
  });

  it('undoes what was saved', async () => {
    const { bodies } = await open();
    await edit();
    await focus(/^Balloon 2, Gap left/);
    await userEvent.keyboard('{Delete}');
    await userEvent.click(screen.getByRole('button', { name: 'Save 1 change' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(bodies).toHaveLength(2));
    const attributes = { ...characteristics[0]?.attributes };
    expect(bodies).toEqual([
      [{ uuid: GAP_LEFT, attributes: { ...attributes, 2001: '10' } }],
      [{ uuid: GAP_LEFT, attributes: { ...attributes, ...STAMPS[GAP_LEFT] } }],
    ]);
  });

  it('adds a balloon with the next number, which has the focus, and numbers all in the order of the plan', async () => {
    const { bodies } = await open();
    await edit();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a balloon to Flush' }));
    const added = await drawing().findByRole('button', { name: /^Balloon 21, Flush/ });
    expect(document.activeElement).toBe(added);
    await userEvent.click(screen.getByRole('button', { name: 'Number in order' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save 3 changes' }));
    await waitFor(() => expect(bodies).toHaveLength(1));
    const [changes] = bodies as { uuid: string; attributes: Record<string, string> }[][];
    expect(changes?.map(({ uuid, attributes }) => [uuid, attributes[2809]])).toEqual([
      [GAP_LEFT, '1'],
      [GAP_RIGHT, '2'],
      [FLUSH, '3'],
    ]);
    expect(changes?.[2]?.attributes).toMatchObject({ 2808: '1', 2810: '0.46', 2811: '0.44', 2812: '0.5', 2813: '0.5' });
  });

  it('changes the number of a balloon, and takes its target away', async () => {
    const { bodies } = await open();
    await edit();
    await userEvent.click(await screen.findByRole('button', { name: 'Gap left' }));
    const field = await screen.findByRole('textbox', { name: 'Number in the balloon' });
    await userEvent.clear(field);
    expect(await drawing().findByRole('button', { name: /^Balloon 10, Gap left/ })).not.toBeNull();
    await userEvent.type(field, '12.1');
    await userEvent.click(screen.getByRole('button', { name: 'Remove target' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save 1 change' }));
    await waitFor(() => expect(bodies).toHaveLength(1));
    const [changes] = bodies as { attributes: Record<string, string> }[][];
    expect(changes?.[0]?.attributes).toEqual({
      ...characteristics[0]?.attributes,
      2001: '10',
      2808: '1',
      2809: '12.1',
      2810: '0.25',
      2811: '0.5',
    });
  });

  it('discards changes', async () => {
    await open();
    await edit();
    await focus(/^Balloon 20, Gap right/);
    await userEvent.keyboard('{Delete}');
    expect(drawing().queryByRole('button', { name: /^Balloon 20/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(await drawing().findByRole('button', { name: /^Balloon 20/ })).not.toBeNull();
  });

  it('writes nothing where somebody else has moved the same balloon', async () => {
    const { server, bodies } = await open();
    await edit();
    await focus(/^Balloon 2, Gap left/);
    await userEvent.keyboard('{ArrowRight}');
    server.answer('GET /dataServiceRest/characteristics', () =>
      characteristics.map((each) => ({ ...each, attributes: { ...each.attributes, ...STAMPS[each.uuid], 2810: '0.1' } })),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Save 1 change' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Gap left: Balloon x');
    expect(bodies).toEqual([]);
  });

  it('cannot be edited without plan:write', async () => {
    await open({ rights: [] }, `${PAGE}?edit=true`);
    await screen.findByText('The right plan:write on /Car door is missing: balloons cannot be changed.');
    expect(screen.queryByRole('button', { name: 'Edit balloons' })).toBeNull();
    expect(await drawing().findAllByRole('link')).toHaveLength(2);
  });

  it('offers to define the attributes of balloons where the server lacks them', async () => {
    const { server } = await open({ defined: definitions.slice(1), serverRights: ['configuration:write'] });
    let defined: unknown;
    server.answer('POST /dataServiceRest/configuration/:owner', ({ body }) => {
      defined = body;
    });
    await edit();
    await userEvent.click(await screen.findByRole('button', { name: 'Define them' }));
    await waitFor(() => expect(defined).toEqual(definitions.slice(0, 1)));
  });

  it('says which keys hold something else', async () => {
    const texts = definitions.map((each) => ({ ...each, ...(each.key === 2810 && { type: 'AlphaNumeric', length: 40 }) }));
    await open({ defined: texts });
    await edit();
    await screen.findByText(/the keys 2810 are defined as something else/);
    expect(await drawing().findAllByRole('link')).toHaveLength(2);
  });

  it('is in German', async () => {
    const { server } = drawingServer();
    await renderPage(PAGE, { server, language: 'de' });
    expect(await screen.findByRole('button', { name: 'Stempel bearbeiten' })).not.toBeNull();
  });
});
