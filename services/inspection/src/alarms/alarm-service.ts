import type { PathScope } from '@sinebar/access-control';
import { ServiceError, type Alarm, type AlarmCount, type AlarmState, type ChangedAlarms, type PendingChange } from '@sinebar/contracts';
import type { Database, Session, WriteSession } from '@sinebar/database';
import { findNotedItem } from '../notes/note-store.ts';
import { readEntryText } from '../notes/entry-texts.ts';
import type { HideUsers } from '../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../shared/answers/text-etag.ts';
import { sharePlan } from '../shared/plan-lock.ts';
import type { Caller } from '../shared/request-context.ts';
import type { AlarmContent, ManyAlarms } from './alarm-body.ts';
import { alarmChange, alarmChanges, type AnnouncedAlarm } from './alarm-events.ts';
import { writeCauseNote } from './cause-note.ts';
import {
  countAlarms,
  findAlarms,
  findOpenAlarm,
  isJudgingPending,
  lockAlarms,
  readAlarms,
  readPointMeasurements,
  readSteps,
  writeAlarm,
  type AlarmPage,
  type AlarmSelection,
  type StoredAlarm,
} from './alarm-store.ts';

export interface AlarmDependencies {
  database: Database;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** States that a person may give to an alarm in this state. */
const NEXT: Readonly<Record<AlarmState, readonly AlarmContent['state'][]>> = {
  raised: ['raised', 'acknowledged', 'closed'],
  acknowledged: ['acknowledged', 'closed'],
  closed: ['closed', 'acknowledged'],
  withdrawn: [],
};

/** Reads alarms, and changes what people say about them; each change is one transaction under the shared plan lock. */
export class AlarmService {
  private readonly deps: AlarmDependencies;

  constructor(deps: AlarmDependencies) {
    this.deps = deps;
  }

  /**
   * Lists alarms, the newest first, of the parts whose measurements the caller may read.
   * @throws ServiceError 403, 404 for a named item
   */
  list(page: AlarmPage, caller: Caller): Promise<TextWithEtag> {
    return this.select(page, caller, async (session, readable) => {
      const alarms = await readAlarms(session, readable, page);
      return alarms.map((alarm) => this.deps.hide(alarm, caller.principal));
    });
  }

  /** Counts the alarms that `list` gives, and says whether more may come of what is stored. @throws ServiceError as `list` */
  count(selection: AlarmSelection, caller: Caller): Promise<TextWithEtag> {
    return this.select(selection, caller, async (session, readable): Promise<AlarmCount> => {
      const isPending = await isJudgingPending(session, readable, selection);
      return { count: await countAlarms(session, readable, selection), ...(isPending && { pending: true }) };
    });
  }

  /** @throws ServiceError 403, 404 */
  read(uuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.snapshot(caller, async (session) => {
      const stored = await readStored(session, uuid);
      requireRight(stored, caller.principal.scopeOf('measurement:read'), 'read');
      return this.textOf(session, stored, caller);
    });
  }

  /**
   * Changes the state of an alarm, its cause, action and note; a change that says nothing new changes nothing.
   * A cause is also written as a note about the characteristic.
   * @throws ServiceError 400 for an unknown cause or action; 403, 404; 409 for a state that does not follow; 412. spec: decisions.md 12.3
   */
  update(uuid: string, content: AlarmContent, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.write(caller, async (session) => {
      await sharePlan(session);
      await lockAlarms(session, [uuid]);
      const stored = await readStored(session, uuid);
      requireRight(stored, caller.principal.scopeOf('note:write'), 'change');
      const before = await this.textOf(session, stored, caller);
      requireMatch(caller.ifMatch, before.etag, `The alarm ${uuid}`);
      const problem = await findProblem(session, stored, content.state);
      if (problem !== undefined) throw new ServiceError('Conflict', problem);
      const changes = await this.write(session, stored, content, caller);
      if (changes === undefined) return before;
      session.announce([alarmChange('AlarmChanged', changes.alarm), ...changes.notes]);
      return this.textOf(session, await readStored(session, uuid), caller);
    });
  }

  /**
   * Changes many alarms in one transaction: those that are in the state in which the caller saw them; the others are refused one by one.
   * Cause, action and note that are not said stay as they are.
   * @throws ServiceError 400 for an unknown cause or action. spec: decisions.md 12.3
   */
  updateMany({ alarms, ...said }: ManyAlarms, caller: Caller): Promise<ChangedAlarms> {
    const writable = caller.principal.scopeOf('note:write');
    const readable = caller.principal.scopeOf('measurement:read');
    return this.deps.database.write(caller, async (session) => {
      await sharePlan(session);
      const uuids = alarms.map(({ uuid }) => uuid);
      await lockAlarms(session, uuids);
      const found = await findAlarms(session, uuids);
      const answer: ChangedAlarms = { changed: [], refused: [] };
      const events = new Map<string, AnnouncedAlarm[]>();
      const notes: PendingChange[] = [];
      for (const { uuid, was } of alarms) {
        const stored = found.get(uuid);
        const problem = await findRefusal(session, stored, { uuid, was, state: said.state, writable });
        if (stored === undefined || problem !== undefined) {
          const isShown = stored !== undefined && stored.alarm.state !== was && readable.includes(stored.part.path);
          answer.refused.push({
            uuid,
            message: problem ?? missing(uuid),
            ...(isShown && { alarm: this.deps.hide(stored.alarm, caller.principal) }),
          });
          continue;
        }
        const { cause, action, note } = stored.alarm;
        const changes = await this.write(session, stored, { cause, action, note, ...said }, caller);
        answer.changed.push(uuid);
        if (changes === undefined) continue;
        events.set(stored.part.uuid, [...(events.get(stored.part.uuid) ?? []), changes.alarm]);
        notes.push(...changes.notes);
      }
      session.announce([...[...events.values()].flatMap((some) => alarmChanges('AlarmChanged', some)), ...notes]);
      return answer;
    });
  }

