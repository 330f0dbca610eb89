import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ServiceError, type ImportAnswer } from '@sinebar/contracts';
import type { FileContent, TableForms } from '@sinebar/exchange';
import type { Spool, SpooledFile } from '@sinebar/runtime';
import { storedPartPath } from '@sinebar/query-language';
import { CharacteristicSetCache, type PartCharacteristics } from '../../measurements/sets/characteristic-sets.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { answerOfKnown } from './import-answer.ts';
import { ImportPlanning, plannedBy, type ImportPlanningDependencies } from './import-planning.ts';
import type { ImportBody, ImportOrder, ImportOutcome, ImportRequest, ReadingOptions } from './import-request.ts';
import { claimImport, findImport, findPlanned, noteImport, type ImportedFile, type PlannedImport } from './import-store.ts';
import { checkMeasurements, PlanChanged, PlanMovedOn, prepareSets, storeMeasurements } from './measurement-import.ts';
import { atPartOfPath } from './part-of-path.ts';
import { FileKeys } from './plan/file-keys.ts';
import { CatalogsChanged, isIncomplete, planKeepsChanging, type ImportedFileContent } from './plan/import-draft.ts';
import { catalogAttributes } from './plan/imported-catalogs.ts';
import { STANDARD_CATALOG_KEYS } from './plan/standard-definitions.ts';
import type { FileReaders, ThreadReader } from './reading/file-readers.ts';

export interface ImportDependencies extends ImportPlanningDependencies {
  spool: Spool;
  readers: FileReaders;
}

