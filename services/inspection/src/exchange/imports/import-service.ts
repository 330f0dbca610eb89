import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError, type ImportAnswer } from '@sinebar/contracts';
import type { Spool, SpooledFile } from '@sinebar/runtime';
import { storedPartPath } from '@sinebar/query-language';
import { sharePlan } from '../../shared/plan-lock.ts';
import { answerOfKnown } from './import-answer.ts';
import { ImportPlanning, plannedBy, type ImportPlanningDependencies } from './import-planning.ts';
import type { ImportBody, ImportJob, ImportOutcome, ImportRequest, ReadingOptions } from './import-request.ts';
import {
  claimStatements,
  findEarlier,
  isClaimed,
  noteImport,
  type EarlierImport,
  type ImportedFile,
  type PlannedImport,
} from './import-store.ts';
import {
  checkMeasurements,
  PlanChanged,
  PlanMovedOn,
  prepareSets,
  SetsMissing,
  storeMeasurements,
  type MeasurementStoring,
} from './measurement-import.ts';
import { atPartOfPath } from './part-of-path.ts';
import { CatalogsChanged, isIncomplete, planKeepsChanging, type ImportedFileContent } from './plan/import-draft.ts';
import type { FileReaders } from './reading/file-readers.ts';
import { ImportReading } from './reading/import-reading.ts';

export interface ImportDependencies extends ImportPlanningDependencies {
  spool: Spool;
  readers: FileReaders;
}

/** A file that is imported. */
interface FileImport {
  file: ImportedFile;
  content: ImportedFileContent;
  job: ImportJob;
  reading: ImportReading;
}

/** Most bytes of a file. */
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;
/** Times that an import begins again because others change the plan or the catalogs under it. */
const MAX_ATTEMPTS = 5;
/** Times that measurements are stored without the plan lock, so that changes of the plan do not wait for a large file. */
const UNLOCKED_ATTEMPTS = 3;

/**
 * Imports files in two transactions: the first stores definitions and plan under the exclusive plan lock, where the server lacks any, the
 * second the measurements. It takes the shared lock at its end, and begins again when the plan of the file changed meanwhile.
 * An import that ends between them is continued when the file comes again.
 * spec: exchange interface, version 1.0.0; decisions.md 11
 */
export class ImportService {
  private readonly deps: ImportDependencies;
  private readonly planning: ImportPlanning;

  constructor(deps: ImportDependencies) {
    this.deps = deps;
    this.planning = new ImportPlanning(deps);
  }

  /** @throws ServiceError 400, 403, 409, 413, 503 */
  async import({ body, ...job }: ImportRequest): Promise<ImportOutcome> {
    const spooled = await this.receive(body, job.signal);
    try {
      return await this.importSpooled(spooled, job);
    } finally {
      await spooled.discard();
    }
  }

  /** Stores a body for {@link importSpooled}; the caller removes it. @throws ServiceError 413, 503 */
  async receive({ bytes, announcedBytes }: ImportBody, signal: AbortSignal): Promise<SpooledFile> {
    const problem = tooLargeProblem(announcedBytes);
    if (problem) throw problem;
    const source = Readable.from(bytes, { objectMode: false });
    try {
      return await this.deps.spool.receive(source, { limitBytes: undefined, announcedBytes, check: tooLargeProblem, signal });
    } finally {
      source.destroy();
    }
  }

  /** @param onRead called with bytes that were read; a large file is read twice @throws ServiceError 400, 403, 409, 413 */
  importSpooled(spooled: SpooledFile, job: ImportJob, onRead?: (length: number) => void): Promise<ImportOutcome> {
    const { database, configurations, readers } = this.deps;
    const file = { md5: identityOf(spooled.md5, job.reading), partPath: storedPartPath(job.partPath) };
    return readers.use(job.signal, async (readFile) => {
      const reading = new ImportReading(readFile, spooled, job, onRead);
      for (let attempt = 1; ; attempt += 1) {
        try {
          const { configuration, ...earlier } = await database.read(job, (session) => findEarlier(session, configurations, file));
          const content = await reading.content(configuration);
          const { errorCount, errors, warnings, table: read } = content.content;
          const table = job.isDryRun ? read : undefined;
          if (errorCount > 0 && !job.skipBad) return { kind: 'refused', errors, errorCount, warnings, table };
          const [imported, importedJob] = atPartOfPath(content, job);
          const outcome = await this.importContent({ file, earlier, content: imported, job: importedJob, reading });
          return outcome.kind === 'refused' || !table ? outcome : { ...outcome, answer: { ...outcome.answer, table } };
        } catch (error) {
          // A catalog attribute that was defined since the file was read: its texts are to be collected.
          if (!(error instanceof CatalogsChanged)) throw error;
          if (attempt === MAX_ATTEMPTS) throw planKeepsChanging();
        }
      }
    });
  }

