import { eventId, formatSequence, parseSequence, type ChangeEnvelope, type EventMeta, type EventPosition } from '@sinebar/contracts';
import type { StreamPosition, StreamState } from '@sinebar/message-bus';

/** `index` of a resume point after all events of the message. */
export const WHOLE_MESSAGE = 999_999_999;

/** Maximum messages to replay; beyond it the client gets a `Gap` and reads the current state. */
export const MAX_BACKLOG_MESSAGES = 100_000;

/** Event after which a client resumes. */
export type ResumePoint = EventPosition;

export function behindMessage({ epoch, sequence }: StreamPosition): ResumePoint {
  return { epoch, sequence, index: WHOLE_MESSAGE };
}

/** Returns the point after which the event at `position` comes next. */
export function justBefore({ epoch, sequence, index }: EventPosition): ResumePoint {
  return index > 0 ? { epoch, sequence, index: index - 1 } : behindMessage({ epoch, sequence: sequence - 1 });
}

/**
 * Reads a `lastSequence` that a client sent back.
 * @returns `undefined` for a text that this server did not make
 */
export function parseResumePoint(input: unknown): ResumePoint | undefined {
  return typeof input === 'string' ? parseSequence(input) : undefined;
}

/**
 * Returns the message after which reading starts.
 * A client that was cut off inside a message needs that message again.
 * @returns `undefined` when the following messages are not available: another stream, expired, not yet stored, or too many
 */
export function readFrom(point: ResumePoint, state: StreamState): StreamPosition | undefined {
  const sequence = point.index === WHOLE_MESSAGE ? point.sequence : point.sequence - 1;
  const kept = sequence >= 0 && sequence + 1 >= state.firstSequence && point.sequence <= state.lastSequence;
  if (point.epoch !== state.epoch || !kept || state.lastSequence - sequence > MAX_BACKLOG_MESSAGES) return undefined;
  return { epoch: point.epoch, sequence };
}

/** Returns the index of the first event of the message at `position` after the point. */
export function firstIndexBehind(point: ResumePoint, position: StreamPosition): number {
  return position.epoch === point.epoch && position.sequence === point.sequence && point.index !== WHOLE_MESSAGE ? point.index + 1 : 0;
}

/** Builds the second argument of the event at `index` of a message (spec: decisions.md 7.2). */
export function metaOf(envelope: ChangeEnvelope, { epoch, sequence }: StreamPosition, index: number): EventMeta {
  return { id: eventId(envelope.id, index), time: envelope.time, sequence: formatSequence({ epoch, sequence, index }) };
}
