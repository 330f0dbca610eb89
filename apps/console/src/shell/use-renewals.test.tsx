import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { DOOR, doorServer } from '../testing/door.fixture';
import { layOut } from '../testing/layout.fixture';
import { spokenEvents } from '../testing/live.fixture';
import { renderPage } from '../testing/render.fixture';

beforeAll(layOut);
// Overviews wait some seconds, and the first page of a file loads its modules.

const META = { id: 'e-1', time: '2026-05-08T21:42:00.000Z', sequence: '1' };
const FILE = { RawDataEntity: 'Part', TargetUuid: DOOR, Key: 0, Filename: 'a.txt' } as const;

/** Opens a page on events that the test speaks for; `renewed` lists the topics of the queries that became outdated. */
async function open() {
  const events = spokenEvents();
  const { queries } = await renderPage('/live', { server: doorServer(), live: events.live });
  await screen.findByRole('heading', { level: 1, name: 'Live' });
  const invalidate = jest.spyOn(queries, 'invalidateQueries');
  return { ...events, renewed: () => invalidate.mock.calls.map(([filters]) => filters?.queryKey?.[0] ?? 'everything') };
}

describe('queries', () => {
  it('of files are read again when a file is added', async () => {
    const { happens, renewed } = await open();
    happens('RawDataCreated', FILE, META);
    await waitFor(() => expect(renewed()).toEqual(['files']));
  });

  it('of overviews are read again once for many measurements', async () => {
    const { happens, renewed } = await open();
    for (const id of ['e-1', 'e-2', 'e-3']) {
      happens('MeasurementCreated', { MeasurementUuid: id, PartUuid: DOOR, CharacteristicUuid: DOOR }, { ...META, id });
    }
    await waitFor(() => expect(renewed()).toEqual(['overview']));
  });

  it('of the plan are read again when a part moves, before its overview', async () => {
    const { happens, renewed } = await open();
    happens('PartMoved', { PartUuid: DOOR, FromPath: 'P:/a/', ToPath: 'P:/b/' }, META);
    await waitFor(() => expect(renewed()).toEqual(['plan', 'overview']));
  });

  it('are all read again after a gap', async () => {
    const { options, renewed } = await open();
    await options().onGap?.();
    await waitFor(() => expect(renewed()).toEqual(['everything']));
  });
});
