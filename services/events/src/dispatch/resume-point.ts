import { eventId, formatSequence, parseSequence, type ChangeEnvelope, type EventMeta, type EventPosition } from '@sinebar/contracts';
import type { StreamPosition, StreamState } from '@sinebar/message-bus';

/** As `index` of a resume point: behind all events of the message, however many it holds. */
export const WHOLE_MESSAGE = 999_999_999;

/** More messages than this are not replayed: the client reads the current state instead (a `Gap`). */
export const MAX_BACKLOG_MESSAGES = 100_000;

/** Behind which event a client goes on. */
export type ResumePoint = EventPosition;

export function behindMessage({ epoch, sequence }: StreamPosition): ResumePoint {
  return { epoch, sequence, index: WHOLE_MESSAGE };
}

/** The point from which the event at `position` comes next. */
export function justBefore({ epoch, sequence, index }: EventPosition): ResumePoint {
  return index > 0 ? { epoch, sequence, index: index - 1 } : behindMessage({ epoch, sequence: sequence - 1 });
}

/**
 * Reads a `lastSequence` that a client sent back.
 * @returns `undefined` for anything this server did not make.
 */
export function parseResumePoint(input: unknown): ResumePoint | undefined {
  return typeof input === 'string' ? parseSequence(input) : undefined;
}

/**
 * Behind which message reading begins. A client that was cut off inside a message needs that message again.
 * @returns `undefined` when what follows the point is not in the stream: another stream, no longer kept, not yet there, or too much.
 */
export function readFrom(point: ResumePoint, state: StreamState): StreamPosition | undefined {
  const sequence = point.index === WHOLE_MESSAGE ? point.sequence : point.sequence - 1;
  const kept = sequence >= 0 && sequence + 1 >= state.firstSequence && point.sequence <= state.lastSequence;
  if (point.epoch !== state.epoch || !kept || state.lastSequence - sequence > MAX_BACKLOG_MESSAGES) return undefined;
  return { epoch: point.epoch, sequence };
}

/** Index of the first event of the message at `position` that lies behind the point. */
export function firstIndexBehind(point: ResumePoint, position: StreamPosition): number {
  return position.epoch === point.epoch && position.sequence === point.sequence && point.index !== WHOLE_MESSAGE ? point.index + 1 : 0;
}

/** Second argument of the event at `index` of a message (spec: decisions.md 7.2). */
export function metaOf(envelope: ChangeEnvelope, { epoch, sequence }: StreamPosition, index: number): EventMeta {
  return { id: eventId(envelope.id, index), time: envelope.time, sequence: formatSequence({ epoch, sequence, index }) };
}