  /** Writes what a person says about an alarm. @returns `undefined` when it says nothing new */
  private async write(session: WriteSession, stored: StoredAlarm, content: AlarmContent, { principal }: Caller) {
    const { alarm, part } = stored;
    const { state, cause, action, note = '' } = content;
    const isSaid = cause === alarm.cause && action === alarm.action && note === (alarm.note ?? '');
    if (state === alarm.state && isSaid) return undefined;
    const written = {
      state,
      ...(await readEntries(session, alarm, content)),
      note,
      user: principal.name,
      at: this.deps.now(),
      isNewState: state !== alarm.state,
    };
    await writeAlarm(session, stored.id, written);
    const announced: AnnouncedAlarm = {
      uuid: alarm.uuid,
      part,
      characteristicUuid: alarm.characteristicUuid,
      Kind: alarm.kind,
      State: state,
    };
    return { alarm: announced, notes: await writeCauseNote(session, stored, written) };
  }

  private select(
    { partUuid, characteristicUuid }: AlarmSelection,
    caller: Caller,
    answer: (session: Session, readable: PathScope) => Promise<unknown>,
  ): Promise<TextWithEtag> {
    const readable = caller.principal.scopeOf('measurement:read');
    return this.deps.database.snapshot(caller, async (session) => {
      if (partUuid !== undefined) await requireReadable(session, 'part', partUuid, readable);
      if (characteristicUuid !== undefined) await requireReadable(session, 'characteristic', characteristicUuid, readable);
      return withEtag(JSON.stringify(await answer(session, readable)));
    });
  }

  private async textOf(session: Session, { id, alarm }: StoredAlarm, { principal }: Caller): Promise<TextWithEtag> {
    const steps = await readSteps(session, id);
    const measurementUuids = await readPointMeasurements(session, id);
    const shown = { ...this.deps.hide(alarm, principal), measurementUuids, steps: steps.map((step) => this.deps.hide(step, principal)) };
    return withEtag(JSON.stringify(shown));
  }
}

async function readStored(session: Session, uuid: string): Promise<StoredAlarm> {
  const stored = (await findAlarms(session, [uuid])).get(uuid);
  if (!stored) throw new ServiceError('NotFound', missing(uuid));
  return stored;
}

const missing = (uuid: string) => `There is no alarm ${uuid}.`;
const forbidden = ({ alarm }: StoredAlarm, act: 'read' | 'change') => `You may not ${act} alarms of the part ${alarm.partUuid}.`;

function requireRight(stored: StoredAlarm, scope: PathScope, act: 'read' | 'change'): void {
  if (!scope.includes(stored.part.path)) throw new ServiceError('Forbidden', forbidden(stored, act));
}

async function requireReadable(session: Session, kind: 'part' | 'characteristic', uuid: string, readable: PathScope): Promise<void> {
  const item = await findNotedItem(session, { kind, uuid });
  if (!item) throw new ServiceError('NotFound', `There is no ${kind} ${uuid}.`);
  if (!readable.includes(item.partPath)) throw new ServiceError('Forbidden', `You may not read alarms of the ${kind} ${uuid}.`);
}

/** Finds why an alarm among many is not changed. */
async function findRefusal(
  session: Session,
  stored: StoredAlarm | undefined,
  { uuid, was, state, writable }: { uuid: string; was: AlarmState; state: AlarmContent['state']; writable: PathScope },
): Promise<string | undefined> {
  if (stored === undefined) return missing(uuid);
  if (!writable.includes(stored.part.path)) return forbidden(stored, 'change');
  if (stored.alarm.state !== was) return `The alarm ${uuid} is ${stored.alarm.state} by now, no longer ${was}.`;
  return findProblem(session, stored, state);
}

/** Finds why an alarm cannot get a state: it does not follow, or another alarm about the same is open. */
async function findProblem(session: Session, stored: StoredAlarm, wanted: AlarmContent['state']): Promise<string | undefined> {
  const { uuid, state } = stored.alarm;
  if (state === 'withdrawn') return `The alarm ${uuid} was withdrawn: the values that raised it no longer count. It cannot be changed.`;
  if (!NEXT[state].includes(wanted)) {
    return `The alarm ${uuid} is ${state} and cannot become ${wanted}; it can be ${NEXT[state].join(' or ')}.`;
  }
  if (state !== 'closed' || wanted === 'closed') return undefined;
  const open = await findOpenAlarm(session, stored);
  return open === undefined ? undefined : `The alarm ${uuid} cannot be opened again: the alarm ${open} about the same is open.`;
}

/** Reads the texts of cause and action; those that the alarm has already stay as they were. @throws ServiceError 400 */
async function readEntries(session: Session, alarm: Alarm, { cause, action }: AlarmContent) {
  const text = async (member: 'cause' | 'action', key: number | undefined) => {
    if (key === undefined) return undefined;
    const known = alarm[`${member}Text`];
    return key === alarm[member] && known !== undefined ? known : readEntryText(session, member, key);
  };
  return { cause, causeText: await text('cause', cause), action, actionText: await text('action', action) };
}
