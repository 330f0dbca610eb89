import type { Principal } from '@sinebar/access-control';
import type { WorkOptions, WriteSession } from '@sinebar/database';
import type { PathElement, PlanItemKind } from '@sinebar/query-language';
import { checkAttributes, type OutdatedValue, type RawAttributes } from '../configuration/attribute-values.ts';
import type { ConfigurationReader } from '../configuration/configuration.ts';
import type { VersioningMode } from '../shared/versioning-mode.ts';
import { concerning } from './changes/item-names.ts';
import { createPlanItems } from './changes/plan-creation.ts';
import { clearPart, deletePlanItems, type DeletionContext, type ItemSelection } from './changes/plan-deletion.ts';
import type { MeasurementCascade } from './measurement-cascade.ts';
import { updatePlanItems } from './changes/plan-update.ts';
import type { PlanWrites } from '../shared/plan-lock.ts';

export interface CreationBody {
  uuid: string;
  path: readonly PathElement[];
  attributes?: RawAttributes | undefined;
  comment?: string | null | undefined;
}

export interface UpdateBody {
  uuid: string;
  path?: readonly PathElement[] | undefined;
  attributes?: RawAttributes | undefined;
  comment?: string | null | undefined;
}

export interface Caller extends WorkOptions {
  principal: Principal;
  /** Parameter `versioningEnabled`; used in versioning mode `client` only. */
  versioningEnabled?: boolean | undefined;
}

export interface PlanServiceDependencies {
  writes: PlanWrites;
  configurations: ConfigurationReader;
  measurements: MeasurementCascade;
  versioning: VersioningMode;
  /** Whether parts with measurements may be deleted, together with these. */
  deleteWithMeasurements: boolean;
  /** Called after a deletion, when values of deleted characteristics may have to be removed. */
  onDeleted: () => void;
  now: () => Date;
}

/** Changes the inspection plan; each request is one transaction under the plan lock. */
export class PlanService {
  private readonly deps: PlanServiceDependencies;

  constructor(deps: PlanServiceDependencies) {
    this.deps = deps;
  }

  async create(kind: PlanItemKind, items: readonly CreationBody[], caller: Caller): Promise<void> {
    if (items.length === 0) return;
    await this.change(caller, async (session, context) => {
      const configuration = await this.deps.configurations.read(session);
      const requests = items.map(({ uuid, path, attributes, comment }, i) => {
        const checked = checkAttributes(kind, attributes ?? {}, configuration, `[${i}]`, { about: concerning(kind, uuid, path) });
        return { uuid, path, attributes: checked, comment: comment ?? undefined };
      });
      await createPlanItems(session, kind, requests, context);
    });
  }

  async update(kind: PlanItemKind, items: readonly UpdateBody[], caller: Caller): Promise<void> {
    if (items.length === 0) return;
    await this.change(caller, async (session, context) => {
      const configuration = await this.deps.configurations.read(session);
      const updates = items.map(({ uuid, path, attributes, comment }, i) => {
        const outdated: OutdatedValue[] = [];
        const options = { about: concerning(kind, uuid, path), outdated: (value: OutdatedValue) => void outdated.push(value) };
        const checked = attributes && checkAttributes(kind, attributes, configuration, `[${i}]`, options);
        return { uuid, path, attributes: checked, outdated, comment: comment ?? undefined };
      });
      await updatePlanItems(session, kind, updates, context);
    });
  }

  async delete(kind: PlanItemKind, selection: ItemSelection, caller: Caller): Promise<void> {
    await this.change(caller, (session, context) => deletePlanItems(session, kind, selection, context));
    this.deps.onDeleted();
  }

  async clear(partUuid: string, keepSubParts: boolean, caller: Caller): Promise<void> {
    await this.change(caller, (session, context) => clearPart(session, partUuid, keepSubParts, context));
    this.deps.onDeleted();
  }

  private change(caller: Caller, work: (session: WriteSession, context: DeletionContext) => Promise<void>): Promise<void> {
    const { writes, measurements, versioning, deleteWithMeasurements: withMeasurements, now } = this.deps;
    return writes.write(caller, (session) => {
      const versioned = versioning === 'on' || (versioning === 'client' && caller.versioningEnabled === true);
      const { principal } = caller;
      const rights = {
        writable: principal.scopeOf('plan:write'),
        readable: principal.scopeOf('plan:read'),
        measurementsWritable: principal.scopeOf('measurement:write'),
      };
      return work(session, { ...rights, measurements, versioned, withMeasurements, at: now() });
    });
  }
}
