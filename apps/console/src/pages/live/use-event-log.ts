import type { ConnectionState, EventName } from '@sinebar/client';
import { useEffect, useRef, useState } from 'react';
import { useLive, useLiveEvents } from '../../server/live/use-live';
import type { LiveSnapshot } from '../../server/live/live-events';
import { useServer } from '../../server/server';
import { EventLog, type LogSnapshot } from './event-log';

/** Time between two redraws, ms: many events per second are drawn together. */
const REDRAW_MS = 250;

export interface Connection {
  state: 'connecting' | 'connected' | 'disconnected' | 'degraded' | 'ended';
  sinceMs: number | undefined;
  /** Sentence of a connection that ended or is delayed. */
  message: string | undefined;
}

export interface LiveLog {
  /** The shown events; while the page is paused, those of that moment. */
  shown: LogSnapshot;
  /** All events received so far: rates and kinds continue while the page is paused. */
  current: LogSnapshot;
  connection: Connection;
  isPaused: boolean;
  setPaused: (isPaused: boolean) => void;
  look: () => void;
  clear: () => void;
}

/** Listens to the events of the server and keeps the newest. @param partPath only what happens there and below */
export function useEventLog(partPath: string | undefined): LiveLog {
  const server = useServer();
  const shared = useLive();
  const isShared = partPath === undefined;
  const [log] = useState(() => new EventLog(Date.now()));
  const [current, setCurrent] = useState(() => log.snapshot(Date.now()));
  const [held, setHeld] = useState<LogSnapshot>();
  const [filtered, setFiltered] = useState<Connection>({ state: 'connecting', sinceMs: undefined, message: undefined });
  const isChanged = useRef(false);

  useLiveEvents(
    (events) => {
      if (!isShared) return;
      for (const { name, payload, meta } of events) log.add(name, payload, meta, Date.now());
      isChanged.current = true;
    },
    () => {
      if (!isShared) return;
      log.addGap(Date.now());
      isChanged.current = true;
    },
  );

  // Events name their parts by uuid: only the server can tell which lie below a part, so a filter takes a connection of its own.
  useEffect(() => {
    if (partPath === undefined) return undefined;
    const onState = (change: ConnectionState) => {
      setFiltered((known) => {
        switch (change.state) {
          case 'connected':
          case 'restored':
            return { state: 'connected', sinceMs: known.state === 'degraded' ? known.sinceMs : Date.now(), message: undefined };
          case 'degraded':
            return { ...known, state: 'degraded', message: change.message };
          case 'disconnected':
            return { state: 'disconnected', sinceMs: undefined, message: undefined };
        }
      });
    };
    const events = server.events({
      filters: [{ partPath }],
      onState,
      onGap: () => {
        log.addGap(Date.now());
        isChanged.current = true;
      },
    });
    events.onAny((name: EventName, payload, meta) => {
      log.add(name, payload, meta, Date.now());
      isChanged.current = true;
    });
    const ended = (error: unknown) =>
      setFiltered({ state: 'ended', sinceMs: undefined, message: error instanceof Error ? error.message : String(error) });
    events.closed.catch(ended);
    events.connect().catch(ended);
    return () => void events.close();
  }, [server, log, partPath]);

  useEffect(() => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      // Rates move on once a second, also without events.
      if (!isChanged.current && ticks % (1000 / REDRAW_MS) !== 0) return;
      isChanged.current = false;
      setCurrent(log.snapshot(Date.now()));
    }, REDRAW_MS);
    return () => clearInterval(timer);
  }, [log]);

  return {
    shown: held ?? current,
    current,
    connection: isShared ? connectionOf(shared) : filtered,
    isPaused: held !== undefined,
    setPaused: (isPaused) => {
      if (isPaused) log.look(Date.now());
      setHeld(isPaused ? log.snapshot(Date.now()) : undefined);
      setCurrent(log.snapshot(Date.now()));
    },
    look: () => {
      log.look(Date.now());
      setCurrent(log.snapshot(Date.now()));
    },
    clear: () => {
      log.clear();
      setHeld((known) => (known ? log.snapshot(Date.now()) : undefined));
      setCurrent(log.snapshot(Date.now()));
    },
  };
}

/** State of the connection that all pages share; pausing it holds the events of this page too. */
function connectionOf({ state, since }: LiveSnapshot): Connection {
  const isConnected = state === 'live' || state === 'paused' || state === 'behind';
  const states = { connecting: 'connecting', live: 'connected', paused: 'connected', behind: 'degraded', lost: 'disconnected' } as const;
  return { state: states[state], sinceMs: isConnected ? since : undefined, message: undefined };
}