  private async importContent({ earlier, ...given }: FileImport & { earlier: EarlierImport }): Promise<ImportOutcome> {
    const { file, content, job } = given;
    if (earlier.stored) return { kind: 'known', answer: await this.fillKnown(earlier.stored, content, job) };
    if (job.isDryRun) return { kind: 'dryRun', answer: await this.check(given) };
    let planned = earlier.planned ?? (await this.plan(given));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.storeMeasurements(given, planned, attempt > UNLOCKED_ATTEMPTS);
      } catch (error) {
        if (!(error instanceof PlanChanged) && !(error instanceof PlanMovedOn)) throw error;
        if (attempt === MAX_ATTEMPTS) throw planKeepsChanging();
        if (error instanceof PlanChanged) planned = await this.planning.store(file, content, job, true);
      }
    }
  }

  private async check({ content, job, reading }: FileImport): Promise<ImportAnswer> {
    const draft = await this.planning.draft(content, job, false);
    return checkMeasurements({ content, planned: plannedBy(draft), reading }, draft.attributes);
  }

  /** Stores the plan of a file, unless it is there. */
  private async plan({ file, content, job }: FileImport): Promise<PlannedImport> {
    const draft = await this.planning.draft(content, job, false);
    return isIncomplete(draft) ? this.planning.store(file, content, job, false) : plannedBy(draft);
  }

  /** Stores the measurements; the sets of characteristics that they need are created before, where there are none. */
  private async storeMeasurements(given: FileImport, planned: PlannedImport, isLocked: boolean): Promise<ImportOutcome> {
    const { database, configurations } = this.deps;
    const { content, job } = given;
    // New characteristics have no set.
    if (planned.answer.characteristics.created === 0) {
      try {
        return await this.storeAll(given, { planned, sets: undefined, isLocked });
      } catch (error) {
        if (!(error instanceof SetsMissing)) throw error;
      }
    }
    const sets = await database.write(job, async (session) => {
      await sharePlan(session);
      return prepareSets(session, configurations, content, planned);
    });
    return this.storeAll(given, { planned, sets, isLocked });
  }

  /** @throws SetsMissing */
  private storeAll({ file, content, job, reading }: FileImport, storing: MeasurementStoring): Promise<ImportOutcome> {
    const { database, configurations, now } = this.deps;
    const at = now();
    // Claimed before the plan lock is taken: an import that waits for another one of the same file holds up nobody.
    return database.write({ ...job, opening: claimStatements(file, at) }, async (session): Promise<ImportOutcome> => {
      if (!isClaimed(session)) {
        const { stored } = await findEarlier(session, configurations, file);
        const { warnings } = storing.planned.answer;
        return {
          kind: 'known',
          answer: answerOfKnown(stored as ImportAnswer, content, { attributes: { created: [] }, filled: [], warnings }),
        };
      }
      const answer = await storeMeasurements(session, configurations, { content, job, reading, ...storing }, at);
      await noteImport(session, file, answer);
      return { kind: 'stored', answer };
    });
  }

  /** Fills and updates the plan of a file that was imported before; values and missing items are not stored again. */
  private async fillKnown(earlier: ImportAnswer, content: ImportedFileContent, given: ImportJob): Promise<ImportAnswer> {
    // Nothing is lost that the first import did not lose.
    const job = { ...given, ignoreUndefined: true };
    const draft = await this.planning.draft(content, job, true);
    const { answer } = isIncomplete(draft) && !job.isDryRun ? await this.planning.fill(content, job) : plannedBy(draft);
    return answerOfKnown(earlier, content, answer);
  }
}

/** The same bytes are another import when they are read in another way; the zone alone makes no difference. */
function identityOf(md5: string, { mapping, encoding, requestedDateOrder }: ReadingOptions): string {
  if (mapping === undefined && encoding === undefined && requestedDateOrder === undefined) return md5;
  const hash = createHash('md5').update(md5);
  if (mapping !== undefined) hash.update(JSON.stringify(mapping));
  if (encoding !== undefined) hash.update(`\nencoding ${encoding.toLowerCase()}`);
  if (requestedDateOrder !== undefined) hash.update(`\ndates ${requestedDateOrder}`);
  return hash.digest('hex');
}

function tooLargeProblem(sizeBytes: number): ServiceError | undefined {
  if (sizeBytes <= MAX_FILE_BYTES) return undefined;
  return new ServiceError('BodyTooLarge', `The file is larger than ${MAX_FILE_BYTES} bytes. Split it into several files.`);
}
