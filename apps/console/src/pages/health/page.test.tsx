import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const ADDRESS = '/administration/health';
const AT = '2026-05-08T21:42:07.000Z';

function healthServer(details: readonly object[] | undefined, status = 'Healthy') {
  const server = doorServer();
  server.answer('GET /healthServiceRest/all/ready', () => Response.json({ status, details }, { status: status === 'Healthy' ? 200 : 503 }));
  server.answer('GET /dataServiceRest/serviceInformation', () => ({
    serverName: 'Sinebar',
    version: '1.4.0',
    securityEnabled: true,
    edition: 'Sinebar',
    partCount: 12,
    characteristicCount: 340,
    measurementCount: 5000,
    valueCount: 1_020_000,
    featureList: ['MergeAttributes'],
    inspectionPlanTimestamp: AT,
    measurementTimestamp: AT,
    configurationTimestamp: AT,
    catalogTimestamp: AT,
  }));
  return server;
}

const DATABASE = { name: 'inspection database', status: 'Healthy', detail: 'answers' };
const BUS = { name: 'message bus', status: 'Unhealthy', detail: 'is disconnected' };

describe('the page of health', () => {
  it('says first that everything works', async () => {
    await renderPage(ADDRESS, { server: healthServer([DATABASE]) });
    expect(await screen.findByText('Everything works; checks passed: 1.')).toBeTruthy();
  });

  it('names what does not work, and gives the reason', async () => {
    await renderPage(ADDRESS, { server: healthServer([DATABASE, BUS], 'Unhealthy') });
    expect(await screen.findByText(/Look at: message bus\.$/)).toBeTruthy();
    const table = within(screen.getByRole('table', { name: 'Services' }));
    expect(table.getByRole('row', { name: /message bus/ }).textContent).toBe('message busdoes not workis disconnected');
  });

  it('says why the server does not name its services', async () => {
    await renderPage(ADDRESS, { server: healthServer(undefined) });
    expect(await screen.findByText(/names its services only to people who have signed in/)).toBeTruthy();
  });

  it('shows version and counts', async () => {
    await renderPage(ADDRESS, { server: healthServer([DATABASE]) });
    expect(await screen.findByText('1.4.0')).toBeTruthy();
    expect(screen.getByText('1,020,000')).toBeTruthy();
  });

  it('keeps the last state when the server is lost', async () => {
    const { server, queries } = await renderPage(ADDRESS, { server: healthServer([DATABASE]) });
    await screen.findByText(/Everything works/);
    server.answer('GET /healthServiceRest/all/ready', () => refusal(503, 'Unavailable', 'The server is stopping.'));
    await queries.refetchQueries();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('could not be asked: The server is stopping.'));
    expect(screen.getByRole('row', { name: /inspection database/ })).toBeTruthy();
  });

  it('speaks German', async () => {
    await renderPage(ADDRESS, { server: healthServer([{ ...BUS, detail: 'The message bus is closed.' }], 'Unhealthy'), language: 'de' });
    expect(await screen.findByText(/Es geht um: Nachrichtenbus\.$/)).toBeTruthy();
    expect(screen.getByRole('row', { name: /Nachrichtenbus/ }).textContent).toBe(
      'Nachrichtenbusarbeitet nichtDer Nachrichtenbus ist geschlossen.',
    );
  });
});
