import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

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
    expect(screen.getByText('Weber has 2 of the 10 rights on this server.')).toBeTruthy();
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

  describe('for those who may see the policy', () => {
    const POLICY = {
      version: '1',
      roles: [{ name: 'reader', grants: [{ path: '/Pumps', rights: ['plan:read'] }] }],
      users: [
        { name: 'ada', roles: ['reader'] },
        { name: 'ben', roles: ['reader'] },
      ],
      claims: [{ claim: ['groups'], value: 'plant', roles: ['reader'] }],
    };
    const policyServer = () => {
      const server = rightsServer('Weber', { 'plan:read': ['/'] }, ['policy:write']);
      server.answer('GET /dataServiceRest/accessPolicy', ({ url }) => ({
        ...POLICY,
        ...(url.searchParams.has('user') && {
          explanation: {
            roles: ['reader'],
            rights: [
              { right: 'plan:read', isHeld: true, grants: [{ role: 'reader', path: '/Pumps' }] },
              { right: 'plan:write', isHeld: false, grants: [] },
              { right: 'catalog:write', isHeld: false, grants: [] },
            ],
          },
        }),
      }));
      return server;
    };

    it('shows users, roles and claims', async () => {
      await renderPage(ADDRESS, { server: policyServer() });
      const rowsOf = async (name: string) =>
        within(await screen.findByRole('table', { name }))
          .getAllByRole('row')
          .map(({ textContent }) => textContent);
      expect(await rowsOf('Users')).toEqual(['NameRoles', 'adareader', 'benreader']);
      expect(await rowsOf('Roles')).toEqual(['NamePathRights', 'reader/Pumpsplan:read']);
      expect(await rowsOf('Roles by claims of tokens')).toEqual(['ClaimIsRoles', 'groupsplantreader']);
    });

    it('explains the rights of a user on a part, and writes the lines that give more', async () => {
      const { server } = await renderPage(`${ADDRESS}?part=%2FPumps%2FHousing`, { server: policyServer() });
      await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Whose rights' }), 'ada');
      const why = within(await screen.findByRole('table', { name: 'Why' }));
      expect(why.getByText('role reader on /Pumps and below')).toBeTruthy();
      expect(why.getAllByText('no grant of reader says so')).toHaveLength(2);
      expect(server.requests.some((request) => decodeURIComponent(request).includes('user=ada&partPath=/Pumps/Housing'))).toBe(true);
      await userEvent.click(why.getByRole('checkbox', { name: 'Give plan:write' }));
      await userEvent.click(why.getByRole('checkbox', { name: 'Give catalog:write' }));
      const lines = screen.getByLabelText('Lines for the policy file');
      expect(lines.textContent).toContain('  reader:\n    grants:\n      - path: /Pumps/Housing\n        rights: [plan:write]');
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who gets them' }), 'only ada');
      expect(lines.textContent).toContain('users:\n  ada:\n    roles: [reader, additional rights of ada]');
    });
  });

  it('does not ask for the policy without the right', async () => {
    const { server } = await renderPage(ADDRESS, { server: rightsServer('Weber', { 'plan:read': ['/'] }) });
    await row(/see parts/);
    expect(server.requests.some((request) => request.includes('accessPolicy'))).toBe(false);
  });
});
