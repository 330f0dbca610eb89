import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError, type FileProblem, type ImportAnswer } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import { addWarnings, MAX_LISTED, type FileContent } from '@sinebar/exchange';
import type { Spool, SpooledFile } from '@sinebar/runtime';
import { storedPartPath } from '@sinebar/query-language';
import { ConfigurationStore } from '../../configuration/configuration-store.js';
import type { Configuration, ConfigurationReader } from '../../configuration/configuration.js';
import { CharacteristicSetCache, CharacteristicsInUse } from '../../measurements/sets/characteristic-sets.js';
import { MeasuredParts } from '../../measurements/sets/measured-parts.js';
import { MeasurementCreation } from '../../measurements/writing/measurement-creation.js';
import { measurementTransaction } from '../../measurements/writing/measurement-transaction.js';
import type { MeasurementCascade } from '../../plan/measurement-cascade.js';
import { sharePlan, type PlanWrites } from '../../shared/plan-lock.js';
import type { VersioningMode } from '../../shared/versioning-mode.js';
import { MeasurementConverter } from './import-measurements.js';
import { importPlan, refuseForbiddenParts } from './plan/import-plan.js';
import type { ImportBody, ImportOrder, ImportOutcome, ImportRequest, ReadingOptions } from './import-request.js';
import { claimImport, findImport, noteImport } from './import-store.js';
import { ImportedAttributes } from './plan/imported-attributes.js';
import { catalogAttributes, CatalogTexts, resolveCatalogs } from './plan/imported-catalogs.js';
import { IncompletePlan } from './plan/incomplete-plan.js';
import type { FileReaders, ThreadReader } from './reading/file-readers.js';

export interface ImportDependencies {
  database: Database;
  writes: PlanWrites;
  configurations: ConfigurationReader;
  measurements: MeasurementCascade;
  versioning: VersioningMode;
  spool: Spool;
  readers: FileReaders;
  now: () => Date;
}

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly answer: ImportAnswer;

  constructor(answer: ImportAnswer) {
    super('nothing is stored in a dry run');
    this.answer = answer;
  }
}

/** Most bytes of a file. */
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * Stores the plan and the measurements of a file in one transaction, or nothing: under the shared plan lock when the server has everything
 * that the file names, else under the exclusive one.
 * spec: exchange interface, version 1.0.0
 */
export class ImportService {
  private readonly deps: ImportDependencies;

  constructor(deps: ImportDependencies) {
    this.deps = deps;
  }

  /** @throws ServiceError 400, 403, 413, 503 */
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

  /** @param onRead called with bytes that were read; the file is read twice @throws ServiceError 400, 403, 413 */
  importSpooled(spooled: SpooledFile, order: ImportOrder, onRead?: (length: number) => void): Promise<ImportOutcome> {
    const { format, reading, signal } = order;
    return this.deps.readers.use(signal, (readFile) => {
      const read = (areValuesWanted: boolean) => readFile({ path: spooled.path, format, options: reading, areValuesWanted, onRead });
      return this.importRead(spooled, order, read);
    });
  }

  private async importRead(
    spooled: SpooledFile,
    order: ImportOrder,
    read: (areValuesWanted: boolean) => ThreadReader,
  ): Promise<ImportOutcome> {
    const { reading } = order;
    const file = { md5: identityOf(spooled.md5, reading), place: storedPartPath(order.partPath) };
    const configuration = await this.deps.database.read(order, (session) => this.deps.configurations.read(session));
    const texts = new CatalogTexts(catalogAttributes(configuration));
    const content = await contentOf(read(false), texts);
    if (content.errorCount > 0 && !order.skipBad) {
      return { kind: 'refused', errors: content.errors, errorCount: content.errorCount, warnings: content.warnings };
    }
    refuseForbiddenParts(order.partPath, content.parts, order.principal);
    const earlier = await this.deps.database.read(order, (session) => findImport(session, file));
    if (earlier) return { kind: 'known', answer: asFound(earlier) };
    const work = async (session: WriteSession, isPlanLocked: boolean): Promise<ImportOutcome> => {
      if (!(await claimImport(session, file, this.deps.now()))) {
        return { kind: 'known', answer: asFound((await findImport(session, file)) as ImportAnswer) };
      }
      const answer = await this.store(session, { content, texts, read: () => read(true), isPlanLocked }, order);
      if (order.isDryRun) throw new DryRun(answer);
      await noteImport(session, file, answer);
      return { kind: 'stored', answer };
    };
    try {
      return await this.writeSharing(order, work);
    } catch (error) {
      if (error instanceof DryRun) return { kind: 'dryRun', answer: error.answer };
      throw error;
    }
  }

