import { AXIS_WIDTH, overview, pointScale, type OverviewInput, type View } from '@sinebar/charts';
import { useRef, type PointerEvent } from 'react';
import { useLocale } from '../../design/language/language';
import { Figure } from '../drawing/figure';

/** Distance within which an edge is taken by the pointer, px. */
const GRIP = 8;

/** All points in small; the part in view can be moved and drawn wider. */
export function Overview({ onView, ...input }: OverviewInput & { onView: (view: View) => void }) {
  const { shown, view, plot } = input;
  const x = pointScale(shown.count, plot);
  const grip = useRef<{ part: 'from' | 'to' | 'all'; start: number; view: View } | undefined>(undefined);
  const [from, to] = [x(view.start), x(view.end)];
  const at = (event: PointerEvent<SVGSVGElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const take = (event: PointerEvent<SVGSVGElement>) => {
    const pointer = at(event);
    if (pointer < AXIS_WIDTH - GRIP || pointer > AXIS_WIDTH + plot + GRIP) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const part = Math.abs(pointer - from) <= GRIP ? 'from' : Math.abs(pointer - to) <= GRIP ? 'to' : 'all';
    const width = view.end - view.start;
    const isOutside = part === 'all' && (pointer < from || pointer > to);
    // A press beside the part in view brings it there.
    const begun = isOutside ? clamped(x.invert(pointer) - width / 2, width, shown.count) : view;
    if (isOutside) onView(begun);
    grip.current = { part, start: pointer, view: begun };
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const held = grip.current;
    if (!held) return;
    const by = ((at(event) - held.start) / plot) * shown.count;
    const width = held.view.end - held.view.start;
    if (held.part === 'all') onView(clamped(held.view.start + by, width, shown.count));
    else if (held.part === 'from') onView({ start: Math.max(0, Math.min(held.view.start + by, held.view.end - 5)), end: held.view.end });
    else onView({ start: held.view.start, end: Math.min(shown.count, Math.max(held.view.end + by, held.view.start + 5)) });
  };
  return (
    <Figure
      drawing={overview(input, useLocale())}
      onPointerDown={take}
      onPointerMove={move}
      onPointerUp={() => (grip.current = undefined)}
      style={{ touchAction: 'pan-y' }}
    />
  );
}

function clamped(start: number, width: number, count: number): View {
  const from = Math.max(0, Math.min(start, count - width));
  return { start: from, end: from + width };
}
