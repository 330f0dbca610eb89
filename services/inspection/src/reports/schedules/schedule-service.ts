import { randomBytes, randomUUID } from 'node:crypto';
import { userKeyOf, type Principal } from '@sinebar/access-control';
import { invalidField, ServiceError, type ReportRun, type ReportSchedule } from '@sinebar/contracts';
import type { Database, Session, WriteSession } from '@sinebar/database';
import { requireReceiver, type ReceiverLimits } from '../../alarms/telling/receiver-rights.ts';
import type { SubscriptionOwners } from '../../alarms/telling/subscription-owners.ts';
import { ownerFilter } from '../../alarms/telling/subscription-service.ts';
import { deleteUnusedOwner, unmarkedPath, writeOwner, type StoredReceiver } from '../../alarms/telling/subscription-store.ts';
import { readPlantSettings } from '../../evaluation/settings/settings-service.ts';
import type { HideUsers } from '../../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import type { Caller } from '../../shared/request-context.ts';
import type { ReportTemplates } from '../report-templates.ts';
import type { ScheduleBody } from './schedule-body.ts';
import { insertRun } from './schedule-queue.ts';
import {
  countSchedules,
  deleteSchedule,
  insertSchedule,
  lockSchedule,
  readRuns,
  readSchedules,
  readScheduleSecret,
  updateSchedule,
  writeScheduleSecret,
  type Schedule,
  type StoredRun,
  type WrittenSchedule,
} from './schedule-store.ts';
import { nextTime } from './schedule-times.ts';

export interface ScheduleDependencies {
  database: Database;
  owners: SubscriptionOwners;
  receivers: ReceiverLimits;
  templates: ReportTemplates;
  hide: HideUsers;
  now: () => Date;
  /** Called when a report is due. */
  onDue: () => void;
}

/** Most schedules of a user. */
const MAX_SCHEDULES = 100;
const SECRET_BYTES = 32;

/** Schedules of reports: own ones, and with `policy:write` those of all users. spec: decisions.md 13.7 */
export class ScheduleService {
  private readonly deps: ScheduleDependencies;

  constructor(deps: ScheduleDependencies) {
    this.deps = deps;
  }

