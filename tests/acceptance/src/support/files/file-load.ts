import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { cutUpload, uploadAround, type CutKind } from './file-uploads.ts';
import { send, type Answer } from '../requests/rest-client.ts';

export type FileChangeKind = 'create' | 'replace' | 'rename' | 'delete';

/** State of a file after a change. The name identifies the request: no two requests use the same. */
export interface FileState {
  name: string;
  md5: string;
  size: number;
}

/** A file that only one writer changes, one request after another. */
export interface OwnFile {
  part: string;
  key: number;
  /** State after the last acknowledged change; `undefined` when the file does not exist. */
  state: FileState | undefined;
  /** Number of begins and ends of requests: while it is even and unchanged, no request changes the file. */
  version: number;
}

export interface FileChange {
  kind: FileChangeKind;
  part: string;
  before: FileState | undefined;
  after: FileState | undefined;
  /** `doubtful`: the answer was lost or 503. `cut`: the client disconnected, so it cannot have happened. */
  outcome: 'acknowledged' | 'doubtful' | 'cut';
}

const RAW = '/rawDataServiceRest';
const RETRY_MS = 100;
/** File sizes, and how many of ten are at most that large: one piece in memory, one request to the store, several requests. */
const SIZES: readonly (readonly [most: number, ofTen: number])[] = [
  [64 * 1024, 6],
  [3 * 2 ** 20, 3],
  [20 * 2 ** 20, 1],
];
/** Approximate number of files per writer. */
const KEPT = 12;

const pattern = randomBytes(20 * 2 ** 20);

/** Returns bytes that no other request sends. */
function contentOf(request: number, size: number): Buffer {
  const bytes = Buffer.from(pattern.subarray(0, size));
  if (size >= 8) bytes.writeDoubleLE(request, 0);
  return bytes;
}

/**
 * Runs writers that create, replace, rename and delete files of their own parts, and readers that check every byte.
 * A change without acknowledgement is the last one of its file.
 */
export class FileLoad {
  readonly files: OwnFile[] = [];
  readonly changes: FileChange[] = [];
  readonly problems: string[] = [];
  readonly counts = { acknowledged: 0, unanswered: 0, unavailable: 0, cut: 0, reads: 0, readsBroken: 0, readsUnavailable: 0 };
  private readonly url: string;
  private readonly parts: readonly string[];
  private readonly agent: Agent;
  private requests = 0;
  private isStopping = false;

  /** @param parts one for each writer, and one for interrupted uploads */
  constructor(url: string, parts: readonly string[], agent: Agent) {
    this.url = url;
    this.parts = parts;
    this.agent = agent;
  }

  /** The part that no writer uses. */
  get ownPart(): string {
    return this.parts[0] ?? '';
  }

  /** @returns a function that ends it and waits for the last answers */
  start(readers: number): () => Promise<void> {
    const [, ...ofWriters] = this.parts;
    const running = [...ofWriters.map((part) => this.write(part)), ...Array.from({ length: readers }, () => this.read())];
    return async () => {
      this.isStopping = true;
      await Promise.all(running);
    };
  }

  /** Uploads a file, half of it before `fault` and half after. */
  async uploadAround(size: number, chunked: boolean, fault: () => Promise<void>): Promise<void> {
    const part = this.ownPart;
    const { state, bytes } = this.newState(size);
    const change: FileChange = { kind: 'create', part, before: undefined, after: state, outcome: 'doubtful' };
    this.changes.push(change);
    const answer = await uploadAround(this.url, { path: `${RAW}/rawData/part/${part}`, name: state.name, bytes, chunked }, fault);
    this.count(change, answer?.status, answer?.text);
    if (answer?.status !== 201) return;
    change.outcome = 'acknowledged';
    this.files.push({ part, key: (JSON.parse(answer.text) as { key: number }).key, state, version: 0 });
  }

  /** Disconnects in the middle of creating a file, or of replacing the one with this key. */
  async cut(kind: CutKind, size: number, replaced?: OwnFile): Promise<void> {
    const part = this.ownPart;
    const { state, bytes } = this.newState(size);
    const path = `${RAW}/rawData/part/${replaced ? `${replaced.part}/${replaced.key}` : part}`;
    await cutUpload(this.url, { method: replaced ? 'PUT' : 'POST', path, name: state.name, bytes, ...kind });
    this.changes.push({ kind: replaced ? 'replace' : 'create', part, before: replaced?.state, after: state, outcome: 'cut' });
    this.counts.cut += 1;
  }

  /** Creates a file, which must be acknowledged. */
  async create(part: string, size: number): Promise<OwnFile> {
    const { state, bytes } = this.newState(size);
    const change: FileChange = { kind: 'create', part, before: undefined, after: state, outcome: 'doubtful' };
    const file: OwnFile = { part, key: -1, state: undefined, version: 0 };
    if (!(await this.change(change, file, () => this.upload('POST', `part/${part}`, state.name, bytes))))
      throw new Error('a file could not be created');
    return file;
  }

