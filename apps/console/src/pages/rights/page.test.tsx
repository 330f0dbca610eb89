/** @jest-environment <rootDir>/apps/console/jest/environment.mjs */
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);
jest.setTimeout(120_000);

const ADDRESS = '/administration/rights';

function rightsServer(userName: string, partRights: object, serverRights: readonly string[] = []) {
  const server = doorServer();
  server.answer('GET /dataServiceRest/permissions', () => ({ userName, partRights, serverRights }));
  return server;
}
const row = async (name: RegExp) => within(await screen.findByRole('table', { name: 'Rights' })).getByRole('row', { name }).textContent;

describe('the page of rights', () => {
  it('says where a right holds', async () => {
    await renderPage(ADDRESS, { server: rightsServer('Weber', { 'plan:read': ['/'], 'rawData:write': ['/car door', '/hood'] }) });
    expect(await row(/upload, rename/)).toBe('mayupload, rename and delete files/car door, /hood');
    expect(await row(/see parts/)).toBe('maysee parts and characteristicseverywhere');
  });

  it('says what the reader may not do', async () => {
    await renderPage(ADDRESS, { server: rightsServer('Weber', { 'plan:read': ['/'] }, ['catalog:write']) });
    expect(await row(/attribute definitions/)).toBe('may notcreate and delete attribute definitions');
    expect(screen.getByText('Weber has 2 of the 9 rights on this server.')).toBeTruthy();
  });

  it('says what somebody without rights can do', async () => {
    await renderPage(ADDRESS, { server: rightsServer('Weber', {}), language: 'de' });
    expect(await screen.findByText(/Weber darf auf diesem Server nichts/)).toBeTruthy();
  });

  it('says that a server has no sign-in', async () => {
    await renderPage(ADDRESS, { server: rightsServer('', { 'plan:read': ['/'] }) });
    expect(await screen.findByText(/This server has no sign-in/)).toBeTruthy();
  });

  it('shows the sentence of the server when it cannot answer', async () => {
    const server = doorServer();
    server.answer('GET /dataServiceRest/permissions', () => refusal(500, 'Internal', 'The policy cannot be read.'));
    await renderPage(ADDRESS, { server });
    expect((await screen.findByRole('alert')).textContent).toContain('The policy cannot be read.');
  });
});
