import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface CutKind {
  /** Share of the bytes that are sent before the connection is cut. */
  share: number;
  /** True to send no `Content-Length`. */
  chunked: boolean;
  /** True to reset the connection; otherwise the client closes its side as after a complete request. */
  reset: boolean;
}

interface Upload {
  path: string;
  name: string;
  bytes: Buffer;
  chunked: boolean;
}

const CHUNK_BYTES = 64 * 1024;
const ANSWER_LIMIT_MS = 150_000;

/** Sends the head of an upload and a part of its body, then disconnects. @throws when the server answers before that */
export async function cutUpload(url: string, upload: Upload & CutKind & { method: string }): Promise<void> {
  const { hostname, port } = new URL(url);
  const { method, path, name, bytes, chunked, share, reset } = upload;
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Disposition: "${name}"\r\n${length}\r\n\r\n`,
  );
  const sent = bytes.subarray(0, Math.floor(bytes.length * share));
  for (let at = 0; at < sent.length; at += CHUNK_BYTES) {
    const piece = sent.subarray(at, at + CHUNK_BYTES);
    if (chunked) socket.write(`${piece.length.toString(16)}\r\n`);
    // Waits for backpressure, so that the server has read the bytes so far.
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    if (chunked) socket.write('\r\n');
  }
  await pause(Math.random() * 30);
  if (answer !== '') throw new Error(`the server answered before the upload was cut: ${answer.slice(0, 300)}`);
  if (reset) socket.resetAndDestroy();
  else socket.end();
  await closed;
}

/** Sends an upload, half of it before `between` and half after. @returns the answer; `undefined` when the connection was lost */
export async function uploadAround(
  url: string,
  upload: Upload,
  between: () => Promise<void>,
): Promise<{ status: number; text: string } | undefined> {
  const { hostname, port } = new URL(url);
  const { path, name, bytes, chunked } = upload;
  const headers: Record<string, string> = { 'Content-Type': 'text/plain', 'Content-Disposition': `"${name}"` };
  if (!chunked) headers['Content-Length'] = String(bytes.length);
  const outgoing = request({ hostname, port, method: 'POST', path, headers, agent: false, timeout: ANSWER_LIMIT_MS });
  outgoing.once('timeout', () => outgoing.destroy());
  const answer = new Promise<{ status: number; text: string } | undefined>((resolve) => {
    outgoing.on('error', () => resolve(undefined));
    outgoing.once('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      // An incomplete answer acknowledges nothing.
      incoming.once('error', () => resolve(undefined));
      incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
  });
  const middle = Math.floor(bytes.length / 2);
  await new Promise<void>((resolve) => outgoing.write(bytes.subarray(0, middle), () => resolve()));
  await between();
  outgoing.end(bytes.subarray(middle));
  return await answer;
}
