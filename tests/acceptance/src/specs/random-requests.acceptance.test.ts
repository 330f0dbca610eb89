import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WireSender, type WireAnswer } from '@sinebar/testing/wire-requests';
import { size } from '@sinebar/testing/size';
import { reportFigures } from '@sinebar/testing';
import { DocumentedAnswers, type ApiDocument } from '../support/requests/documented-answers.ts';
import { preferring } from '../support/product/forms.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { RandomRequests, type RandomRequest, type RequestDocument } from '../support/requests/random-requests.ts';
import { worldRequests, type WholeRequest } from '../support/requests/random-world.ts';
import { errorBodyProblem, isReady, send } from '../support/requests/rest-client.ts';
import { SeededRandom } from '../support/requests/seeded-random.ts';
import type { Variant } from '../support/product/variant.ts';
import { presentKinds } from '../support/product/variants.ts';

const REQUESTS = size({ short: 1_000, long: 100_000 });
/** A failed run prints its seed; the same seed creates the same requests. */
const SEED = Number(process.env['SINEBAR_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const MS_PER_REQUEST = 100;
/** Number of concurrent requests. */
const SENDERS = 4;
/** Number of requests after which all entities are created again. */
const WORLD_EVERY = 100;
const MAX_STATUS = 504;
const SHOWN_PROBLEMS = 20;
const SHOWN_CHARACTERS = 2_000;
const SOCKETS = /^\/+(events|socket\.io)(\/|\?|$)/i;

const isPreferred = preferring('standalone');
const kinds = await presentKinds('random requests', (kind) => ['standalone', 'distributed'].includes(kind.name) && isPreferred(kind));

describe.each(kinds)('random requests on $name', (kind) => {
  let variant: Variant;
  let product: StartedProduct;
  let sender: WireSender;
  let documents: unknown[];
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start();
    sender = new WireSender(() => Number(new URL(product.url).port));
    const addresses = ['data', 'rawData', 'event'].map((service) => `/${service}ServiceRest/openapi.json`);
    documents = await Promise.all(addresses.map(async (path) => (await send(product.url, { path })).json()));
  }, 150_000);
  afterAll(async () => {
    sender.close();
    await product.stop();
    await variant.remove();
  }, 70_000);

  it(
    `are answered as documented, and never with 500 (${REQUESTS} requests)`,
    async () => {
      reportFigures(`random requests on ${kind.name}: SINEBAR_TEST_SEED=${SEED}`);
      const requests = new RandomRequests(documents as RequestDocument[], new SeededRandom(SEED));
      const answers = new DocumentedAnswers(documents as ApiDocument[]);
      const problems = new Map<string, string>();
      const counts = new Map<number, number>();
      const asked = new Set<string>();
      const succeeded = new Set<string>();
      const makeWorld = async () => {
        for (const request of worldRequests()) {
          const { status, text } = await sender.send(request);
          if (status === 500) problems.set(`world ${request.path}`, described(request, `500: ${text}`));
        }
      };
      let begun = 0;
      const sendAll = async () => {
        while (begun < REQUESTS && problems.size < SHOWN_PROBLEMS) {
          begun += 1;
          if (begun % WORLD_EVERY === 0) await makeWorld();
          const request = requests.next();
          asked.add(request.operation);
          const outcome = await sender.send(request).catch((error: Error) => error);
          if (!(outcome instanceof Error)) {
            counts.set(outcome.status, (counts.get(outcome.status) ?? 0) + 1);
            if (outcome.status < 400) succeeded.add(request.operation);
          }
          const problem = outcome instanceof Error ? `no answer: ${outcome.message}` : problemOf(request, outcome, answers);
          if (problem === undefined) continue;
          const key = `${request.operation} ${problem.slice(0, 60)}`;
          if (!problems.has(key)) problems.set(key, described(request, problem) + (outcome instanceof Error ? '' : logOf(outcome)));
        }
      };
      await makeWorld();
      await Promise.all(Array.from({ length: SENDERS }, sendAll));
      reportFigures(
        [...counts]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
      );
      expect([...problems.values()].join('\n\n')).toBe('');
      expect(await isReady(product.url)).toBe(true);
      expect([...requests.names].filter((name) => !asked.has(name))).toEqual([]);
      // Guards against a generator whose requests all fail at the same check.
      expect(succeeded.size).toBeGreaterThan(requests.names.length * 0.6);
    },
    180_000 + REQUESTS * MS_PER_REQUEST,
  );

  /** Log lines of the product about the request. */
  function logOf({ status, headers }: WireAnswer): string {
    const id = headers['x-request-id'];
    if (status !== 500 || typeof id !== 'string') return '';
    const lines = product
      .output()
      .split('\n')
      .filter((line) => line.includes(id));
    return `\n${lines.join('\n').slice(0, SHOWN_CHARACTERS)}`;
  }
});

/** Problems of an answer. */
function problemOf({ method, path }: RandomRequest, answer: WireAnswer, documented: DocumentedAnswers): string | undefined {
  const { status, headers } = answer;
  const text = answer.text.slice(0, 500);
  if (status === 500 || status < 100 || status > MAX_STATUS) return `${status}: ${text}`;
  if (status === 503 && headers['retry-after'] === undefined) return `503 without Retry-After: ${text}`;
  if (SOCKETS.test(path)) return undefined;
  const bytes = decompressed(answer);
  if (bytes === undefined) return `${status} cannot be decompressed: ${text}`;
  if (status >= 400 && method !== 'HEAD') {
    const problem = errorBodyProblem({ status, headers, bytes, json: () => undefined });
    if (problem !== undefined) return `${status}: ${problem}`;
    if (/\n? {2,}at .*\.(ts|js):\d/.test(bytes.toString())) return `${status} shows a stack: ${text}`;
  }
  const problem = documented.problem({ method, path, status, contentType: headers['content-type'], bytes });
  return problem === undefined ? undefined : `${status}: ${problem}`;
}

function decompressed({ headers, text }: WireAnswer): Buffer | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const encoding = headers['content-encoding'];
  if (bytes.length === 0) return bytes;
  try {
    if (encoding === 'gzip') return gunzipSync(bytes);
    if (encoding === 'br') return brotliDecompressSync(bytes);
    return encoding === 'deflate' ? inflateSync(bytes) : bytes;
  } catch {
    return undefined;
  }
}

/** A request in a repeatable form, and the problems of its answer. */
function described({ method, path, headers, body }: WholeRequest, problem: string): string {
  const sent = body === undefined ? '' : ` ${Buffer.from(body).toString('latin1').slice(0, SHOWN_CHARACTERS)}`;
  return `${method} ${path.slice(0, SHOWN_CHARACTERS)} ${JSON.stringify(headers)}${sent}\n  answered ${problem}`;
}