  list(caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => {
      const schedules = await readSchedules(session, { owner: ownerFilter(caller.principal) });
      return withEtag(JSON.stringify(schedules.map((schedule) => this.answerOf(schedule, caller.principal))));
    });
  }

  /** @throws ServiceError 404 */
  read(uuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => this.textOf(await findSchedule(session, uuid, caller.principal), caller));
  }

  /**
   * Makes a schedule of the caller. @returns it with the secret of its webhooks
   * @throws ServiceError 400, 403 for a receiver; 404 for the template or the part; 409 for a uuid that exists
   */
  async create({ uuid = randomUUID(), ...body }: ScheduleBody, caller: Caller): Promise<TextWithEtag> {
    const { owners, now, database } = this.deps;
    const { principal } = caller;
    await this.requireTemplate(body);
    this.requireReceivers(principal, body);
    const owner = owners.ownerOf(principal);
    return database.write(caller, async (session) => {
      if ((await countSchedules(session, owner.userKey)) >= MAX_SCHEDULES)
        throw new ServiceError('InvalidRequest', `There are ${MAX_SCHEDULES} own schedules already. Delete one first.`);
      const written = { ...(await this.resolve(session, uuid, body, principal)), owner: owner.userKey, createdAt: now() };
      if (!(await insertSchedule(session, written))) throw new ServiceError('AlreadyExists', `There is a schedule ${uuid} already.`);
      await writeOwner(session, owner);
      const secret = await keepSecret(session, uuid, body);
      return this.textOf(await findSchedule(session, uuid, principal), caller, secret);
    });
  }

  /** Replaces everything but the user. @returns it with its secret, if it has a new one. @throws ServiceError as `create`; 404, 412 */
  async update(uuid: string, body: ScheduleBody, caller: Caller): Promise<TextWithEtag> {
    await this.requireTemplate(body);
    return this.change(uuid, caller, async (session, before) => {
      // Reports are made with the rights of the user, whoever changes the schedule.
      const found = this.deps.owners.principalOf(before.owner);
      if (!('principal' in found))
        throw new ServiceError('Conflict', 'The user of this schedule cannot sign in any more. Delete it, and make one of your own.');
      this.requireReceivers(found.principal, body);
      await updateSchedule(session, await this.resolve(session, uuid, body, found.principal));
      const secret = await keepSecret(session, uuid, body);
      if (before.owner.userKey === userKeyOf(caller.principal)) await writeOwner(session, this.deps.owners.ownerOf(caller.principal));
      return this.textOf(await findSchedule(session, uuid, caller.principal), caller, secret);
    });
  }

  /** @throws ServiceError 404, 412 */
  delete(uuid: string, caller: Caller): Promise<void> {
    return this.change(uuid, caller, async (session, { owner }) => {
      await deleteSchedule(session, uuid);
      await deleteUnusedOwner(session, owner.userKey);
    });
  }

  /** Makes a report now, besides those of the times of the schedule. @returns the uuid of its run. @throws ServiceError 404 */
  async run(uuid: string, caller: Caller): Promise<string> {
    const run = await this.deps.database.write(caller, async (session) => {
      await findSchedule(session, uuid, caller.principal);
      const now = this.deps.now();
      // The job takes it over at once.
      return insertRun(session, { uuid: randomUUID(), scheduleUuid: uuid, due: now, reportUuid: randomUUID(), tries: 0 }, now, now);
    });
    if (!run) throw new ServiceError('Conflict', 'A report of this schedule was begun at this very moment. Try again.');
    this.deps.onDue();
    return run.uuid;
  }

  /** Lists what the schedule made, the newest first. @throws ServiceError 404 */
  runs(uuid: string, limit: number, caller: Caller): Promise<ReportRun[]> {
    return this.deps.database.read(caller, async (session) => {
      await findSchedule(session, uuid, caller.principal);
      return (await readRuns(session, uuid, limit)).map((run) => runAnswer(uuid, run));
    });
  }

  private change<T>(uuid: string, caller: Caller, act: (session: WriteSession, before: Schedule) => Promise<T>): Promise<T> {
    return this.deps.database.write(caller, async (session) => {
      await lockSchedule(session, uuid);
      const before = await findSchedule(session, uuid, caller.principal);
      requireMatch(caller.ifMatch, this.textOf(before, caller).etag, `The schedule ${uuid}`);
      return act(session, before);
    });
  }

  /** @throws ServiceError 400, 404 */
  private async requireTemplate({ template: name }: ScheduleBody): Promise<void> {
    const { template } = await this.deps.templates.load(name);
    if (template.for === 'measurement') {
      throw invalidField('template', `${name} is about one measurement; choose one that is about a part or its characteristics`);
    }
  }

  /** @throws ServiceError 400, 403 */
  private requireReceivers(owner: Principal, { receivers }: ScheduleBody): void {
    for (const [i, receiver] of receivers.entries()) requireReceiver(owner, receiver, this.deps.receivers, `receivers[${i}]`);
  }

  /** @throws ServiceError 404 for a part that is not there, or that the owner may not know */
  private async resolve(
    session: Session,
    uuid: string,
    { name, selection, receivers, template, language, options, days, when, enabled }: ScheduleBody,
    owner: Principal,
  ): Promise<Omit<WrittenSchedule, 'owner' | 'createdAt'>> {
    const { partUuid, characteristicUuids } = selection;
    const [part] = await session.query<{ path: string }>(`SELECT path FROM plan_item WHERE uuid = $1 AND kind = 'part'`, [partUuid]);
    const readable = owner.scopeOf('measurement:read');
    const mayKnow = (path: string) => readable.includes(path) || readable.prefixes.some((prefix) => prefix.startsWith(path));
    if (!part || !mayKnow(part.path))
      throw new ServiceError('NotFound', `There is no part ${partUuid} whose measurements the user may read.`);
    const zone = when.zone ?? (await readPlantSettings(session)).zone;
    return {
      uuid,
      name,
      partUuid,
      content: {
        template,
        characteristicUuids,
        language,
        options,
        days,
        when,
        receivers: receivers.map((receiver): StoredReceiver =>
          receiver.kind === 'email' ? receiver : { kind: 'webhook', shape: receiver.shape, url: new URL(receiver.url).href },
        ),
        enabled,
      },
      nextAt: enabled ? (nextTime({ cron: when.cron, zone }, this.deps.now()) ?? null) : null,
    };
  }

  private textOf(schedule: Schedule, { principal }: Caller, secret?: string): TextWithEtag {
    const answer = this.answerOf(schedule, principal);
    const { etag } = withEtag(JSON.stringify(answer));
    return { text: JSON.stringify({ ...answer, ...(secret !== undefined && { secret }) }), etag };
  }

  private answerOf({ uuid, name, partUuid, markedPath, content, owner, createdAt, nextAt }: Schedule, reader: Principal): ReportSchedule {
    const { template, characteristicUuids, language, options, days, when, receivers, enabled } = content;
    const rights = this.deps.owners.principalOf(owner);
    const paused = 'paused' in rights ? rights.paused : markedPath === null ? 'part' : undefined;
    const answer: ReportSchedule = {
      uuid,
      name,
      template,
      selection: { partUuid, ...(characteristicUuids && { characteristicUuids }) },
      ...(markedPath !== null && { partPath: unmarkedPath(markedPath) }),
      language,
      ...(options && { options }),
      ...(days !== undefined && { days }),
      when,
      receivers,
      enabled,
      ...(nextAt && { next: nextAt.toISOString() }),
      own: owner.userKey === userKeyOf(reader),
      ...(owner.name !== '' && { user: owner.name }),
      time: createdAt.toISOString(),
      ...(paused !== undefined && { paused }),
    };
    return this.deps.hide(answer, reader);
  }
}

