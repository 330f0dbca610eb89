import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { addAbortSignal, type Readable } from 'node:stream';
import { abortable, errorCode } from '@sinebar/concurrency';
import { filePrefixOfPlant } from '@sinebar/contracts';
import { storageFull } from '@sinebar/runtime';
import { Client } from 'minio';
import { type ByteRange, BlobMissingError, isBlobName, storeUnavailable, type BlobEntry, type BlobStore } from './blob-store.ts';
import { presignedPut } from './presigned-put.ts';

export interface S3Options {
  /** `http://host:port` or `https://host`. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** Plant that has a prefix of its own in the bucket; by default the only plant. */
  plant?: string;
  /** Size limit of one request in bytes; S3 takes 5 GiB. */
  largestPutBytes?: number;
  /** Time in milliseconds without a byte on the connection after which a request fails; more for an upload that is sent. */
  silenceMs?: number;
}

const MAX_PUT_BYTES = 5 * 2 ** 30;
/** Part size of a larger object; each running upload keeps one part in memory. */
const S3_PART_BYTES = 16 * 2 ** 20;
/** Lifetime of the presigned PUT URL in seconds; S3 checks it only when the request starts. */
const PRESIGNED_URL_S = 3600;
const MAX_SOCKETS = 64;
const SILENCE_MS = 7000;
/** A store confirms an upload when it has written it to its disk, which takes longer for large ones. */
const CONFIRMED_BYTES_PER_MS = 20_000;
const PAGE_SIZE = 1000;

/** The store has sent and taken no byte for too long: it may be dead without having closed the connection. */
class SilentStoreError extends Error {
  override readonly name = 'SilentStoreError';
}

/**
 * Ends requests on which nothing happens.
 * The time-out of a socket would also end the download of a slow client, for which the store has to wait.
 */
function failingWhenSilent(request: typeof httpRequest, silenceMs: number): typeof httpRequest {
  return ((...asked: Parameters<typeof httpRequest>): ClientRequest => {
    const made = request(...asked);
    let response: IncomingMessage | undefined;
    made.once('response', (answer) => (response = answer));
    let bytes = -1;
    let progressAt = performance.now();
    const timer = setInterval(() => {
      const bytesNow = (made.socket?.bytesRead ?? 0) + (made.socket?.bytesWritten ?? 0);
      const waitsForSocket = made.socket === null || made.socket === undefined;
      const waitsForReader = response !== undefined && response.readableLength > 0;
      if (bytesNow !== bytes || waitsForSocket || waitsForReader) {
        bytes = bytesNow;
        progressAt = performance.now();
      } else if (performance.now() - progressAt >= silenceMs + confirmationMs(made)) {
        made.destroy(new SilentStoreError(`the store was silent for ${silenceMs / 1000} s`));
      }
    }, silenceMs / 10);
    timer.unref();
    made.once('close', () => clearInterval(timer));
    return made;
  }) as typeof httpRequest;
}

/** Returns the further time for the answer to an upload that is sent, milliseconds. */
function confirmationMs(made: ClientRequest): number {
  return made.method === 'PUT' && made.writableFinished ? Number(made.getHeader('content-length') ?? 0) / CONFIRMED_BYTES_PER_MS : 0;
}

/**
 * Stores objects in a bucket of an S3 store.
 * Uploads use one presigned PUT; files above the limit of one request use `putObject` of the client.
 */
export class S3BlobStore implements BlobStore {
  private readonly client: Client;
  private readonly request: typeof httpRequest;
  private readonly agent: HttpAgent;
  private readonly bucket: string;
  private readonly region: string;
  private readonly prefix: string;
  private readonly largestPutBytes: number;

  constructor(options: S3Options) {
    const url = new URL(options.endpoint);
    const useSSL = url.protocol === 'https:';
    const { silenceMs = SILENCE_MS } = options;
    const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.agent = useSSL ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    this.request = failingWhenSilent(useSSL ? httpsRequest : httpRequest, silenceMs);
    this.bucket = options.bucket;
    this.region = options.region;
    // The bucket can hold other objects.
    this.prefix = `${filePrefixOfPlant(options.plant ?? '')}raw-data/`;
    this.largestPutBytes = options.largestPutBytes ?? MAX_PUT_BYTES;
    this.client = new Client({
      endPoint: url.hostname,
      ...(url.port !== '' && { port: Number(url.port) }),
      useSSL,
      // Without a region the client asks the store for it before the first request of every bucket.
      region: options.region,
      accessKey: options.accessKey,
      secretKey: options.secretKey,
      partSize: S3_PART_BYTES,
      transportAgent: this.agent,
      transport: { request: this.request },
      // The retries of the client print to the console; the caller answers 503 with Retry-After.
      retryOptions: { disableRetry: true },
    });
  }

