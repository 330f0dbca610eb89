import type { EventMeta, EventName, EventOptions, EventPayloads, SinebarClient } from '@sinebar/client';
import { LiveEvents } from '../server/live/live-events';

type Handler = (name: string, payload: object, meta: object) => void;

/** A connection for events that a test speaks for. */
export interface SpokenEvents {
  live: LiveEvents;
  happens: <Name extends EventName>(name: Name, payload: EventPayloads[Name], meta: EventMeta) => void;
  options: () => EventOptions;
}

/** Makes live events that are connected, without a server. */
export function spokenEvents(): SpokenEvents {
  let options: EventOptions = {};
  let hand: Handler = () => undefined;
  const client = {
    events: (given: EventOptions) => {
      options = given;
      return {
        onAny: (handler: Handler) => (hand = handler),
        closed: new Promise(() => undefined),
        connect: () => Promise.resolve(),
        close: () => Promise.resolve(),
      };
    },
  } as unknown as SinebarClient;
  const live = new LiveEvents(client);
  live.start();
  options.onState?.({ state: 'connected' });
  return { live, happens: (...event) => hand(...event), options: () => options };
}
