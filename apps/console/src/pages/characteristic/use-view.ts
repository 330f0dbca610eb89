import { shownSeries, type ShownSeries, type View } from '@sinebar/charts';
import type { CharacteristicSeries } from '@sinebar/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { panned, timelineOf, zoomed } from '../../charts/control/view-window';
import type { Share } from '../../charts/interaction/chart-cursor';
import { slotsOf, type DividedGroups } from '../../quality/groups/grouping';
import type { CharacteristicSearch } from './search';
import type { CharacteristicData } from './use-characteristic';
import { viewTimesOf } from './view';

/** The stretch of the chart in view, and how to move it; the address keeps it. */
export function useView(data: CharacteristicData, search: CharacteristicSearch) {
  const navigate = useNavigate();
  const { viewFrom, viewTo } = search;
  const limits = data.summary.data?.limits;
  const { divided } = data;
  const shownData = data.shown.data;
  const shown = useMemo<ShownSeries | undefined>(
    () => shownData && withSlots(shownSeries(shownData, limits ?? {}, viewTimesOf({ viewFrom, viewTo })), shownData, divided),
    [shownData, limits, viewFrom, viewTo, divided],
  );
  const all = useMemo(() => data.series.data && shownSeries(data.series.data, limits ?? {}), [data.series.data, limits]);
  const timeline = useMemo(() => all && timelineOf(all.entries), [all]);
  // Keys come faster than the page renders: each step starts from the last one that was asked for.
  const wanted = useRef(search);
  useEffect(() => {
    wanted.current = search;
  });

  const show = (next: Pick<CharacteristicSearch, 'viewFrom' | 'viewTo'>, isStep = true) => {
    const { viewFrom: _from, viewTo: _to, ...rest } = wanted.current;
    wanted.current = { ...rest, ...next };
    // Steps of one movement are one entry of the history.
    void navigate({ to: '.', search: wanted.current, replace: isStep, resetScroll: false });
  };
  const viewOf = ({ viewFrom: from, viewTo: to }: CharacteristicSearch): View => ({
    start: from === undefined || !timeline ? 0 : timeline.positionOf(Date.parse(from)),
    end: to === undefined || !timeline ? (timeline?.count ?? 0) : timeline.positionOf(Date.parse(to)),
  });
  const showView = ({ start, end }: View) => {
    if (!timeline) return;
    const time = (position: number) => {
      const ms = timeline.timeAt(position);
      return ms === undefined ? undefined : new Date(Math.round(ms)).toISOString();
    };
    const from = start <= 0.5 ? undefined : time(start);
    const to = end >= timeline.count - 0.5 ? undefined : time(end);
    show({ ...(from !== undefined && { viewFrom: from }), ...(to !== undefined && { viewTo: to }) });
  };
  return {
    shown,
    all,
    /** Positions of the view among all points. */
    view: viewOf(search),
    count: timeline?.count ?? 0,
    /** Shows a part of what is in view; beyond its edges lie the neighbours. */
    zoomTo: ({ from, to }: Share) => {
      if (!timeline || !shown) return;
      const width = to - from;
      const view = viewOf(wanted.current);
      const exact = from >= 0 && to <= 1 && width < 1 && wanted.current === search ? timesOfShare(shown, { from, to }) : undefined;
      if (exact) show(exact);
      else if (Math.abs(width - 1) < 1e-9) showView(panned(view, from, timeline.count));
      // The point that stays is where the edges of both meet in proportion.
      else showView(zoomed(view, width, Math.max(0, Math.min(from / (1 - width), 1)), timeline.count));
    },
    zoomBy: (factor: number) => timeline && showView(zoomed(viewOf(wanted.current), factor, 0.5, timeline.count)),
    showView,
    showAll: () => show({}, false),
    showTimes: show,
  };
}

/** Gives the groups of the points their colours and shapes. */
function withSlots(shown: ShownSeries, { grouped }: CharacteristicSeries, divided: DividedGroups | undefined): ShownSeries {
  return divided && grouped ? { ...shown, slots: slotsOf(divided, grouped.groups) } : shown;
}

export type CharacteristicView = ReturnType<typeof useView>;

/** Fewest points that are worth a view of their own. */
const MIN_POINTS = 10;

/** Times of a part of the points in view, which are exact; undefined for too few points or points without times. */
function timesOfShare({ entries, count }: ShownSeries, { from, to }: Share): Pick<CharacteristicSearch, 'viewFrom' | 'viewTo'> | undefined {
  const inside = entries.filter(
    ({ position, count: points }) => position + points / 2 >= from * count && position + points / 2 < to * count,
  );
  const points = inside.reduce((sum, entry) => sum + entry.count, 0);
  const [first, last] = [inside[0], inside.at(-1)];
  if (points < MIN_POINTS || first?.from === undefined || last?.to === undefined) return undefined;
  return { viewFrom: first.from, viewTo: new Date(Date.parse(last.to) + 1).toISOString() };
}