  /** Creates the bucket when it is missing. @throws ServiceError `Unavailable` */
  async prepare(): Promise<void> {
    try {
      if (await this.client.bucketExists(this.bucket)) return;
      await this.client.makeBucket(this.bucket, this.region).catch((error: unknown) => {
        // Another replica was faster.
        if (errorCode(error) !== 'BucketAlreadyOwnedByYou' && errorCode(error) !== 'BucketAlreadyExists') throw error;
      });
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  async put(name: string, path: string, sizeBytes: number, md5?: string): Promise<void> {
    const { size } = await stat(path);
    if (size !== sizeBytes) throw new Error(`expected ${sizeBytes} bytes, found ${size}`);
    try {
      if (sizeBytes <= this.largestPutBytes) await this.putInOneRequest(name, path, sizeBytes, md5);
      else await this.putInParts(name, path, sizeBytes);
    } catch (error) {
      // A dead store would hold up the answer once more; callers order the removal of what it may have stored.
      if (!(error instanceof SilentStoreError)) await this.remove([name]).catch(() => undefined);
      throw isFull(error) ? storageFull(error) : storeUnavailable(error);
    }
  }

  async get(name: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable> {
    signal.throwIfAborted();
    const opened = await this.open(name, range).catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissingError(name, { cause: error }) : storeUnavailable(error);
    });
    if (signal.aborted) opened.destroy();
    signal.throwIfAborted();
    // Destroying the response closes its socket: a client that disconnected must not leave one open.
    return addAbortSignal(signal, opened);
  }

  async remove(names: readonly string[]): Promise<void> {
    try {
      for (let i = 0; i < names.length; i += 16)
        await Promise.all(names.slice(i, i + 16).map((name) => this.removeUnfinished(this.keyOf(name))));
      if (names.length === 0) return;
      const results: readonly unknown[] = await this.client.removeObjects(
        this.bucket,
        names.map((name) => this.keyOf(name)),
      );
      const refused = results.find((result) => result !== null && result !== undefined);
      if (refused !== undefined) throw new Error(`the store refused to remove an object: ${JSON.stringify(refused)}`);
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  async *list(after = ''): AsyncIterable<BlobEntry> {
    let last = after === '' ? '' : this.keyOf(after);
    let token = '';
    for (;;) {
      const page = await this.client
        .listObjectsV2Query(this.bucket, this.prefix, token, '', PAGE_SIZE, token === '' ? last : '')
        .catch((error: unknown) => {
          throw storeUnavailable(error);
        });
      for (const { name: key, size, lastModified } of page.objects) {
        if (key === undefined || size === undefined || lastModified === undefined) continue;
        last = key;
        const name = key.slice(this.prefix.length);
        if (isBlobName(name)) yield { name, sizeBytes: size, modified: lastModified };
      }
      if (!page.isTruncated) return;
      token = page.nextContinuationToken;
    }
  }

  async health(): Promise<{ healthy: boolean; detail: string }> {
    try {
      return (await this.client.bucketExists(this.bucket))
        ? { healthy: true, detail: 'the bucket for files answers' }
        : { healthy: false, detail: `there is no bucket ${this.bucket}` };
    } catch (error) {
      return { healthy: false, detail: `the store for files does not answer (${errorCode(error) ?? 'error'})` };
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private open(name: string, range: ByteRange | undefined): Promise<Readable> {
    const key = this.keyOf(name);
    if (!range) return this.client.getObject(this.bucket, key);
    return this.client.getPartialObject(this.bucket, key, range.first, range.last - range.first + 1);
  }

  private async putInOneRequest(name: string, path: string, sizeBytes: number, md5: string | undefined): Promise<void> {
    const url = new URL(await this.client.presignedPutObject(this.bucket, this.keyOf(name), PRESIGNED_URL_S));
    await presignedPut({ url, path, sizeBytes, md5, request: this.request, agent: this.agent });
  }

  private async putInParts(name: string, path: string, sizeBytes: number): Promise<void> {
    const source = createReadStream(path, { highWaterMark: 1024 * 1024 });
    // The client does not notice a failing source: its promise would never settle.
    const broken = new AbortController();
    source.once('error', (error) => broken.abort(error));
    try {
      const headers = { 'Content-Type': 'application/octet-stream' };
      await abortable(this.client.putObject(this.bucket, this.keyOf(name), source, sizeBytes, headers), broken.signal);
    } finally {
      source.destroy();
    }
  }

  private async removeUnfinished(key: string): Promise<void> {
    const uploadId = await this.client.findUploadId(this.bucket, key);
    if (uploadId !== undefined) await this.client.abortMultipartUpload(this.bucket, key, uploadId);
  }

  private keyOf(name: string): string {
    if (!isBlobName(name)) throw new Error(`not the name of an object: ${name}`);
    return this.prefix + name;
  }
}

/** Codes for a full disk or an exhausted quota, which differ between stores; 507 is the WebDAV status for both. */
const FULL_CODES: ReadonlySet<string | undefined> = new Set([
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
  'InsufficientStorage',
]);

function isFull(error: unknown): boolean {
  return FULL_CODES.has(errorCode(error)) || (error as { status?: unknown }).status === 507;
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'NoSuchKey' || errorCode(error) === 'NotFound';
}
