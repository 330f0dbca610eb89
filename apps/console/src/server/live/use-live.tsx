import { createContext, useContext, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import type { LiveEvent, LiveEvents, LiveSnapshot } from './live-events';

const LiveContext = createContext<LiveEvents | undefined>(undefined);

export function LiveProvider({ live, children }: { live: LiveEvents; children: ReactNode }) {
  return <LiveContext value={live}>{children}</LiveContext>;
}

function useLiveContext(): LiveEvents {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error('Live events are used outside of LiveProvider.');
  return live;
}

/** Returns whether events come, and the switch that holds them. */
export function useLive(): LiveSnapshot & { pause: () => void; resume: () => void } {
  const live = useLiveContext();
  const snapshot = useSyncExternalStore(live.watch, live.snapshot);
  return { ...snapshot, pause: () => live.pause(), resume: () => live.resume() };
}

/** Calls back with the events of each moment; `onGap`: events were lost, so what is shown has to be read again. */
export function useLiveEvents(onEvents: (events: readonly LiveEvent[]) => void, onGap?: () => void): void {
  const live = useLiveContext();
  const latest = useRef({ onEvents, onGap });
  useEffect(() => {
    latest.current = { onEvents, onGap };
  });
  useEffect(() => live.listen({ onEvents: (events) => latest.current.onEvents(events), onGap: () => latest.current.onGap?.() }), [live]);
}