  /** Writes beside others where the plan is complete, and else alone. */
  private async writeSharing(
    order: ImportOrder,
    work: (session: WriteSession, isPlanLocked: boolean) => Promise<ImportOutcome>,
  ): Promise<ImportOutcome> {
    try {
      return await this.deps.database.write(order, async (session) => {
        await sharePlan(session);
        return work(session, false);
      });
    } catch (error) {
      if (!(error instanceof IncompletePlan)) throw error;
      return this.deps.writes.write(order, (session) => work(session, true));
    }
  }

  private async store(
    session: WriteSession,
    { content, texts, read, isPlanLocked }: { content: FileContent; texts: CatalogTexts; read: () => ThreadReader; isPlanLocked: boolean },
    { principal, partPath, isDryRun }: ImportOrder,
  ): Promise<ImportAnswer> {
    const { configurations, measurements, versioning, now } = this.deps;
    const at = now();
    const before = await configurations.read(session);
    const mayCreate = principal.holds('catalog:write');
    const { keys, isChanged } = await resolveCatalogs(
      session,
      before,
      texts,
      content.catalogEntries,
      mayCreate && (isPlanLocked || 'find'),
    );
    if (isChanged) await new ConfigurationStore(session).catalogsChanged(at);
    const attributes = new ImportedAttributes(before, keys);
    const writable = principal.scopeOf('plan:write');
    const changes = { writable, measurements, versioned: versioning === 'on', at };
    const plan = await importPlan(session, partPath, content.parts, attributes, isPlanLocked ? changes : 'find');
    const converter = new MeasurementConverter(plan, attributes);
    const parts = new MeasuredParts();
    const transaction = measurementTransaction(session, {
      configuration: isChanged ? await withEntries(session, before) : before,
      characteristics: new CharacteristicsInUse(session, new CharacteristicSetCache()),
      findParts: (uuids) => parts.find(session, uuids),
      at,
      commentOf: () => null,
    });
    for await (const some of read()) {
      // The last batch of a dry run is checked like the others; only the transaction ends otherwise.
      const batches = [some.map((measurement) => converter.convert(measurement))];
      await new MeasurementCreation(transaction, [{ batches, principal }]).run();
    }
    const warnings: FileProblem[] = [...addWarnings(content, attributes.warnings())];
    if (isDryRun && content.errorCount > 0) warnings.unshift(...content.errors);
    return {
      parts: plan.counts.part,
      characteristics: plan.counts.characteristic,
      measurements: { created: content.measurements, found: 0 },
      values: content.values,
      firstMeasurements: isDryRun ? [] : converter.firstMeasurements,
      warnings: warnings.slice(0, MAX_LISTED),
    };
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

/** Reads a file without keeping its measurements. */
async function contentOf(reader: ThreadReader, texts: CatalogTexts): Promise<FileContent> {
  for (;;) {
    const next = await reader.next();
    if (next.done === true) {
      for (const { attributes, characteristics } of next.value.parts) {
        texts.note(attributes);
        for (const { attributes: own } of characteristics) texts.note(own);
      }
      return next.value;
    }
    for (const { attributes } of next.value) texts.note(attributes);
  }
}

/** The configuration with the entries that the transaction has created. */
async function withEntries(session: WriteSession, configuration: Configuration): Promise<Configuration> {
  const rows = await session.query<{ catalog: string; keys: number[] }>(
    'SELECT uuid AS catalog, ARRAY(SELECT key::int FROM catalog_entry WHERE catalog = catalog.uuid) AS keys FROM catalog',
  );
  return { ...configuration, entryKeys: new Map(rows.map(({ catalog, keys }) => [catalog, new Set(keys)])) };
}

/** The answer for content that was imported before: everything is there. */
function asFound(answer: ImportAnswer): ImportAnswer {
  const found = ({ created, found: before }: ImportAnswer['parts']) => ({ created: 0, found: created + before });
  return {
    ...answer,
    parts: found(answer.parts),
    characteristics: found(answer.characteristics),
    measurements: found(answer.measurements),
    // Answers of an earlier release have none.
    firstMeasurements: (answer as Partial<ImportAnswer>).firstMeasurements ?? [],
  };
}