/** Reads the file from its beginning. */
type ReadFile = (areValuesWanted: boolean, onRead?: (length: number) => void) => ThreadReader;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

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
  async import({ body, ...order }: ImportRequest): Promise<ImportOutcome> {
    const spooled = await this.receive(body, order.signal);
    try {
      return await this.importSpooled(spooled, order);
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

  /** @param onRead called with bytes that were read; the file is read twice @throws ServiceError 400, 403, 409, 413 */
  importSpooled(spooled: SpooledFile, order: ImportOrder, onRead?: (length: number) => void): Promise<ImportOutcome> {
    const { format, reading, signal } = order;
    const file = { md5: identityOf(spooled.md5, reading), place: storedPartPath(order.partPath) };
    return this.deps.readers.use(signal, async (readFile) => {
      let forms: TableForms | undefined;
      const read: ReadFile = (areValuesWanted, noteRead = onRead) =>
        readFile({ path: spooled.path, format, options: { ...reading, forms }, areValuesWanted, onRead: noteRead });
      for (let attempt = 1; ; attempt += 1) {
        try {
          let content = await this.contentOf(read(false), spooled, order);
          if (content.content.readAgainWith) {
            // Not counted as progress, which ends after two readings.
            forms = content.content.readAgainWith;
            content = await this.contentOf(
              read(false, () => undefined),
              spooled,
              order,
            );
          }
          const { errorCount, errors, warnings } = content.content;
          if (errorCount > 0 && !order.skipBad) return { kind: 'refused', errors, errorCount, warnings };
          return await this.importContent(file, ...atPartOfPath(content, order), read);
        } catch (error) {
          // A catalog attribute that was defined since the file was read: its texts are to be collected.
          if (!(error instanceof CatalogsChanged)) throw error;
          if (attempt === MAX_ATTEMPTS) throw planKeepsChanging();
        }
      }
    });
  }

  private async importContent(
    file: ImportedFile,
    content: ImportedFileContent,
    order: ImportOrder,
    read: ReadFile,
  ): Promise<ImportOutcome> {
    const { database } = this.deps;
    const earlier = await database.read(order, (session) => findImport(session, file));
    if (earlier) return { kind: 'known', answer: await this.fillKnown(earlier, content, order) };
    if (order.isDryRun) return { kind: 'dryRun', answer: await this.check(content, order, read) };
    let planned = await this.plan(file, content, order);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const sets = await database.write(order, async (session) => {
          await sharePlan(session);
          return prepareSets(session, content, planned);
        });
        return await this.storeMeasurements({ file, planned, sets, isLocked: attempt > UNLOCKED_ATTEMPTS }, content, order, read);
      } catch (error) {
        if (!(error instanceof PlanChanged) && !(error instanceof PlanMovedOn)) throw error;
        if (attempt === MAX_ATTEMPTS) throw planKeepsChanging();
        if (error instanceof PlanChanged) planned = await this.planning.store(file, content, order, true);
      }
    }
  }

  private async check(content: ImportedFileContent, order: ImportOrder, read: ReadFile): Promise<ImportAnswer> {
    const draft = await this.planning.draft(content, order, false);
    return checkMeasurements({ content, planned: plannedBy(draft), read: () => read(true) }, draft.attributes);
  }

  /** Stores the plan of a file, unless it is there or an import of the same content has stored it. */
  private async plan(file: ImportedFile, content: ImportedFileContent, order: ImportOrder): Promise<PlannedImport> {
    const begun = await this.deps.database.read(order, (session) => findPlanned(session, file));
    if (begun) return begun;
    const draft = await this.planning.draft(content, order, false);
    return isIncomplete(draft) ? this.planning.store(file, content, order, false) : plannedBy(draft);
  }

  /** @param isLocked whether the plan lock is held while measurements are stored, and not only at the end */
  private storeMeasurements(
    { file, planned, sets, isLocked }: { file: ImportedFile; planned: PlannedImport; sets: PartCharacteristics[]; isLocked: boolean },
    content: ImportedFileContent,
    order: ImportOrder,
    read: ReadFile,
  ): Promise<ImportOutcome> {
    const { database, configurations, now } = this.deps;
    const cache = new CharacteristicSetCache();
    for (const set of sets) cache.put(set);
    return database.write(order, async (session): Promise<ImportOutcome> => {
      // Before the plan lock: an import that waits for another one of the same file holds up nobody.
      if (!(await claimImport(session, file, now()))) {
        const earlier = (await findImport(session, file)) as ImportAnswer;
        const { warnings } = planned.answer;
        return { kind: 'known', answer: answerOfKnown(earlier, content, { attributes: { created: [] }, filled: [], warnings }) };
      }
      if (isLocked) await sharePlan(session);
      const job = { content, planned, read: () => read(true), order, sets: cache };
      const answer = await storeMeasurements(session, configurations, job, { at: now(), isLocked });
      await noteImport(session, file, answer);
      return { kind: 'stored', answer };
    });
  }

  /** Fills and updates the plan of a file that was imported before; values and missing items are not stored again. */
  private async fillKnown(earlier: ImportAnswer, content: ImportedFileContent, given: ImportOrder): Promise<ImportAnswer> {
    // Nothing is lost that the first import did not lose.
    const order = { ...given, ignoreUndefined: true };
    const draft = await this.planning.draft(content, order, true);
    const { answer } = isIncomplete(draft) && !order.isDryRun ? await this.planning.fill(content, order) : plannedBy(draft);
    return answerOfKnown(earlier, content, answer);
  }

  /** Reads a file without keeping its measurements. */
  private async contentOf(reader: ThreadReader, spooled: SpooledFile, order: ImportOrder): Promise<ImportedFileContent> {
    const { database, configurations } = this.deps;
    const configuration = await database.read(order, (session) => configurations.read(session));
    const keys = new FileKeys([...catalogAttributes(configuration), ...STANDARD_CATALOG_KEYS]);
    for (;;) {
      const next = await reader.next();
      if (next.done === true) {
        await keys.notePlan(next.value);
        return { content: next.value, keys, hasEntryKeys: await mayHaveEntryKeys(spooled, order, next.value) };
      }
      for (const measurement of next.value) keys.noteMeasurement(measurement);
    }
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

/** Whether the file may be an earlier export of this product, in which entries of catalogs have their keys. */
async function mayHaveEntryKeys({ path }: SpooledFile, { format, reading }: ImportOrder, content: FileContent): Promise<boolean> {
  if (format !== 'aqdef') return content.hasEntryKeys === true && reading.mapping === undefined;
  // Later exports describe the entries.
  if (content.catalogEntries.length > 0) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BYTE_ORDER_MARK.length) });
    return bytesRead === BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.equals(buffer);
  } finally {
    await file.close();
  }
}
