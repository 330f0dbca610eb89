import type { Principal } from '@sinebar/access-control';
import type { ImportedAlarms } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import { sharePlan } from '../../shared/plan-lock.ts';
import type { Caller } from '../../shared/request-context.ts';
import { alarmChanges, type AnnouncedAlarm } from '../alarm-events.ts';
import { findAlarms, lockAlarms } from '../alarm-store.ts';
import type { AlarmImport, ImportedAlarm } from './imported-alarm-body.ts';
import {
  deleteAlarmsById,
  findMeasurements,
  findNamedItems,
  findReplaceable,
  findSameAlarm,
  insertAlarm,
  type NamedItem,
} from './imported-alarm-store.ts';

type Refusals = ImportedAlarms['refused'];

/** Stores alarms of another server as they are; nobody is told of them. spec: decisions.md 12.13 */
export class AlarmImportService {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Replaces alarms that the values of an import have raised, and stores those that this server lacks, in one transaction. */
  store({ alarms, replaces }: AlarmImport, caller: Caller): Promise<ImportedAlarms> {
    return this.database.write(caller, async (session) => {
      await sharePlan(session);
      const refused: Refusals = [];
      const changed = new Map<string, AnnouncedAlarm[]>();
      const announce = (alarm: AnnouncedAlarm) => changed.set(alarm.part.uuid, [...(changed.get(alarm.part.uuid) ?? []), alarm]);
      const replaced = await this.replace(session, replaces, caller, { refused, announce });
      const created = await this.create(session, alarms, caller, { refused, announce });
      session.announce([...changed.values()].flatMap((some) => alarmChanges('AlarmChanged', some)));
      return { created, replaced, refused };
    });
  }

  private async replace(session: WriteSession, uuids: readonly string[], { principal }: Caller, { refused, announce }: Outcome) {
    if (uuids.length === 0) return [];
    await lockAlarms(session, uuids);
    const found = await findAlarms(session, uuids);
    const replaceable = await findReplaceable(session, uuids, principal.name);
    const writable = principal.scopeOf('measurement:write');
    const replaced: string[] = [];
    for (const [uuid, { part, alarm }] of found) {
      if (!replaceable.has(uuid) || !writable.includes(part.path)) {
        refused.push({
          uuid,
          message: `The alarm ${uuid} stays: only alarms of own planned stops about which nobody has said anything are replaced.`,
        });
        continue;
      }
      replaced.push(uuid);
      announce({ uuid, part, characteristicUuid: alarm.characteristicUuid, Kind: alarm.kind, State: 'withdrawn' });
    }
    await deleteAlarmsById(
      session,
      replaced.map((uuid) => found.get(uuid)!.id),
    );
    return replaced;
  }

  private async create(session: WriteSession, alarms: readonly ImportedAlarm[], { principal }: Caller, { refused, announce }: Outcome) {
    const known = await findAlarms(
      session,
      alarms.map(({ uuid }) => uuid),
    );
    const named = alarms.flatMap(({ partUuid, characteristicUuid = partUuid }) => [partUuid, characteristicUuid]);
    const items = await findNamedItems(session, [...new Set(named)]);
    const created = new Set<string>();
    for (const alarm of alarms) {
      const { uuid, partUuid, characteristicUuid } = alarm;
      if (known.has(uuid) || created.has(uuid)) continue;
      const found = foundItems(alarm, items, principal);
      const problem = 'problem' in found ? found.problem : await storeAlarm(session, withNames(alarm, principal), found, principal);
      if (problem !== undefined) {
        refused.push({ uuid, message: problem });
        continue;
      }
      created.add(uuid);
      announce({ uuid, part: items.get(partUuid)!, characteristicUuid, Kind: alarm.kind, State: alarm.state });
    }
    return [...created];
  }
}

interface Outcome {
  refused: Refusals;
  announce: (alarm: AnnouncedAlarm) => void;
}

interface FoundItems {
  part: NamedItem;
  characteristic: NamedItem | undefined;
}

/** Finds what an alarm is about. @returns why it cannot be stored instead, if so */
function foundItems(
  { partUuid, characteristicUuid }: ImportedAlarm,
  items: ReadonlyMap<string, NamedItem>,
  caller: Principal,
): FoundItems | { problem: string } {
  const part = items.get(partUuid);
  if (part?.kind !== 'part') return { problem: `There is no part ${partUuid}.` };
  if (!caller.scopeOf('measurement:write').includes(part.path)) return { problem: `You may not write alarms of the part ${partUuid}.` };
  const characteristic = characteristicUuid === undefined ? undefined : items.get(characteristicUuid);
  const isOfPart = characteristic?.kind === 'characteristic' && characteristic.partId === part.id;
  return characteristicUuid === undefined || isOfPart
    ? { part, characteristic }
    : { problem: `There is no characteristic ${characteristicUuid} of the part ${partUuid}.` };
}

/** Stores an alarm with its points. @returns why it was not stored, if so */
async function storeAlarm(
  session: WriteSession,
  alarm: ImportedAlarm,
  { part, characteristic }: FoundItems,
  caller: Principal,
): Promise<string | undefined> {
  const { uuid, measurementUuid, measurementUuids } = alarm;
  const newest = measurementUuid === undefined ? [] : [measurementUuid];
  const measurements = await findMeasurements(session, part.id, [...measurementUuids, ...newest]);
  const resolved = {
    alarm,
    partId: part.id,
    characteristicId: characteristic?.id ?? null,
    newestId: measurements.get(measurementUuid ?? '') ?? null,
    pointIds: characteristic ? [...new Set(measurementUuids)].flatMap((one) => measurements.get(one) ?? []) : [],
  };
  const same = await findSameAlarm(session, resolved);
  if (same === undefined) return (await insertAlarm(session, resolved)) ? undefined : `The alarm ${uuid} was stored by another request.`;
  const isShown = caller.scopeOf('measurement:read').includes(part.path);
  return `An alarm of this server is about the same${isShown ? `: ${same}` : ''}.`;
}

/** Lets only somebody who administers users say what others have done; else all of it was done by the caller. */
function withNames(alarm: ImportedAlarm, caller: Principal): ImportedAlarm {
  if (caller.holds('policy:write')) return alarm;
  const { name } = caller;
  return {
    ...alarm,
    ...(alarm.user !== undefined && { user: name }),
    ...(alarm.modifiedBy !== undefined && { modifiedBy: name }),
    steps: alarm.steps.map((step) => ({ ...step, ...(step.user !== undefined && { user: name }) })),
  };
}
