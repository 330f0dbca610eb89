import type { Principal } from '@sinebar/access-control';
import {
  invalidField,
  ServiceError,
  type Evaluation,
  type EvaluationExclusion,
  type EvaluationHistory,
  type EvaluationList,
  type EvaluationState,
  type PendingChange,
} from '@sinebar/contracts';
import type { Database, Session, WriteSession } from '@sinebar/database';
import type { PlanItemKind } from '@sinebar/query-language';
import { assessBelow, assessItems, markPartsOfMeasurements } from '../shared/figure-changes.ts';
import type { PlanWrites } from '../shared/plan-lock.ts';
import type { Caller } from '../shared/request-context.ts';
import type { HideUsers } from '../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../shared/answers/text-etag.ts';
import { effectiveEvaluation, evaluationOfAttributes, isCounting, type EvaluationDefaults } from './effective-evaluation.ts';
import type { EvaluationBody, SentExclusion } from './evaluation-body.ts';
import {
  EvaluationStore,
  findEvaluatedItem,
  findMeasurements,
  readExclusions,
  readHistory,
  readLevels,
  readOwnStates,
  type EvaluatedItem,
  type StoredExclusion,
} from './evaluation-store.ts';

export interface EvaluationDependencies {
  database: Database;
  writes: PlanWrites;
  /** What the server says where no level does. */
  defaults: (session: Session) => Promise<EvaluationDefaults>;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** An evaluation with what a change needs to know. */
interface ReadEvaluation extends TextWithEtag {
  item: EvaluatedItem;
  ownExclusions: StoredExclusion[];
}

/** Reads and changes how characteristics are evaluated; each change is one transaction under the plan lock. */
export class EvaluationService {
  private readonly deps: EvaluationDependencies;

  constructor(deps: EvaluationDependencies) {
    this.deps = deps;
  }

  /** Reads the effective evaluation. @throws ServiceError 403, 404 */
  read(kind: PlanItemKind, uuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.snapshot(caller, (session) => this.readIn(session, kind, uuid, caller.principal, 'plan:read'));
  }

  /** Reads the changes of the own state, the newest first. @throws ServiceError 403, 404 */
  history(kind: PlanItemKind, uuid: string, caller: Caller): Promise<EvaluationHistory> {
    const { database, hide } = this.deps;
    const { principal } = caller;
    return database.snapshot(caller, async (session) => {
      const changes = await readHistory(session, (await findItem(session, kind, uuid, principal, 'plan:read')).id);
      return changes.map(({ state, ...change }) => ({
        ...hide(change, principal),
        ...(state && { state: this.shownState(state, principal) }),
      }));
    });
  }

  /** Reads the own states at and below a part, parents before children. @throws ServiceError 403, 404 */
  list(partUuid: string, caller: Caller): Promise<EvaluationList> {
    return this.deps.database.snapshot(caller, async (session) => {
      const { path } = await findItem(session, 'part', partUuid, caller.principal, 'plan:read');
      const items = await readOwnStates(session, path, caller.principal.scopeOf('plan:read'));
      return items.map(({ state, ...item }) => ({ ...item, state: this.shownState(state, caller.principal) }));
    });
  }

  /**
   * Replaces the own state. Exclusions that the item has keep their user and time.
   * @returns the validator of the new state
   * @throws ServiceError 400 for a measurement that does not belong to the item; 403, 404, 412
   */
  put(kind: PlanItemKind, uuid: string, body: EvaluationBody, caller: Caller): Promise<string> {
    const { state, reason } = body;
    return this.change(kind, uuid, caller, reason, async (session, item, known) => {
      const exclusions = await this.exclusions(session, item, known, body.exclusions, caller.principal.name);
      const listed = exclusions.map(shownExclusion);
      const own: EvaluationState = { ...state, ...(listed.length > 0 && { exclusions: listed }) };
      return {
        own,
        excluded: exclusions.map(({ measurementId }) => measurementId),
        write: async (store, revision) => {
          await store.put(item.id, revision, state);
          await store.putExclusions(item.id, exclusions);
        },
      };
    });
  }

  /** Removes the own state and keeps its history. @returns the validator of the state afterwards. @throws ServiceError 403, 404, 412 */
  delete(kind: PlanItemKind, uuid: string, reason: string, caller: Caller): Promise<string> {
    return this.change(kind, uuid, caller, reason, (_session, item) =>
      Promise.resolve({ own: undefined, excluded: [], write: (store) => store.delete(item.id) }),
    );
  }

  private change(
    kind: PlanItemKind,
    uuid: string,
    caller: Caller,
    reason: string,
    prepare: (
      session: WriteSession,
      item: EvaluatedItem,
      known: readonly StoredExclusion[],
    ) => Promise<{
      own: EvaluationState | undefined;
      excluded: readonly string[];
      write: (store: EvaluationStore, revision: number) => Promise<void>;
    }>,
  ): Promise<string> {
    const { principal, ifMatch } = caller;
    return this.deps.writes.write(caller, async (session) => {
      const { item, etag, ownExclusions } = await this.readIn(session, kind, uuid, principal, 'plan:write');
      requireMatch(ifMatch, etag, `The evaluation of the ${kind} ${uuid}`);
      const { own, excluded, write } = await prepare(session, item, ownExclusions);
      const store = new EvaluationStore(session);
      const revision = (await store.lastRevision(item.id)) + 1;
      await markPartsOfMeasurements(session, changedExclusions(ownExclusions, excluded));
      await write(store, revision);
      if (kind === 'part') await assessBelow(session, [item.path], []);
      else await assessItems(session, [item.id]);
      await store.addHistory(item.id, { revision, at: this.deps.now(), user: principal.name, reason, state: own });
      const after = await this.readIn(session, kind, uuid, principal, 'plan:write');
      session.announce([evaluationModified(item)]);
      return after.etag;
    });
  }

