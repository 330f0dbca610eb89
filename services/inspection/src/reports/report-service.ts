import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { userKeyOf, type Principal } from '@sinebar/access-control';
import { ServiceError, type KeptReport } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import { reply, type Reply } from '@sinebar/http';
import type { Logger } from '@sinebar/runtime';
import type { LoadedTemplate } from '@sinebar/report';
import type { AnalysisReader } from '../analysis/analysis-queue.ts';
import type { Caller } from '../shared/request-context.ts';
import type { ReportOrder } from './report-body.ts';
import { dispositionOf, fileNameOf } from './report-file-name.ts';
import { openReportSource, type ReportSource, type ReportSourceDependencies } from './report-source.ts';
import {
  deleteReports,
  finishReport,
  insertContent,
  insertReport,
  readContent,
  readReports,
  type ReportReader,
  type StoredReport,
} from './report-store.ts';
import type { ReportTally } from './report-tally.ts';
import type { ReportTemplates } from './report-templates.ts';
import type { ReportWriter } from './writing/report-writer.ts';

export interface ReportDependencies extends ReportSourceDependencies {
  templates: ReportTemplates;
  writer: ReportWriter;
  tally: ReportTally;
  /** Days for which reports are kept. */
  keptDays: number;
  now: () => Date;
  log: Logger;
  /** Logo of reports, as PNG. */
  logo: Uint8Array | undefined;
}

