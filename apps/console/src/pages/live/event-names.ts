import type { Measurement } from '@sinebar/client';
import { namesOf } from '../../server/queries/plan-path';
import type { ChangeEntry } from './event-log';
import { viewOf } from './event-views';

/** Uuids that the rows in view need names for. */
export interface WantedNames {
  parts: string[];
  characteristics: string[];
  measurements: string[];
}

/** Lists what events are about. */
export function wantedNames(events: readonly ChangeEntry[]): WantedNames {
  const subjects = events.map((event) => viewOf(event).about?.(event.payload));
  const sorted = (uuids: readonly (string | undefined)[]) => [...new Set(uuids.filter((uuid) => uuid !== undefined))].sort();
  return {
    parts: sorted(subjects.map((subject) => subject?.part)),
    characteristics: sorted(subjects.map((subject) => subject?.characteristic)),
    measurements: sorted(subjects.map((subject) => subject?.measurement)),
  };
}

/** Known names of the items in events. */
export interface KnownNames {
  /** Paths of parts and characteristics. */
  paths: ReadonlyMap<string, string>;
  measurements: ReadonlyMap<string, Measurement>;
}

export const NOTHING_KNOWN: KnownNames = { paths: new Map(), measurements: new Map() };

/** Names of the path of what an event is about, from the root on; `undefined` as long as they are not known. */
export function pathTextOf(event: ChangeEntry, { paths, measurements }: KnownNames): string | undefined {
  const { part, characteristic, measurement } = viewOf(event).about?.(event.payload) ?? {};
  const uuid = characteristic ?? part ?? measurements.get(measurement ?? '')?.partUuid;
  const path = paths.get(uuid ?? '');
  return path === undefined ? undefined : namesOf(path).join(' / ') || '/';
}