  private async write(part: string): Promise<void> {
    const mine: OwnFile[] = [];
    while (!this.isStopping) {
      const dice = mine.length < KEPT / 2 ? 0 : Math.random();
      const file = dice < 0.45 || mine.length === 0 ? undefined : mine.splice(randomInt(mine.length), 1)[0];
      if (!file) {
        const created = await this.create(part, randomSize()).catch(() => undefined);
        if (created) mine.push(created);
      } else if ((await this.changeOwn(file, dice, mine.length)) && file.state) mine.push(file);
    }
  }

  private async changeOwn(file: OwnFile, dice: number, others: number): Promise<boolean> {
    const { part, key, state: before } = file;
    if (!before) return false;
    if (dice > (others > KEPT ? 0.7 : 0.9)) {
      const change: FileChange = { kind: 'delete', part, before, after: undefined, outcome: 'doubtful' };
      return await this.change(change, file, () => this.send('DELETE', `rawData/part/${part}/${key}`));
    }
    if (dice < 0.6) {
      const after = { ...before, name: this.newName() };
      const body = JSON.stringify({ fileName: after.name, mimeType: 'text/plain' });
      const headers = { 'Content-Type': 'application/json' };
      const change: FileChange = { kind: 'rename', part, before, after, outcome: 'doubtful' };
      return await this.change(change, file, () => this.send('PUT', `rawDataInformation/part/${part}/${key}`, headers, body));
    }
    const { state: after, bytes } = this.newState(randomSize());
    const method = Math.random() < 0.5 ? 'PUT' : 'POST';
    const change: FileChange = { kind: 'replace', part, before, after, outcome: 'doubtful' };
    return await this.change(change, file, () => this.upload(method, `part/${part}/${key}`, after.name, bytes));
  }

  /** @returns whether it was acknowledged */
  private async change(change: FileChange, file: OwnFile, ask: () => Promise<Answer | undefined>): Promise<boolean> {
    this.changes.push(change);
    file.version += 1;
    const answer = await ask();
    const isDone = answer !== undefined && answer.status >= 200 && answer.status < 300;
    this.count(change, answer?.status, answer?.bytes.toString());
    if (!isDone) {
      await pause(RETRY_MS);
      return false;
    }
    change.outcome = 'acknowledged';
    file.version += 1;
    file.state = change.after;
    if (change.kind === 'create') {
      file.key = (answer.json() as { key: number }).key;
      this.files.push(file);
    }
    return true;
  }

  private count({ kind }: FileChange, status: number | undefined, answer = ''): void {
    if (status === undefined) this.counts.unanswered += 1;
    else if (status === 503) this.counts.unavailable += 1;
    else if (status < 300) this.counts.acknowledged += 1;
    else this.problems.push(`${kind} answered ${status}: ${answer.slice(0, 300)}`);
  }

  private upload(method: string, target: string, name: string, body: Buffer): Promise<Answer | undefined> {
    const headers: Record<string, string> = { 'Content-Type': 'text/plain', 'Content-Disposition': `"${name}"` };
    if (Math.random() < 0.5) headers['Content-MD5'] = createHash('md5').update(body).digest('base64');
    return this.send(method, `rawData/${target}`, headers, body);
  }

  private send(method: string, path: string, headers = {}, body?: string | Buffer): Promise<Answer | undefined> {
    const { agent } = this;
    return send(this.url, {
      method,
      path: `${RAW}/${path}`,
      headers,
      agent,
      timeoutMs: 150_000,
      ...(body !== undefined && { body }),
    }).catch(() => undefined);
  }

  private async read(): Promise<void> {
    while (!this.isStopping) {
      const file = this.files[randomInt(Math.max(1, this.files.length))];
      if (!file?.state || !(await this.readFile(file, file.state))) await pause(RETRY_MS);
    }
  }

  /** Reads a file. A complete answer must match its ETag, and the acknowledged file unless that is being changed. */
  private async readFile(file: OwnFile, state: FileState): Promise<boolean> {
    const { version } = file;
    const address = `${file.part}/${file.key}`;
    const answer = await this.send('GET', `rawData/part/${address}`);
    const isQuiet = file.version === version && version % 2 === 0;
    if (answer?.status !== 200) {
      if (answer === undefined) this.counts.readsBroken += 1;
      else if (answer.status === 503) this.counts.readsUnavailable += 1;
      else if (isQuiet || answer.status !== 404) this.problems.push(`GET ${address} answered ${answer.status}`);
      return false;
    }
    this.counts.reads += 1;
    const md5 = createHash('md5').update(answer.bytes).digest('hex');
    if (!(answer.headers.etag ?? '').includes(md5)) this.problems.push(`GET ${address}: the bytes are not those of ${answer.headers.etag}`);
    // A reader may receive the next file under a freed key, but not while this file exists unchanged.
    if (isQuiet && md5 !== state.md5) this.problems.push(`GET ${address} is not what ${state.name} was`);
    return true;
  }

  private newState(size: number): { state: FileState; bytes: Buffer } {
    const bytes = contentOf(this.requests + 1, size);
    return { state: { name: this.newName(), md5: createHash('md5').update(bytes).digest('hex'), size }, bytes };
  }

  private newName(): string {
    this.requests += 1;
    return `r${this.requests}.bin`;
  }
}

function randomSize(): number {
  let dice = randomInt(10);
  const [most] = SIZES.find(([, ofTen]) => (dice -= ofTen) < 0) ?? [1024];
  return randomInt(Math.floor(most / 4), most);
}
