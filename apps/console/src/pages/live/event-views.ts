import type { Language } from '@sinebar/charts';
import type { EventName, EventPayloads } from '@sinebar/client';
import { linkOptions, type LinkProps } from '@tanstack/react-router';
import type { QueryTopic } from '../../server/queries/keys';
import { measurementWords, movedWords, type EventWords, type WordsContext } from './event-words';

/** Kinds that the page groups events by. */
export const EVENT_KINDS = [
  'measurementAdded',
  'measurementChanged',
  'measurementDeleted',
  'fileAdded',
  'fileChanged',
  'fileDeleted',
  'planChanged',
  'configurationChanged',
  'noteChanged',
  'alarmChanged',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Uuids of the items that an event is about and that still exist or may exist. */
interface EventSubject {
  part?: string | undefined;
  characteristic?: string | undefined;
  measurement?: string | undefined;
}

/** The console shows an event by these, and reads again what it has changed. */
interface EventView<Name extends EventName> {
  title: Readonly<Record<Language, string>>;
  kind: EventKind;
  /** Queries whose answers the event has changed. */
  topics: readonly QueryTopic[];
  /** The items whose names tell the place; absent for an event that concerns the whole server. */
  about?: (payload: EventPayloads[Name]) => EventSubject;
  /** Says more than title and place do. */
  words?: (payload: EventPayloads[Name], context: WordsContext) => EventWords;
  /** Address of what the event names; `undefined` where nothing is left to open. */
  link?: (payload: EventPayloads[Name]) => LinkProps | undefined;
}

const PLAN = { kind: 'planChanged', topics: ['plan', 'overview'] } as const;

const partLink = (partUuid: string) => linkOptions({ to: '/parts/$partUuid', params: { partUuid } });
const measurementLink = (measurementUuid: string) => linkOptions({ to: '/measurements/$measurementUuid', params: { measurementUuid } });

const ON_PART = {
  about: ({ PartUuid: part }: { PartUuid: string }) => ({ part }),
  link: ({ PartUuid }: { PartUuid: string }) => partLink(PartUuid),
};

/** An event about what was deleted leads to its part, which remains. */
const ON_PARENT = {
  about: ({ ParentPartUuid: part }: { ParentPartUuid: string }) => ({ part }),
  link: ({ ParentPartUuid }: { ParentPartUuid: string }) => partLink(ParentPartUuid),
};

/** These have no link: the page of a characteristic needs its part, which not all of these events name. */
const ON_CHARACTERISTIC = {
  about: ({ CharacteristicUuid: characteristic }: { CharacteristicUuid: string }) => ({ characteristic }),
};

type MeasurementPayload = EventPayloads['MeasurementCreated'];

const ON_MEASUREMENT = {
  topics: ['overview'],
  about: ({ PartUuid: part, MeasurementUuid: measurement }: MeasurementPayload) => ({ part, measurement }),
  words: ({ MeasurementUuid }: MeasurementPayload, context: WordsContext) => measurementWords(MeasurementUuid, context),
  link: ({ MeasurementUuid }: MeasurementPayload) => measurementLink(MeasurementUuid),
} as const;

type FilePayload = Pick<EventPayloads['RawDataCreated'], 'RawDataEntity' | 'TargetUuid' | 'Key'>;

const ON_FILE = {
  topics: ['files'],
  about: ({ RawDataEntity, TargetUuid }: FilePayload): EventSubject => {
    const [first, characteristic] = TargetUuid.split('|');
    if (RawDataEntity === 'Part') return { part: first };
    if (RawDataEntity === 'Measurement') return { measurement: first };
    return { characteristic: characteristic ?? first };
  },
  link: ({ RawDataEntity, TargetUuid, Key }: FilePayload) => {
    const [first = ''] = TargetUuid.split('|');
    if (RawDataEntity === 'Measurement' || RawDataEntity === 'Value') return measurementLink(first);
    if (RawDataEntity === 'Characteristic') return undefined;
    return linkOptions({ to: '/parts/$partUuid/files', params: { partUuid: first }, search: { selected: `Part/${first}/${Key}` } });
  },
} as const;

/** An event about something that belongs to a characteristic, or to a part where it names none. */
const ON_ITEM = {
  about: ({ PartUuid: part, CharacteristicUuid: characteristic }: ItemPayload) => ({ part, characteristic }),
  link: ({ PartUuid: partUuid, CharacteristicUuid: characteristicUuid }: ItemPayload) =>
    characteristicUuid === undefined
      ? partLink(partUuid)
      : linkOptions({ to: '/parts/$partUuid/characteristics/$characteristicUuid', params: { partUuid, characteristicUuid } }),
} as const;

interface ItemPayload {
  PartUuid: string;
  CharacteristicUuid?: string;
}

const ON_NOTE = {
  kind: 'noteChanged',
  topics: ['notes'],
  ...ON_ITEM,
} as const;

const ON_ALARM = { kind: 'alarmChanged', topics: ['alarms'], ...ON_ITEM } as const;

/** Everything that the console knows about each event. */
export const EVENT_VIEWS: { readonly [Name in EventName]: EventView<Name> } = {
  PartCreated: { title: { en: 'Part created', de: 'Teil angelegt' }, ...PLAN, ...ON_PART },
  PartModified: { title: { en: 'Part changed', de: 'Teil geändert' }, ...PLAN, ...ON_PART },
  PartMoved: { title: { en: 'Part moved', de: 'Teil verschoben' }, ...PLAN, ...ON_PART, words: movedWords },
  PartDeleted: { title: { en: 'Part deleted', de: 'Teil gelöscht' }, ...PLAN, ...ON_PARENT },

  CharacteristicCreated: { title: { en: 'Characteristic created', de: 'Merkmal angelegt' }, ...PLAN, ...ON_CHARACTERISTIC },
  CharacteristicModified: {
    title: { en: 'Characteristic changed', de: 'Merkmal geändert' },
    ...PLAN,
    ...ON_CHARACTERISTIC,
    link: ({ ParentPartUuid: partUuid, CharacteristicUuid: characteristicUuid }) =>
      linkOptions({ to: '/parts/$partUuid/characteristics/$characteristicUuid', params: { partUuid, characteristicUuid } }),
  },
  CharacteristicMoved: {
    title: { en: 'Characteristic moved', de: 'Merkmal verschoben' },
    ...PLAN,
    ...ON_CHARACTERISTIC,
    words: movedWords,
  },
  CharacteristicDeleted: { title: { en: 'Characteristic deleted', de: 'Merkmal gelöscht' }, ...PLAN, ...ON_PARENT },

  MeasurementCreated: { title: { en: 'Measurement added', de: 'Messung hinzugefügt' }, kind: 'measurementAdded', ...ON_MEASUREMENT },
  MeasurementModified: { title: { en: 'Measurement changed', de: 'Messung geändert' }, kind: 'measurementChanged', ...ON_MEASUREMENT },
  MeasurementDeleted: {
    title: { en: 'Measurement deleted', de: 'Messung gelöscht' },
    kind: 'measurementDeleted',
    topics: ['overview'],
    ...ON_PART,
  },

  RawDataCreated: {
    title: { en: 'File added', de: 'Datei hinzugefügt' },
    kind: 'fileAdded',
    ...ON_FILE,
    words: ({ Filename }) => ({ text: Filename }),
  },
  RawDataModified: {
    title: { en: 'File changed', de: 'Datei geändert' },
    kind: 'fileChanged',
    ...ON_FILE,
    words: ({ OldFilename, NewFilename }, { t }) => ({
      text: OldFilename === NewFilename ? NewFilename : t.renamed(OldFilename, NewFilename),
    }),
  },
  RawDataDeleted: {
    title: { en: 'File deleted', de: 'Datei gelöscht' },
    kind: 'fileDeleted',
    ...ON_FILE,
    words: ({ Filename }) => ({ text: Filename }),
  },

  ConfigurationModified: {
    title: { en: 'Attributes changed', de: 'Attribute geändert' },
    kind: 'configurationChanged',
    topics: ['configuration', 'plan', 'overview'],
    words: ({ EntityType, AttributeKeys }, { t }) => ({ text: `${t[`of${EntityType}`]}: ${AttributeKeys.join(', ')}` }),
    link: () => linkOptions({ to: '/administration/definitions' }),
  },

  EvaluationModified: {
    title: { en: 'Evaluation changed', de: 'Auswertung geändert' },
    ...PLAN,
    topics: ['evaluation', 'overview'],
    about: ({ Entity, Uuid }) => (Entity === 'Part' ? { part: Uuid } : { characteristic: Uuid }),
    link: ({ Entity, Uuid }) => (Entity === 'Part' ? partLink(Uuid) : undefined),
  },

  NoteCreated: { title: { en: 'Note written', de: 'Notiz geschrieben' }, ...ON_NOTE },
  NoteModified: { title: { en: 'Note changed', de: 'Notiz geändert' }, ...ON_NOTE },
  NoteDeleted: { title: { en: 'Note deleted', de: 'Notiz gelöscht' }, ...ON_NOTE },

  AlarmRaised: { title: { en: 'Alarm raised', de: 'Alarm ausgelöst' }, ...ON_ALARM },
  AlarmChanged: { title: { en: 'Alarm changed', de: 'Alarm geändert' }, ...ON_ALARM },
};

/** Returns the view of an event, whose functions take the payload of this event. */
export function viewOf({ name }: { name: EventName }): EventView<EventName> {
  return EVENT_VIEWS[name] as EventView<EventName>;
}
