import { expect, it } from '@jest/globals';
import type { Compared } from '@sinebar/charts';
import { ROOT_PART_UUID } from '@sinebar/client';
import { waitFor } from '@testing-library/react';
import type { Reported } from '../../quality/export/report-dialog';
import { FakeServer } from '../../testing/fake-server.fixture';
import { renderComponent } from '../../testing/render.fixture';
import type { CompareSearch } from './search';
import { useReported } from './use-reported';

/** Parts by their paths; the uuid of each is the first letter of its name. */
const compared = (path: string, partUuid: string) => ({ uuid: path.at(-2), summary: { path, partUuid } }) as Compared;
const LEFT = compared('PPPC:/line/door/left/a/', 'l');
const RIGHT = compared('PPPC:/line/door/right/b/', 'r');
const DOOR = compared('PPC:/line/door/c/', 'd');
const OTHER = compared('PC:/pump/e/', 'p');

/** @param seen paths of the parts that the reader may see */
async function reportedOf(all: readonly Compared[], search: CompareSearch = {}, seen = /./) {
  let reported: Reported | undefined;
  const server = new FakeServer({
    'GET /dataServiceRest/parts': ({ url }) => {
      const path = url.searchParams.get('partPath') ?? '';
      return seen.test(path) ? [{ uuid: path.split('/').at(-1)?.charAt(0), path }] : [];
    },
  });
  const Probe = () => {
    reported = useReported(all, search);
    return null;
  };
  await renderComponent(<Probe />, { server });
  return { server, last: () => reported };
}

it.each([
  ['characteristics of one part are reported below it', [LEFT, compared('PPPC:/line/door/left/d/', 'l')], 'l'],
  ['those of parts beside each other below the part above both', [LEFT, RIGHT], 'd'],
  ['those of a part and of one below it below the upper one', [LEFT, DOOR], 'd'],
  ['those of parts that share nothing below the root', [LEFT, OTHER], ROOT_PART_UUID],
])('%s', async (_name, all, partUuid) => {
  const { last } = await reportedOf(all);
  await waitFor(() => expect(last()?.selection).toEqual({ partUuid, characteristicUuids: all.map(({ uuid }) => uuid) }));
});

it('those below a part that the reader may not see are reported below the root', async () => {
  const { server, last } = await reportedOf([LEFT, RIGHT], {}, /left|right|door/);
  await waitFor(() => expect(server.requests).toHaveLength(3));
  expect(last()?.selection.partUuid).toBe(ROOT_PART_UUID);
});

it('the times of the page are those of the report, a filter is not', async () => {
  const times = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' };
  expect((await reportedOf([LEFT], times)).last()).toMatchObject({ ...times, isFiltered: false });
  expect((await reportedOf([LEFT], { newest: 10 })).last()).toMatchObject({ isFiltered: true });
});
