import type { Database, WriteSession } from '@sinebar/database';
import type { AttributePurgeJob } from '../../configuration/attribute-purge-job.ts';
import { CONFIGURATION_STATE, type ConfigurationReader } from '../../configuration/configuration.ts';
import type { MeasurementCascade } from '../../plan/measurement-cascade.ts';
import type { PlanWrites } from '../../shared/plan-lock.ts';
import type { VersioningMode } from '../../shared/versioning-mode.ts';
import type { ImportJob } from './import-request.ts';
import { findEarlier, notePlanned, type ImportedFile, type PlannedImport } from './import-store.ts';
import { applyDraft, draftImport, planAnswerOf, PurgePending, type ImportDraft, type ImportedFileContent } from './plan/import-draft.ts';

export interface ImportPlanningDependencies {
  database: Database;
  writes: PlanWrites;
  configurations: ConfigurationReader;
  purge: Pick<AttributePurgeJob, 'finish'>;
  measurements: MeasurementCascade;
  versioning: VersioningMode;
  now: () => Date;
}

/** The first transaction of an import: definitions, entries of catalogs, parts and characteristics. */
export class ImportPlanning {
  private readonly deps: ImportPlanningDependencies;

  constructor(deps: ImportPlanningDependencies) {
    this.deps = deps;
  }

  /** Finds what the server has, without a lock, and drafts what it lacks. @throws ServiceError 400, 403, 409 @throws CatalogsChanged */
  draft(content: ImportedFileContent, job: ImportJob, findsOnly: boolean): Promise<ImportDraft> {
    const { database, configurations } = this.deps;
    return database.snapshot({ ...job, opening: [CONFIGURATION_STATE] }, async (session) => {
      const { configuration } = await configurations.readOpened(session, session.opening[0]);
      return draftImport(session, configuration, content, job, findsOnly);
    });
  }

  /**
   * Creates and changes what is needed and notes it, under the exclusive plan lock.
   * An import of the same content that ended after this transaction is continued with its plan.
   * @param isChanged whether that plan does not fit any more
   * @throws ServiceError 400, 403, 409 @throws CatalogsChanged
   */
  store(file: ImportedFile, content: ImportedFileContent, job: ImportJob, isChanged: boolean): Promise<PlannedImport> {
    return this.write(job, async (session, at) => {
      const { planned } = await findEarlier(session, this.deps.configurations, file);
      if (planned && !isChanged) return planned;
      const stored = await this.apply(session, content, job, { findsOnly: false, at });
      await notePlanned(session, file, stored, at);
      return stored;
    });
  }

  /** Fills and updates the plan of content that was imported before. @throws ServiceError 400, 403, 409 @throws CatalogsChanged */
  fill(content: ImportedFileContent, job: ImportJob): Promise<PlannedImport> {
    return this.write(job, (session, at) => this.apply(session, content, job, { findsOnly: true, at }));
  }

  private async apply(
    session: WriteSession,
    content: ImportedFileContent,
    job: ImportJob,
    { findsOnly, at }: { findsOnly: boolean; at: Date },
  ): Promise<PlannedImport> {
    const { configurations, measurements, versioning } = this.deps;
    const draft = await draftImport(session, await configurations.read(session), content, job, findsOnly);
    const writable = job.principal.scopeOf('plan:write');
    await applyDraft(session, draft, { writable, measurements, versioned: versioning === 'on', at });
    return plannedBy(draft);
  }

  /** Repeats the transaction until no value of a deleted attribute with one of the new keys is left. */
  private async write<T>(job: ImportJob, work: (session: WriteSession, at: Date) => Promise<T>): Promise<T> {
    const { writes, purge, now } = this.deps;
    for (;;) {
      try {
        return await writes.write(job, (session) => work(session, now()));
      } catch (error) {
        if (!(error instanceof PurgePending)) throw error;
        await purge.finish(error.attributes, job);
      }
    }
  }
}

/** The plan of a file as it is when its draft is carried out. */
export function plannedBy(draft: ImportDraft): PlannedImport {
  const { parts, characteristics } = draft.plan;
  return { parts, characteristics, answer: planAnswerOf(draft) };
}
