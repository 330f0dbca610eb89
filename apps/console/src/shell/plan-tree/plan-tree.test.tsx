import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { doorServer } from '../../testing/door.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const COUNT = 'GET /dataServiceRest/inspectionPlanItems/count';

/** @param paths the parts that the reader may read */
function countingServer(paths: readonly string[], counts: { parts: number; characteristics: number }) {
  const server = doorServer();
  server.answer('GET /dataServiceRest/permissions', () => ({
    userName: 'reader',
    partRights: {
      'plan:read': paths,
      'plan:write': [],
      'measurement:read': [],
      'measurement:write': [],
      'rawData:read': [],
      'rawData:write': [],
    },
    serverRights: [],
  }));
  server.answer(COUNT, ({ url }) => ({
    count: url.searchParams.get('restrictToEntity') === 'Part' ? counts.parts : counts.characteristics,
  }));
  return server;
}

describe('the foot of the plan', () => {
  it('counts what the reader may see, without the root [D8.3]', async () => {
    await renderPage('/live', { server: countingServer(['/'], { parts: 13, characteristics: 1340 }) });
    expect(await within(screen.getByTestId('plan')).findByText(/^12 parts, 1.340 characteristics$/)).toBeTruthy();
  });

  it('counts no root that the reader may not see', async () => {
    await renderPage('/live', { server: countingServer(['/line 1'], { parts: 1, characteristics: 0 }), language: 'de' });
    expect(await within(screen.getByTestId('plan')).findByText('1 Teil, 0 Merkmale')).toBeTruthy();
  });

  it('asks for no count of the whole server', async () => {
    const { server } = await renderPage('/live', { server: countingServer(['/'], { parts: 1, characteristics: 0 }) });
    expect(await within(screen.getByTestId('plan')).findByText('0 parts, 0 characteristics')).toBeTruthy();
    expect(server.requests.filter((request) => request.includes('serviceInformation'))).toEqual([]);
  });

  it('is empty where the server does not count', async () => {
    const server = countingServer([], { parts: 0, characteristics: 0 });
    server.answer(COUNT, () => refusal(403, 'Forbidden', 'This needs the right plan:read, which you do not hold.'));
    await renderPage('/live', { server });
    expect((await screen.findByTestId('plan')).textContent).not.toMatch(/\d parts/);
  });
});
