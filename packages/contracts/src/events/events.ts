import type { AlarmKind, AlarmState } from '../alarms/words.ts';
import type { AttributeOwner } from '../configuration/configuration.ts';
import type { RawDataEntity } from '../raw-data.ts';
import type { PartRight } from '../rights.ts';

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

  /** Definitions of one entity type were created, changed or deleted; keys in ascending order. */
  ConfigurationModified: { EntityType: AttributeOwner; AttributeKeys: number[] };

  /** The evaluation of a characteristic was changed, or that of a part, which concerns everything below it. */
  EvaluationModified: { Entity: EvaluatedEntity; Uuid: string };

  NoteCreated: NotePayload;
  NoteModified: NotePayload;
  NoteDeleted: NotePayload;

  AlarmRaised: AlarmPayload;
  /** An alarm was acknowledged, closed or withdrawn, or has a further point. */
  AlarmChanged: AlarmPayload;
}

export type EvaluatedEntity = 'Part' | 'Characteristic';

/** `PartUuid` and the documented `CharacteristicUuid` carry the same value: the part the measurement belongs to. */
export interface MeasurementPayload {
  CharacteristicUuid: string;
  PartUuid: string;
  MeasurementUuid: string;
}

/** `CharacteristicUuid` is absent for the note of a part. */
export interface NotePayload {
  NoteUuid: string;
  PartUuid: string;
  CharacteristicUuid?: string;
}

/** `CharacteristicUuid` is absent for the silence of a part. */
export interface AlarmPayload {
  AlarmUuid: string;
  PartUuid: string;
  CharacteristicUuid?: string;
  Kind: AlarmKind;
  State: AlarmState;
}

export interface RawDataPayload {
  RawDataEntity: RawDataEntity;
  /** Uuid of the target; compound key `<measurement uuid>|<characteristic uuid>` of a value. */
  TargetUuid: string;
  Key: number;
}

export type EventName = keyof EventPayloads;

/** Right that a receiver needs on the path of an event; `signed-in`: none, the event goes to everybody who has signed in. */
export type EventReadRight = Extract<PartRight, `${string}:read`> | 'signed-in';

interface EventDescription {
  /** Last two tokens of the subject in the stream: entity and change. */
  subject: string;
  readRight: EventReadRight;
}

/** Subject and read right of every change event. spec: decisions.md 8.4 */
export const EVENTS: Readonly<Record<EventName, EventDescription>> = {
  PartCreated: { subject: 'part.created', readRight: 'plan:read' },
  PartModified: { subject: 'part.modified', readRight: 'plan:read' },
  PartMoved: { subject: 'part.moved', readRight: 'plan:read' },
  PartDeleted: { subject: 'part.deleted', readRight: 'plan:read' },
  CharacteristicCreated: { subject: 'characteristic.created', readRight: 'plan:read' },
  CharacteristicModified: { subject: 'characteristic.modified', readRight: 'plan:read' },
  CharacteristicMoved: { subject: 'characteristic.moved', readRight: 'plan:read' },
  CharacteristicDeleted: { subject: 'characteristic.deleted', readRight: 'plan:read' },
  MeasurementCreated: { subject: 'measurement.created', readRight: 'measurement:read' },
  MeasurementModified: { subject: 'measurement.modified', readRight: 'measurement:read' },
  MeasurementDeleted: { subject: 'measurement.deleted', readRight: 'measurement:read' },
  RawDataCreated: { subject: 'raw-data.created', readRight: 'rawData:read' },
  RawDataModified: { subject: 'raw-data.modified', readRight: 'rawData:read' },
  RawDataDeleted: { subject: 'raw-data.deleted', readRight: 'rawData:read' },
  ConfigurationModified: { subject: 'configuration.modified', readRight: 'signed-in' },
  // The first words are some that brokers of an earlier release let the service publish.
  EvaluationModified: { subject: 'part.evaluated', readRight: 'plan:read' },
  NoteCreated: { subject: 'measurement.note-created', readRight: 'measurement:read' },
  NoteModified: { subject: 'measurement.note-modified', readRight: 'measurement:read' },
  NoteDeleted: { subject: 'measurement.note-deleted', readRight: 'measurement:read' },
  AlarmRaised: { subject: 'measurement.alarm-raised', readRight: 'measurement:read' },
  AlarmChanged: { subject: 'measurement.alarm-changed', readRight: 'measurement:read' },
};

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** Tells whether this release knows an event of that name; the stream may hold events of a newer one. */
export function isEventName(text: string): text is EventName {
  return Object.hasOwn(EVENTS, text);
}

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