const CONTENT_TYPES = { pdf: 'application/pdf', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' } as const;
/** Bytes of a stored piece. */
const PIECE_BYTES = 1_048_576;
const DAY_MS = 86_400_000;
/** Time within which a report has to be written, ms. */
const MAX_WRITING_MS = 600_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const MAX_SIZE_BYTES = 256 * PIECE_BYTES;

/** Rights that the reader of a report of somebody else needs: a kept report does not tell whether it has a drawing. */
const KEPT_RIGHTS = ['plan:read', 'measurement:read', 'rawData:read'] as const;

/** A report that can be written. */
interface OpenReport {
  headers: Readonly<Record<string, string>>;
  write: (sink: Writable, signal: AbortSignal) => Promise<void>;
}

/** Makes reports, and keeps those that are to be kept. spec: the report interface, version 1.0.0 */
export class ReportService {
  private readonly deps: ReportDependencies;
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(deps: ReportDependencies) {
    this.deps = deps;
  }

  /** Opens a report. @returns its headers, and a function that writes it. @throws ServiceError 400, 403, 404 */
  async make(order: ReportOrder, reader: AnalysisReader): Promise<OpenReport> {
    const opened = await this.open(order, reader);
    const headers = {
      'Content-Type': CONTENT_TYPES[order.format],
      'Content-Disposition': dispositionOf(opened.fileName),
      'Cache-Control': 'private, no-store',
    };
    return {
      headers,
      write: async (sink, signal) => {
        await this.deps.tally.count(order.template, signal, () => this.write(opened, order, reader.principal, sink, signal));
        sink.end();
      },
    };
  }

  /**
   * Begins to make a report that is kept; it goes on without the client.
   * @param uuid of the report; takes the stead of one that was not finished
   * @returns its uuid, and when its writing has ended, which never fails
   * @throws ServiceError 400, 403, 404
   */
  async keep(order: ReportOrder, reader: AnalysisReader, uuid: string = randomUUID()): Promise<{ uuid: string; ended: Promise<void> }> {
    const { now, database } = this.deps;
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(MAX_WRITING_MS)]);
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    // The request ends before the report does.
    const opened = await this.open(order, { ...reader, ...work });
    const created = now();
    const { principal } = reader;
    const { source, title, to } = opened;
    await database.write(work, async (session) => {
      await deleteReports(session, [uuid]);
      await insertReport(session, {
        uuid,
        owner: userKeyOf(principal),
        user: principal.name,
        template: order.template,
        title,
        partUuid: order.selection.partUuid,
        path: source.path,
        markedPath: source.markedPath,
        created,
        from: order.from,
        to,
        language: order.language,
        whole: source.head.isWhole,
        expires: new Date(created.getTime() + MAX_WRITING_MS),
      });
    });
    const running = this.fill(uuid, opened, order, principal, work).finally(() => this.running.delete(running));
    this.running.add(running);
    return { uuid, ended: running };
  }

  async list(page: { partUuid?: string | undefined; limit: number }, caller: Caller): Promise<KeptReport[]> {
    const found = await this.deps.database.read(caller, (session) => readReports(session, readerOf(caller), page));
    return found.map(({ report }) => this.deps.hide(report, caller.principal));
  }

  /** @throws ServiceError 404 */
  async read(uuid: string, caller: Caller): Promise<KeptReport> {
    return this.deps.hide((await this.find(uuid, caller)).report, caller.principal);
  }

  /** Streams the bytes of a kept report. @throws ServiceError 404, 409 while it is written */
  async content(uuid: string, caller: Caller): Promise<Reply> {
    const { report } = await this.find(uuid, caller);
    if (report.state === 'running') throw new ServiceError('Conflict', `The report ${uuid} is being written. Ask again in a moment.`);
    if (report.state === 'failed') throw new ServiceError('NotFound', `The report ${uuid} could not be written: ${report.reason ?? ''}`);
    const headers = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': dispositionOf(fileNameOf(report.title, report.to)),
      'Content-Length': String(report.sizeBytes ?? 0),
      ETag: `"${report.sha256 ?? ''}"`,
      'Cache-Control': 'private, no-cache',
    };
    return reply.stream(headers, async (sink, signal) => {
      for (let position = 0; ; position += 1) {
        const bytes = await this.deps.database.read({ ...caller, signal }, (session) => readContent(session, uuid, position));
        if (bytes === undefined) break;
        if (!sink.write(bytes)) await once(sink, 'drain', { signal });
      }
      sink.end();
    });
  }

  /** Deletes a kept report: the own one, or that of another with the right `policy:write`. @throws ServiceError 403, 404 */
  async delete(uuid: string, caller: Caller): Promise<void> {
    const { owner } = await this.find(uuid, caller);
    const { principal } = caller;
    if (owner !== userKeyOf(principal) && !principal.holds('policy:write')) {
      throw new ServiceError(
        'Forbidden',
        `The report ${uuid} was made by somebody else. Only they, or who may policy:write, may delete it.`,
      );
    }
    await this.deps.database.write(caller, (session) => deleteReports(session, [uuid]));
  }

  async stop(): Promise<void> {
    this.stopping.abort(new ServiceError('Unavailable', 'The server is stopping.'));
    await Promise.all(this.running);
  }

  private async find(uuid: string, caller: Caller): Promise<StoredReport> {
    const [found] = await this.deps.database.read(caller, (session) => readReports(session, readerOf(caller), { uuid, limit: 1 }));
    if (!found) throw new ServiceError('NotFound', `There is no report ${uuid} that you may read.`);
    return found;
  }

  private async open(order: ReportOrder, reader: AnalysisReader): Promise<OpenedReport> {
    const loaded = await this.deps.templates.load(order.template);
    const source = await openReportSource(this.deps, order, loaded.template, reader);
    const to = order.to ?? this.deps.now().toISOString();
    const { title: written } = loaded.template;
    // The root has no name.
    const title = [typeof written === 'string' ? written : written[order.language], ...source.head.part.names.slice(-1)].join(': ');
    return { loaded, source, title, to, fileName: fileNameOf(title, to, order.format) };
  }

  private async write(
    { loaded, source, to }: OpenedReport,
    order: ReportOrder,
    { name }: Principal,
    output: Writable,
    signal: AbortSignal,
  ): Promise<number> {
    const { logo } = this.deps;
    const request = {
      template: loaded.text,
      language: order.language,
      ...(order.from !== undefined && { from: order.from }),
      to,
      author: name,
      ...(logo && { logo }),
    };
    const { head, sources, zone } = source;
    return this.deps.writer.write({ request, head, format: order.format, sources, zone }, output, signal);
  }

  private async fill(uuid: string, opened: OpenedReport, order: ReportOrder, principal: Principal, work: WorkOptions): Promise<void> {
    const { database, log, now, keptDays, tally } = this.deps;
    const finish = (outcome: Parameters<typeof finishReport>[2]) => {
      const expires = new Date(now().getTime() + keptDays * DAY_MS);
      // The work may have been ended; its end is written all the same.
      const last = { signal: AbortSignal.timeout(STATEMENT_TIMEOUT_MS), statementTimeoutMs: STATEMENT_TIMEOUT_MS };
      return database.write(last, (session) => finishReport(session, uuid, outcome, expires));
    };
    try {
      const outcome = await tally.count(order.template, work.signal, () => this.writeAndStore(uuid, opened, order, principal, work));
      await finish(outcome);
    } catch (error) {
      log.warn({ err: error, report: uuid }, 'a report could not be written');
      const reason = error instanceof ServiceError ? error.message : 'It could not be written.';
      await finish({ reason }).catch((cause: unknown) => log.warn({ err: cause, report: uuid }, 'the end of a report could not be stored'));
    }
  }

  /** Stores a report while it is written. When one of both fails, the other ends, too. */
  private async writeAndStore(uuid: string, opened: OpenedReport, order: ReportOrder, principal: Principal, work: WorkOptions) {
    const failed = new AbortController();
    const both = { ...work, signal: AbortSignal.any([work.signal, failed.signal]) };
    const bytes = new PassThrough();
    const fail = (error: Error): never => {
      failed.abort(error);
      bytes.destroy(error);
      throw error;
    };
    const storing = this.store(uuid, bytes, both).catch(fail);
    const writing = this.write(opened, order, principal, bytes, both.signal).then((pages) => {
      bytes.end();
      return pages;
    }, fail);
    const [pages, stored] = await Promise.all([writing, storing]);
    return { pages, ...stored };
  }

  /** Stores bytes in pieces. @throws ServiceError 413 for more than 256 MiB */
  private async store(uuid: string, bytes: AsyncIterable<Buffer>, work: WorkOptions): Promise<{ sizeBytes: number; sha256: string }> {
    const hash = createHash('sha256');
    let [position, sizeBytes, waiting] = [0, 0, [] as Buffer[]];
    let waitingBytes = 0;
    const flush = async () => {
      const piece = Buffer.concat(waiting);
      [waiting, waitingBytes] = [[], 0];
      const at = position;
      position += 1;
      await this.deps.database.write(work, (session) => insertContent(session, uuid, at, piece));
    };
    for await (const chunk of bytes) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_SIZE_BYTES)
        throw new ServiceError('BodyTooLarge', 'The report has more than 256 MiB. Choose fewer characteristics.');
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= PIECE_BYTES) await flush();
    }
    if (waitingBytes > 0) await flush();
    return { sizeBytes, sha256: hash.digest('hex') };
  }
}

interface OpenedReport {
  loaded: LoadedTemplate;
  source: ReportSource;
  title: string;
  to: string;
  fileName: string;
}

function readerOf({ principal }: Caller): ReportReader {
  return { owner: userKeyOf(principal), readable: KEPT_RIGHTS.map((right) => principal.scopeOf(right)) };
}
