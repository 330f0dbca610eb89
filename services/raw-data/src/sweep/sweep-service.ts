import type { Database, Session } from '@sinebar/database';
import { BlobMissingError, type BlobEntry, type BlobStore } from '../blobs/blob-store.ts';
import { BlobRemovalStore } from '../blobs/blob-removal-store.ts';

export interface SweepOptions {
  /** Age in milliseconds below which objects are skipped: they may belong to a running upload. */
  olderThanMs: number;
  /** The same for files whose object may be missing; `olderThanMs` by default. */
  missingOlderThanMs?: number;
  /** Age in milliseconds above which objects are skipped; no limit by default. */
  youngerThanMs?: number;
  /** Whether objects without a row are removed, or only reported. Rows without an object are only reported. */
  delete: boolean;
  signal: AbortSignal;
}

export interface SweepReport {
  checkedObjects: number;
  checkedRows: number;
  /** Objects without a row of a file or thumbnail. */
  orphans: { count: number; sizeBytes: number; examples: string[] };
  /** Files whose object is not in the store; they are lost. */
  missing: { count: number; examples: string[] };
}

export interface SweepDependencies {
  database: Database;
  blobs: BlobStore;
  now: () => Date;
  onRemovalOrdered: () => void;
}

interface ReferringRow {
  name: string;
  /** `null` for a thumbnail, which can be made again. */
  lastModified: Date | null;
}

const PAGE_SIZE = 1000;
const BATCH = 500;
const EXAMPLES = 20;
const STATEMENT_TIMEOUT_MS = 60_000;

/** Compares the objects in the store with the rows that refer to them, page by page in the order of names. */
export class SweepService {
  private readonly deps: SweepDependencies;

  constructor(deps: SweepDependencies) {
    this.deps = deps;
  }

  async sweep(options: SweepOptions): Promise<SweepReport> {
    const now = this.deps.now().getTime();
    const olderThan = now - options.olderThanMs;
    const missingOlderThan = now - (options.missingOlderThanMs ?? options.olderThanMs);
    const youngerThan = options.youngerThanMs === undefined ? -Infinity : now - options.youngerThanMs;
    const report: SweepReport = {
      checkedObjects: 0,
      checkedRows: 0,
      orphans: { count: 0, sizeBytes: 0, examples: [] },
      missing: { count: 0, examples: [] },
    };
    if (options.delete) await this.hastenRemovals(options);
    let suspects: BlobEntry[] = [];
    const objects = this.deps.blobs.list()[Symbol.asyncIterator]();
    const rows = this.rows(options.signal);
    try {
      let [object, row] = [await objects.next(), await rows.next()];
      while (!object.done || !row.done) {
        options.signal.throwIfAborted();
        const order = object.done ? 1 : row.done ? -1 : compare(object.value.name, row.value.name);
        if (order < 0 && !object.done && object.value.modified.getTime() < olderThan && object.value.modified.getTime() > youngerThan)
          suspects.push(object.value);
        if (order > 0 && !row.done && (row.value.lastModified?.getTime() ?? Infinity) < missingOlderThan)
          await this.checkMissing(row.value, report, options);
        if (suspects.length >= BATCH) {
          await this.checkOrphans(suspects, report, options);
          suspects = [];
        }
        if (order <= 0) {
          report.checkedObjects += 1;
          object = await objects.next();
        }
        if (order >= 0) {
          report.checkedRows += 1;
          row = await rows.next();
        }
      }
      await this.checkOrphans(suspects, report, options);
    } finally {
      await objects.return?.();
      await rows.return(undefined);
    }
    return report;
  }

  /** Makes removals due that interrupted uploads of large objects ordered: listings do not show their bytes. */
  async hastenRemovals({ olderThanMs, signal }: Pick<SweepOptions, 'olderThanMs' | 'signal'>): Promise<void> {
    const hastened = await this.deps.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
      new BlobRemovalStore(session).hasten(olderThanMs),
    );
    if (hastened > 0) this.deps.onRemovalOrdered();
  }

  /** Checks again, because the row may be newer than its page. An object with an ordered removal is not an orphan. */
  private async checkOrphans(suspects: readonly BlobEntry[], report: SweepReport, { signal, delete: remove }: SweepOptions): Promise<void> {
    if (suspects.length === 0) return;
    const { database } = this.deps;
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const names = suspects.map(({ name }) => name);
    const free = remove
      ? await database.write(options, async (session) => {
          const found = await unreferenced(session, names);
          await new BlobRemovalStore(session).order([...found]);
          return found;
        })
      : await database.read(options, (session) => unreferenced(session, names));
    const orphans = suspects.filter(({ name }) => free.has(name));
    for (const { name, sizeBytes } of orphans) {
      report.orphans.count += 1;
      report.orphans.sizeBytes += sizeBytes;
      if (report.orphans.examples.length < EXAMPLES) report.orphans.examples.push(name);
    }
    if (remove && orphans.length > 0) this.deps.onRemovalOrdered();
  }

  /** Checks again, because the file may have been replaced or deleted since its row was read. */
  private async checkMissing({ name }: ReferringRow, report: SweepReport, { signal }: SweepOptions): Promise<void> {
    try {
      (await this.deps.blobs.get(name, undefined, signal)).destroy();
      return;
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
    }
    const still = await this.deps.database.read({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
      session.query('SELECT FROM raw_data_object WHERE object_name = $1::uuid', [name]),
    );
    if (still.length === 0) return;
    report.missing.count += 1;
    if (report.missing.examples.length < EXAMPLES) report.missing.examples.push(name);
  }

  private async *rows(signal: AbortSignal): AsyncGenerator<ReferringRow> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const page: ReferringRow[] = await this.deps.database.read({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
        session.query<{ name: string; lastModified: Date | null }>(
          `(SELECT object_name AS name, last_modified AS "lastModified" FROM raw_data_object WHERE object_name > $1::uuid
           ORDER BY object_name LIMIT $2)
           UNION ALL (SELECT object_name, NULL FROM thumbnail WHERE object_name > $1::uuid ORDER BY object_name LIMIT $2)
           ORDER BY name LIMIT $2`,
          [after, PAGE_SIZE],
        ),
      );
      yield* page;
      if (page.length < PAGE_SIZE) return;
      after = page.at(-1)?.name ?? after;
    }
  }
}

async function unreferenced(session: Session, names: readonly string[]): Promise<Set<string>> {
  const rows = await session.query<{ name: string }>(
    `SELECT name FROM unnest($1::uuid[]) AS name
     WHERE NOT EXISTS (SELECT FROM raw_data_object WHERE object_name = name) AND NOT EXISTS (SELECT FROM thumbnail WHERE object_name = name)
     AND NOT EXISTS (SELECT FROM blob_removal WHERE object_name = name)`,
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
