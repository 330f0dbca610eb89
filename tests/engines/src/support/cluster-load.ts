import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { send, type SendOptions } from './load.ts';

const WORKERS = 4;
const PAUSE_MS = 40;

interface StoredFile {
  path: string;
  content: Buffer;
}

/** Returns the address of the server for a path. */
type UrlFor = (path: string) => string;

export interface LoadResult {
  requests: number;
  /** One line for each request that was not answered with 2xx. */
  failures: string[];
  longestMs: number;
}

/** Clients that write parts and files, read them again, and read the feed of events, one request after another. */
export class ClusterLoad {
  /** Uuids of acknowledged parts. */
  readonly parts: string[] = [];
  readonly files: StoredFile[] = [];
  private readonly result: LoadResult = { requests: 0, failures: [], longestMs: 0 };
  private readonly startedAt = performance.now();
  private readonly urlFor: UrlFor;
  private readonly headers: Record<string, string>;
  private running: Promise<unknown> = Promise.resolve();
  private isStopping = false;

  private constructor(urlFor: UrlFor, authorization?: string) {
    this.urlFor = urlFor;
    this.headers = authorization === undefined ? {} : { authorization };
  }

  static start(urlFor: UrlFor, authorization?: string): ClusterLoad {
    const load = new ClusterLoad(urlFor, authorization);
    load.running = Promise.all(Array.from({ length: WORKERS }, () => load.work()));
    return load;
  }

  /** Ends the load and waits for the last answers. */
  async stop(): Promise<LoadResult> {
    this.isStopping = true;
    await this.running;
    return this.result;
  }

  /** Reads back all acknowledged parts and files. @returns what is missing or different */
  async missing(): Promise<string[]> {
    const problems: string[] = [];
    for (const uuid of this.parts) {
      const path = `/dataServiceRest/parts/${uuid}`;
      const { status } = await send(this.urlFor(path) + path, { headers: this.headers });
      if (status !== 200) problems.push(`part ${uuid}: ${status}`);
    }
    for (const { path, content } of this.files) {
      const { status, body } = await send(this.urlFor(path) + path, { headers: this.headers });
      if (status !== 200 || !body.equals(content)) problems.push(`file ${path}: ${status}, ${body.length} bytes`);
    }
    return problems;
  }

  private async work(): Promise<void> {
    while (!this.isStopping) {
      const uuid = randomUUID();
      const part = await this.try('POST', '/dataServiceRest/parts', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ uuid, path: `P:/load ${uuid}/` }]),
      });
      if (part !== undefined) {
        this.parts.push(uuid);
        await this.try('GET', `/dataServiceRest/parts/${uuid}`);
        await this.storeFile(uuid);
      }
      await this.try('GET', '/eventServiceRest/changes');
    }
  }

  private async storeFile(part: string): Promise<void> {
    const content = randomBytes(20_000);
    const folder = `/rawDataServiceRest/rawData/part/${part}`;
    const stored = await this.try('POST', folder, {
      headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="load.bin"' },
      body: content,
    });
    if (stored === undefined) return;
    const path = `${folder}/${(JSON.parse(stored.toString()) as { key: number }).key}`;
    this.files.push({ path, content });
    const read = await this.try('GET', path);
    if (read !== undefined && !read.equals(content)) this.result.failures.push(`GET ${path}: other bytes`);
  }

  /** @returns the body of a successful answer */
  private async try(method: string, path: string, { headers, body }: SendOptions = {}): Promise<Buffer | undefined> {
    await pause(PAUSE_MS);
    const sentAt = performance.now();
    // No `instanceof`: Node's errors are not of the realm of jest.
    const { answer, error } = await send(this.urlFor(path) + path, {
      method,
      headers: { ...this.headers, ...headers },
      ...(body !== undefined && { body }),
    }).then(
      (answer) => ({ answer, error: undefined }),
      (error: Error) => ({ answer: undefined, error }),
    );
    const tookMs = performance.now() - sentAt;
    this.result.requests += 1;
    this.result.longestMs = Math.max(this.result.longestMs, tookMs);
    if (answer !== undefined && answer.status < 300) return answer.body;
    const outcome = error?.message ?? `${answer?.status} ${answer?.body.toString().slice(0, 200)}`;
    const at = ((sentAt - this.startedAt) / 1000).toFixed(1);
    this.result.failures.push(`${method} ${path} at ${at} s, after ${Math.round(tookMs)} ms: ${outcome}`);
    return undefined;
  }
}
