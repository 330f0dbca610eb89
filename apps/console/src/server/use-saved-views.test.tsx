import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { useSavedViews } from './use-saved-views';

type Kept = ReturnType<typeof useSavedViews>;

/** Opens the console of a plant. @returns the views that it shows, and how it changes them */
async function open(plant: string): Promise<{ names: () => string[]; kept: () => Kept; close: () => void }> {
  let last: Kept | undefined;
  const Shown = () => {
    last = useSavedViews();
    return null;
  };
  const router = createRouter({
    routeTree: createRootRoute({ component: Shown }),
    basepath: `${plant}/console/`,
    history: createMemoryHistory({ initialEntries: [`${plant}/console/`] }),
  });
  await router.load();
  const { unmount } = render(<RouterProvider router={router as never} />);
  const kept = () => last as Kept;
  return { names: () => kept().views.map(({ name }) => name), kept, close: unmount };
}

describe('saved views', () => {
  beforeEach(() => localStorage.clear());

  it('belong to one of the plants behind one proxy', async () => {
    const [north, south, alone] = [await open('/north'), await open('/south'), await open('')];
    act(() => north.kept().save({ name: 'Doors', address: '/north/console/parts/1' }));
    act(() => south.kept().save({ name: 'Doors', address: '/south/console/parts/2' }));
    act(() => alone.kept().save({ name: 'Home', address: '/console/' }));
    act(() => north.kept().save({ name: 'Worst', address: '/north/console/?sort=ppk' }));
    expect([north.names(), south.names(), alone.names()]).toEqual([['Doors', 'Worst'], ['Doors'], ['Home']]);
    act(() => north.kept().remove('Doors'));
    expect([north.names(), south.names(), alone.names()]).toEqual([['Worst'], ['Doors'], ['Home']]);
    expect(Object.keys(localStorage).sort()).toEqual(['sinebar.views', 'sinebar.views:/north', 'sinebar.views:/south']);
  });

  it('of the time when all plants shared a key are found by their plant', async () => {
    const shared = [
      { name: 'Doors', address: '/north/console/parts/1' },
      { name: 'Lids', address: '/south/console/parts/2' },
      { name: 'Northern', address: '/northern/console/' },
    ];
    localStorage.setItem('sinebar.views', JSON.stringify(shared));
    const [north, south] = [await open('/north'), await open('/south')];
    expect([north.names(), south.names()]).toEqual([['Doors'], ['Lids']]);
    act(() => north.kept().remove('Doors'));
    expect([north.names(), south.names()]).toEqual([[], ['Lids']]);
    north.close();
    expect((await open('/north')).names()).toEqual([]);
  });

  it('are addresses of this server', async () => {
    const views = ['//evil.example/', 'https://evil.example/', 'javascript:alert(1)', '/south/console/', '/north/console/'].map(
      (address) => ({
        name: address,
        address,
      }),
    );
    localStorage.setItem('sinebar.views:/north', JSON.stringify([...views, null, 7, { name: 'x' }]));
    expect((await open('/north')).names()).toEqual(['/north/console/']);
    localStorage.setItem('sinebar.views:/south', '{');
    expect((await open('/south')).names()).toEqual([]);
  });
});