/** Finds a schedule that somebody may see and change. @throws ServiceError 404 */
async function findSchedule(session: Session, uuid: string, reader: Principal): Promise<Schedule> {
  const [found] = await readSchedules(session, { uuid, owner: ownerFilter(reader) });
  if (found) return found;
  throw new ServiceError('NotFound', `There is no schedule ${uuid}.`);
}

/** Stores the secret of webhooks. @returns it where it is new */
async function keepSecret(session: WriteSession, uuid: string, { receivers, secret: written }: ScheduleBody): Promise<string | undefined> {
  if (!receivers.some(({ kind }) => kind === 'webhook')) return undefined;
  if (written === undefined && (await readScheduleSecret(session, uuid)) !== undefined) return undefined;
  const secret = written ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  await writeScheduleSecret(session, uuid, secret);
  return secret;
}

function runAnswer(scheduleUuid: string, run: StoredRun): ReportRun {
  const { uuid, due, state, reason, reportUuid, whole, started, finished, sent } = run;
  return {
    uuid,
    scheduleUuid,
    due: due.toISOString(),
    state,
    ...(reason !== '' && { reason }),
    ...(state === 'done' && { reportUuid }),
    ...(whole !== null && { whole }),
    started: started.toISOString(),
    ...(finished && { finished: finished.toISOString() }),
    sent: sent.map(({ receiver, state: sendingState, tries, lastTry, nextTry, finished: sentAt, answer }) => ({
      receiver: receiver.kind === 'email' ? { kind: 'email', to: receiver.address } : { kind: 'webhook', to: new URL(receiver.url).origin },
      state: sendingState,
      tries,
      ...(lastTry !== null && { lastTry: new Date(lastTry).toISOString() }),
      ...(sentAt === null && { nextTry: new Date(nextTry).toISOString() }),
      ...(answer !== '' && { answer }),
    })),
  };
}
