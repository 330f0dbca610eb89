import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { errorCode } from '@sinebar/concurrency';
import { Webhook } from 'standardwebhooks';
import { shownAnswer, type SendResult } from './send-result.ts';
import type { WebhookAddresses } from './webhook-address.ts';
import { RefusedAddress } from './webhook-address.ts';

export interface WebhookRequest {
  /** Id of the message, the same at each try. */
  id: string;
  url: string;
  body: string;
  /** Signs the body; absent where the address is the secret. */
  secret: string | undefined;
  at: Date;
}

const TIMEOUT_MS = 10_000;
/** Most bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends one request, without following redirects. Certificates are verified. */
export class WebhookSender {
  private readonly addresses: WebhookAddresses;
  private readonly timeoutMs: number;

  constructor(addresses: WebhookAddresses, timeoutMs = TIMEOUT_MS) {
    this.addresses = addresses;
    this.timeoutMs = timeoutMs;
  }

  /** @throws the signal's reason when it is aborted */
  async send(request: WebhookRequest, signal: AbortSignal): Promise<SendResult> {
    const problem = this.addresses.problem(request.url);
    if (problem !== undefined) return { state: 'failed', answer: `The address ${problem}` };
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      const { status, text } = await this.exchange(request, AbortSignal.any([signal, timeout]));
      return resultOf(status, text);
    } catch (error) {
      if (signal.aborted) throw error;
      if (timeout.aborted) return { state: 'waiting', answer: `The receiver did not answer within ${this.timeoutMs / 1000} s.` };
      if (error instanceof RefusedAddress) return { state: 'failed', answer: error.message };
      const reason = error instanceof Error ? (errorCode(error) ?? error.message) : String(error);
      return { state: 'waiting', answer: `The receiver was not reached: ${shownAnswer(reason)}.` };
    }
  }

  private exchange({ id, url, body, secret, at }: WebhookRequest, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const timestamp = Math.floor(at.getTime() / 1000);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Sinebar',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...(secret !== undefined && { 'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body) }),
    };
    const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = send(url, { method: 'POST', headers, agent: false, lookup: this.addresses.lookup, signal }, (response) => {
        readAnswer(response).then(resolve, reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** Reads as much of an answer as is kept, and drops the connection. */
async function readAnswer(response: IncomingMessage): Promise<{ status: number; text: string }> {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  // The text of a successful answer does not matter, and it may come slowly.
  if (!isSuccess(status)) {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES) break;
    }
  }
  response.destroy();
  return { status, text: Buffer.concat(chunks).toString('utf8') };
}

function resultOf(status: number, text: string): SendResult {
  if (isSuccess(status)) return { state: 'delivered', answer: `The receiver answered ${status}.` };
  if (status >= 300 && status < 400) return { state: 'waiting', answer: `The receiver answered ${status}; redirects are not followed.` };
  const said = shownAnswer(text);
  const answer = said === '' ? `The receiver answered ${status}.` : `The receiver answered ${status}: ${said}`;
  // Gone: the receiver wants no more messages (Standard Webhooks).
  return { state: status === 410 ? 'failed' : 'waiting', answer };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
