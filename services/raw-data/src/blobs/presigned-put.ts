/**
 * Uploads a file with one PUT to a presigned URL.
 *
 * minio's `putObject` reads a stream in parts and buffers, hashes and copies each (docs/decisions/0024-files-in-one-request.md).
 * It sends no `Expect: 100-continue`, so the answer of a full store is lost with the connection, and its promise never settles when the
 * source fails.
 * `refusing-store.test.ts` and `silent-store.test.ts` prove what this file does instead.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Agent, ClientRequest, IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pause } from '@sinebar/concurrency';

export interface PresignedPut {
  url: URL;
  path: string;
  sizeBytes: number;
  /** Hexadecimal digits. */
  md5: string | undefined;
  request: typeof httpRequest;
  agent: Agent;
}

const READ_BYTES = 256 * 1024;
/** Size from which the store is asked first: a store that refuses may close the connection early, and its answer would be lost. */
const EXPECT_FROM_BYTES = 64 * 1024;
/** Time in milliseconds after which the bytes are sent to a store that does not answer `Expect: 100-continue`. */
const CONTINUE_TIMEOUT_MS = 1000;

/** @throws Error with the `code` and `status` of the store when it refuses the object */
export async function presignedPut({ url, path, sizeBytes, md5, request, agent }: PresignedPut): Promise<void> {
  const expectsContinue = sizeBytes >= EXPECT_FROM_BYTES;
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': sizeBytes,
    ...(md5 !== undefined && { 'Content-MD5': Buffer.from(md5, 'hex').toString('base64') }),
    ...(expectsContinue && { Expect: '100-continue' }),
  };
  const sending = request(url, { method: 'PUT', agent, headers });
  const response = once(sending, 'response') as Promise<[IncomingMessage]>;
  const refused = expectsContinue ? await responseBeforeBody(sending, response) : undefined;
  if (refused) throw await refusal(sending, refused[0]);
  const source = createReadStream(path, { highWaterMark: READ_BYTES });
  const sent = pipeline(source, sending).catch((error: unknown) => {
    // The store may answer the last byte, which ends the request, before the source reports its end.
    if (source.bytesRead < sizeBytes || sending.writableLength > 0) throw error;
  });
  // The store may refuse while the body is sent.
  const [answer] = await Promise.race([response, sent.then(() => response)]);
  if (answer.statusCode !== 200) throw await refusal(sending, answer);
  await text(answer);
  await sent;
}

/** Waits until the store requests the body. @returns its response when it refuses the object before that */
async function responseBeforeBody(sending: ClientRequest, response: Promise<[IncomingMessage]>): Promise<[IncomingMessage] | undefined> {
  const over = new AbortController();
  const wanted = once(sending, 'continue', { signal: over.signal }).then(() => undefined);
  wanted.catch(() => undefined);
  const timeout = pause(CONTINUE_TIMEOUT_MS, over.signal).then(() => undefined);
  try {
    return await Promise.race([response, wanted, timeout]);
  } finally {
    over.abort();
  }
}

/** Ends the request. @returns the error that the minio client makes of such a response */
async function refusal(sending: ClientRequest, response: IncomingMessage): Promise<Error> {
  const body = await text(response);
  sending.destroy();
  const status = response.statusCode;
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1];
  return Object.assign(new Error(`the store refused an object: ${status} ${code ?? ''}`), { code, status });
}
