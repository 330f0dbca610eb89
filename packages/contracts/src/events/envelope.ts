import { EVENTS, isEventName, type EventName, type EventPayloads } from './events.ts';

/** Name of the JetStream stream that holds every change event. */
export const EVENT_STREAM = 'SINEBAR_EVENTS';

/** All change events are published below this subject. */
export const EVENT_SUBJECT_PREFIX = 'sinebar.events';

/**
 * One message of the event stream: a CloudEvents 1.0 event in structured JSON mode.
 * `data.events` lists one or more payloads of the same name that share time, owning part and path. The envelope holds everything that the
 * permission filter needs, so a gateway asks no other service.
 */
export interface ChangeEnvelope<N extends EventName = EventName> {
  specversion: '1.0';
  /** Uuid; also the message id by which the broker recognises a repeated publication. */
  id: string;
  /** Service that made the change, `/inspection` or `/raw-data`. */
  source: string;
  type: N;
  /** Time of the change, ISO 8601, UTC, milliseconds. */
  time: string;
  /** Uuid of the changed entity (the target for raw data); the owning part when the message holds several. */
  subject: string;
  datacontenttype: 'application/json';
  /** Stored path against which read rights are checked: of the entity, or of the owning part for measurements and raw data. */
  sinebarpath: string;
  /** `Moved` only: the stored path before the move. */
  sinebaroldpath?: string;
  /** Uuid of the owning part (of the part itself for part events). */
  sinebarpart: string;
  /** `CharacteristicMoved` only: the owning part before the move. */
  sinebaroldpart?: string;
  /**
   * W3C trace context of the request that made the change, where it had one: the CloudEvents extension for distributed tracing. Not sent to
   * clients.
   */
  traceparent?: string;
  data: ChangeContent<N>;
}

export interface ChangeContent<N extends EventName = EventName> {
  events: EventPayloads[N][];
  /** `MeasurementModified` only, never sent to clients: uuids of characteristics whose values the change removed. */
  removedCharacteristics?: string[];
  /** Version of the values of these measurements after the change; set together with `removedCharacteristics`. */
  valuesVersion?: number;
}

/** A change event before the outbox adds its id, source and time. */
export type PendingChange = {
  [N in EventName]: {
    type: N;
    subject: string;
    path: string;
    oldPath?: string;
    partUuid: string;
    oldPartUuid?: string;
    events: EventPayloads[N][];
    removedCharacteristics?: string[];
    valuesVersion?: number;
  };
}[EventName];

/** Subject of a change event, `sinebar.events.<entity>.<change>`, for example `sinebar.events.raw-data.created`. */
export function eventSubject(name: EventName): string {
  if (!isEventName(name)) throw new Error(`not an event name: ${String(name)}`);
  return `${EVENT_SUBJECT_PREFIX}.${EVENTS[name].subject}`;
}

/** Identity of the payload at `index` of a message. */
export function eventId(envelopeId: string, index: number): string {
  return `${envelopeId}.${index}`;
}

/** A position in the event stream; `index` counts the events inside one stream message. */
export interface EventPosition {
  /** Identity of the stream, fixed when it is created. */
  epoch: string;
  /** Sequence of the stream message, from 1. */
  sequence: number;
  index: number;
}

/** Formats a position as the opaque text that clients see (spec: decisions.md 7.2). */
export function formatSequence({ epoch, sequence, index }: EventPosition): string {
  return `${epoch}.${sequence}.${index}`;
}

/** @returns `undefined` when the text is no sequence that {@link formatSequence} makes. */
export function parseSequence(text: string): EventPosition | undefined {
  const match = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})\.(\d{1,9})$/.exec(text);
  if (!match) return undefined;
  return { epoch: match[1] as string, sequence: Number(match[2]), index: Number(match[3]) };
}
