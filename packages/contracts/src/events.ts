import { z } from 'zod';
import type { RawDataEntity } from './raw-data.js';

/**
 * Payload of every change event, by event name. Property names are the ones on the wire.
 * spec: inspection-service.md, Events; decisions.md 7.1
 */
export interface EventPayloads {
  PartCreated: { PartUuid: string; ParentPartUuid: string };
  PartModified: { PartUuid: string };
  /** Paths with type marker; the gateway empties the side that a receiver may not read. */
  PartMoved: { PartUuid: string; FromPath: string; ToPath: string };
  PartDeleted: { PartUuid: string; ParentPartUuid: string };

  CharacteristicCreated: { CharacteristicUuid: string; ParentUuid: string };
  CharacteristicModified: { CharacteristicUuid: string; ParentPartUuid: string };
  CharacteristicMoved: { CharacteristicUuid: string; FromPath: string; ToPath: string };
  CharacteristicDeleted: { CharacteristicUuid: string; ParentPartUuid: string };

  MeasurementCreated: MeasurementPayload;
  MeasurementModified: MeasurementPayload;
  MeasurementDeleted: MeasurementPayload;

  RawDataCreated: RawDataPayload & { Filename: string };
  RawDataModified: RawDataPayload & { OldFilename: string; NewFilename: string };
  RawDataDeleted: RawDataPayload & { Filename: string };
}

/** `PartUuid` and the documented `CharacteristicUuid` carry the same value: the part the measurement belongs to. */
export interface MeasurementPayload {
  CharacteristicUuid: string;
  PartUuid: string;
  MeasurementUuid: string;
}

export interface RawDataPayload {
  RawDataEntity: RawDataEntity;
  /** For a value, the compound key `<measurement uuid>|<characteristic uuid>`. */
  TargetUuid: string;
  Key: number;
}

export type EventName = keyof EventPayloads;

/** Last two tokens of the subject of each event in the stream. */
export const EVENT_SUBJECTS: Readonly<Record<EventName, string>> = {
  PartCreated: 'part.created',
  PartModified: 'part.modified',
  PartMoved: 'part.moved',
  PartDeleted: 'part.deleted',
  CharacteristicCreated: 'characteristic.created',
  CharacteristicModified: 'characteristic.modified',
  CharacteristicMoved: 'characteristic.moved',
  CharacteristicDeleted: 'characteristic.deleted',
  MeasurementCreated: 'measurement.created',
  MeasurementModified: 'measurement.modified',
  MeasurementDeleted: 'measurement.deleted',
  RawDataCreated: 'raw-data.created',
  RawDataModified: 'raw-data.modified',
  RawDataDeleted: 'raw-data.deleted',
};

export const EVENT_NAMES = Object.keys(EVENT_SUBJECTS) as EventName[];

/** Second argument of every event on a socket (spec: decisions.md 7.2). */
const eventMetaSchema = z.object({
  id: z.string().describe('Unique per event: the same after a repeated delivery, so that a client can drop what it has seen'),
  time: z.string().describe('ISO 8601, UTC, milliseconds'),
  sequence: z.string().describe('Opaque; send it back as `auth.lastSequence`, or as `after`, to resume behind this event'),
});
export type EventMeta = z.infer<typeof eventMetaSchema>;

export const changePageSchema = z
  .object({
    changes: z.array(
      z.object({
        event: z.enum(EVENT_NAMES),
        data: z.unknown().describe('What the event tells, by its name: see docs/events.md'),
        meta: eventMetaSchema,
      }),
    ),
    next: z.string().describe('Where the next page begins: `after` of the next request'),
    gap: z
      .literal(true)
      .optional()
      .describe('What followed `after` is no longer kept: read the current state again, then go on from `next`'),
  })
  .meta({ id: 'ChangePage' });
export type ChangePage = z.infer<typeof changePageSchema>;

/** Replaces events that are no longer kept: the client must read the current state again. */
export const GAP_EVENT = 'Gap';

/**
 * Events of the gateway about the connection itself, by event name.
 * Each has an {@link EventMeta} as second argument too. Its `sequence` is the position of the client, so a program that stores it with
 * every event need not tell these events from changes.
 */
export interface GatewayEventPayloads {
  [GAP_EVENT]: Record<string, never>;
  /** The message broker is unreachable: events are delayed, none is lost. */
  Degraded: { message: string };
  /** The broker is reachable again; the delayed events follow. */
  Restored: Record<string, never>;
  /** Time at which the credentials and the connection end, ISO 8601; `reauthenticate` prevents it. */
  TokenExpiring: { expiresAt: string };
  /** The last event of a connection that the server ends; `code` is one of the error codes, `message` a sentence for people. */
  ConnectionEnded: { code: string; message: string };
}

export type GatewayEventName = keyof GatewayEventPayloads;
