import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@sinebar/testing';

const REQUEST_TIMEOUT_MS = 45_000;
const WORKERS = 4;
const PAUSE_MS = 40;
const PAUSE_AFTER_FAILURE_MS = 250;
const READ_AT_ONCE = 100;
const FILE_BYTES = 20_000;
const EVENTS_TIMEOUT_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 180_000;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Answer {
  status: number;
  body: Buffer;
}

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  timeoutMs?: number;
}

export interface Failure {
  request: string;
  /** `undefined` when no complete answer came. */
  status: number | undefined;
  message: string;
}

export interface LoadResult {
  requests: number;
  /** Requests that were not answered with 2xx. */
  failures: Failure[];
  longestMs: number;
}

interface Page {
  changes: { event: string; data: Record<string, unknown>; meta: { id: string } }[];
  next: string;
  gap?: true;
}

/** Sends one request on a connection of its own. @throws when no complete answer arrives */
export function send(
  url: string,
  { method = 'GET', headers = {}, body, timeoutMs = REQUEST_TIMEOUT_MS }: SendOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Clients that write parts, measurements and files, and read them again, one request after another. */
export class Load {
  /** Uuids of acknowledged parts. */
  readonly parts: string[] = [];
  /** Uuids of acknowledged measurements. */
  readonly measurements: string[] = [];
  /** Acknowledged files. */
  readonly files: { path: string; part: string; content: Buffer }[] = [];
  private readonly result: LoadResult = { requests: 0, failures: [], longestMs: 0 };
  private readonly url: string;
  private readonly firstPosition: string;
  private running: Promise<unknown> = Promise.resolve();
  private isStopping = false;

  private constructor(url: string, firstPosition: string) {
    this.url = url;
    this.firstPosition = firstPosition;
  }

  static async start(url: string): Promise<Load> {
    const load = new Load(url, (await readPage(url, '')).next);
    load.running = Promise.all(Array.from({ length: WORKERS }, () => load.work()));
    return load;
  }

  get acknowledged(): number {
    return this.parts.length + this.measurements.length + this.files.length;
  }

  /** Waits until so many more writes are acknowledged: the product works again. */
  async acknowledges(more: number): Promise<void> {
    const before = this.acknowledged;
    await eventually(() => this.acknowledged >= before + more, {
      describe: `${more} more acknowledged writes`,
      timeoutMs: RECOVERY_TIMEOUT_MS,
    });
  }

  /** Ends the load and waits for the last answers. */
  async stop(): Promise<LoadResult> {
    this.isStopping = true;
    await this.running;
    return this.result;
  }

  /** Reads back everything that was acknowledged. @returns what is missing or different */
  async missing(): Promise<string[]> {
    const problems: string[] = [];
    const check = async (path: string, uuids: readonly string[]) => {
      for (let at = 0; at < uuids.length; at += READ_AT_ONCE) {
        const some = uuids.slice(at, at + READ_AT_ONCE);
        const { status, body } = await send(`${this.url}${path}{${some.join()}}`);
        const found = status === 200 ? (JSON.parse(body.toString()) as { uuid: string }[]).map(({ uuid }) => uuid) : [];
        problems.push(...some.filter((uuid) => !found.includes(uuid)).map((uuid) => `${path}${uuid}: not in the answer ${status}`));
      }
    };
    await check('/dataServiceRest/parts?partUuids=', this.parts);
    await check('/dataServiceRest/measurements?measurementUuids=', this.measurements);
    for (const { path, content } of this.files) {
      const { status, body } = await send(this.url + path);
      if (status !== 200 || !body.equals(content)) problems.push(`${path}: ${status}, ${body.length} bytes`);
    }
    return problems;
  }

  /** Reads the events since the start of the load. @returns writes without an event or with two of them, once no event is outstanding */
  async eventProblems(): Promise<string[]> {
    let next = this.firstPosition;
    const seen = new Map<string, number>();
    const ids = new Set<string>();
    const count = (key: string) => seen.set(key, (seen.get(key) ?? 0) + 1);
    const problems = () =>
      [
        ...this.parts.map((uuid) => `PartCreated ${uuid}`),
        ...this.measurements.map((uuid) => `MeasurementCreated ${uuid}`),
        ...this.files.map(({ part }) => `RawDataCreated ${part}`),
      ]
        .filter((key) => seen.get(key) !== 1)
        .map((key) => `${key} came ${seen.get(key) ?? 0} times`);
    const readOn = async () => {
      for (;;) {
        const page = await readPage(this.url, `?limit=10000&after=${encodeURIComponent(next)}`);
        if (page.gap) throw new Error('the feed of changes has a gap');
        next = page.next;
        for (const { event, data, meta } of page.changes) {
          // An event may be delivered again with the same id.
          if (ids.has(meta.id)) continue;
          ids.add(meta.id);
          count(`${event} ${String(data['MeasurementUuid'] ?? data['TargetUuid'] ?? data['PartUuid'])}`);
        }
        if (page.changes.length === 0) return;
      }
    };
    await eventually(
      async () => {
        await readOn();
        return problems().length === 0;
      },
      { timeoutMs: EVENTS_TIMEOUT_MS, intervalMs: 500 },
    ).catch(() => undefined);
    return problems();
  }

  private async work(): Promise<void> {
    while (!this.isStopping) {
      const part = randomUUID();
      if (!(await this.write('/dataServiceRest/parts', [{ uuid: part, path: `P:/load ${part}/` }]))) continue;
      this.parts.push(part);
      const measurement = randomUUID();
      const attributes = { 4: new Date().toISOString() };
      if (await this.write('/dataServiceRest/measurements', [{ uuid: measurement, partUuid: part, attributes }]))
        this.measurements.push(measurement);
      await this.storeFile(part);
      await this.try('GET', `/dataServiceRest/parts/${part}`);
    }
  }

  private async write(path: string, body: object): Promise<boolean> {
    return (await this.try('POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) })) !== undefined;
  }

  private async storeFile(part: string): Promise<void> {
    const content = randomBytes(FILE_BYTES);
    const folder = `/rawDataServiceRest/rawData/part/${part}`;
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="load.bin"' };
    const stored = await this.try('POST', folder, { headers, body: content });
    if (stored === undefined) return;
    const path = `${folder}/${(JSON.parse(stored.toString()) as { key: number }).key}`;
    this.files.push({ path, part, content });
    const read = await this.try('GET', path);
    if (read !== undefined && !read.equals(content))
      this.result.failures.push({ request: `GET ${path}`, status: 200, message: 'other bytes' });
  }

  /** @returns the body of a successful answer */
  private async try(method: string, path: string, options: SendOptions = {}): Promise<Buffer | undefined> {
    await pause(PAUSE_MS);
    const sentAt = performance.now();
    // No `instanceof`: Node's errors are not of the realm of jest.
    const { answer, error } = await send(this.url + path, { method, ...options }).then(
      (answer) => ({ answer, error: undefined }),
      (error: Error) => ({ answer: undefined, error }),
    );
    this.result.requests += 1;
    this.result.longestMs = Math.max(this.result.longestMs, performance.now() - sentAt);
    if (answer !== undefined && answer.status < 300) return answer.body;
    const status = answer?.status;
    const message = error?.message ?? answer?.body.toString().slice(0, 200) ?? '';
    this.result.failures.push({ request: `${method} ${path}`, status, message });
    await pause(PAUSE_AFTER_FAILURE_MS);
    return undefined;
  }
}

/** @returns failures that an outage does not explain: all but 503 and connections that broke */
export function unexplained(failures: readonly Failure[]): string[] {
  return failures
    .filter(({ status }) => status !== undefined && status !== 503)
    .map(({ request, status, message }) => `${request}: ${status} ${message}`);
}

async function readPage(url: string, query: string): Promise<Page> {
  const { status, body } = await send(`${url}/eventServiceRest/changes${query}`);
  if (status !== 200) throw new Error(`the feed of changes answered ${status}`);
  return JSON.parse(body.toString()) as Page;
}