  private async readIn(
    session: Session,
    kind: PlanItemKind,
    uuid: string,
    principal: Principal,
    right: 'plan:read' | 'plan:write',
  ): Promise<ReadEvaluation> {
    const item = await findItem(session, kind, uuid, principal, right);
    const levels = await readLevels(session, item.path);
    const { members, sources } = effectiveEvaluation(
      levels,
      kind === 'characteristic' ? evaluationOfAttributes(item.numbers) : {},
      await this.deps.defaults(session),
      kind === 'characteristic' ? isCounting(item.numbers) : undefined,
    );
    const readable = principal.scopeOf('plan:read');
    const shown = new Set(levels.filter(({ path }) => readable.includes(path)).map((level) => level.uuid));
    for (const source of Object.values(sources)) if (source.uuid !== undefined && !shown.has(source.uuid)) delete source.uuid;
    const exclusions = await readExclusions(session, item);
    const shownExclusions = (list: readonly StoredExclusion[]) => list.map((one) => this.deps.hide(shownExclusion(one), principal));
    const ownExclusions = exclusions.filter(({ itemId }) => itemId === item.id);
    const own = levels.find((level) => level.uuid === item.uuid);
    const evaluation: Evaluation = {
      ...members,
      exclusions: shownExclusions(exclusions),
      sources,
      own: { ...own?.state, ...(ownExclusions.length > 0 && { exclusions: shownExclusions(ownExclusions) }) },
      revision: own?.revision ?? 0,
    };
    return { item, ownExclusions, ...withEtag(JSON.stringify(evaluation)) };
  }

  private shownState({ exclusions, ...state }: EvaluationState, reader: Principal): EvaluationState {
    return { ...state, ...(exclusions && { exclusions: exclusions.map((exclusion) => this.deps.hide(exclusion, reader)) }) };
  }

  private async exclusions(
    session: Session,
    { kind, uuid, path, partId }: EvaluatedItem,
    known: readonly StoredExclusion[],
    sent: readonly SentExclusion[],
    user: string,
  ): Promise<Omit<StoredExclusion, 'itemId'>[]> {
    const before = new Map(known.map((exclusion) => [exclusion.measurementUuid, exclusion]));
    const added = sent.map(({ measurementUuid }) => measurementUuid).filter((measurementUuid) => !before.has(measurementUuid));
    const found = new Map((await findMeasurements(session, added)).map((measurement) => [measurement.uuid, measurement]));
    const time = this.deps.now().toISOString();
    return sent.map(({ measurementUuid, reason }, index) => {
      const stored = before.get(measurementUuid);
      if (stored) return { ...stored, reason };
      const measurement = found.get(measurementUuid);
      const isOfItem = kind === 'characteristic' ? measurement?.partId === partId : measurement?.partPath.startsWith(path);
      if (!measurement || isOfItem !== true) {
        const where = kind === 'characteristic' ? `the part of the characteristic ${uuid}` : `the part ${uuid} or below it`;
        throw invalidField(`exclusions[${index}].measurementUuid`, `There is no measurement ${measurementUuid} of ${where}.`);
      }
      return { measurementId: measurement.id, measurementUuid, reason, ...(user !== '' && { user }), time };
    });
  }
}

/** Ids of measurements that are newly left out, or no longer. */
function changedExclusions(before: readonly StoredExclusion[], after: readonly string[]): string[] {
  const [known, sent] = [new Set(before.map(({ measurementId }) => measurementId)), new Set(after)];
  return [...[...known].filter((id) => !sent.has(id)), ...[...sent].filter((id) => !known.has(id))];
}

function shownExclusion({ measurementUuid, reason, user, time }: EvaluationExclusion) {
  return { measurementUuid, reason, ...(user !== undefined && { user }), time };
}

async function findItem(
  session: Session,
  kind: PlanItemKind,
  uuid: string,
  principal: Principal,
  right: 'plan:read' | 'plan:write',
): Promise<EvaluatedItem> {
  const item = await findEvaluatedItem(session, kind, uuid);
  if (!item) throw new ServiceError('NotFound', `There is no ${kind} ${uuid}.`);
  if (principal.scopeOf(right).includes(item.path)) return item;
  const act = right === 'plan:read' ? 'read' : 'change the evaluation of';
  throw new ServiceError('Forbidden', `You may not ${act} the ${kind} ${uuid}.`);
}

function evaluationModified({ kind, uuid, path, partUuid }: EvaluatedItem): PendingChange {
  return {
    type: 'EvaluationModified',
    subject: uuid,
    path,
    partUuid,
    events: [{ Entity: kind === 'part' ? 'Part' : 'Characteristic', Uuid: uuid }],
  };
}
