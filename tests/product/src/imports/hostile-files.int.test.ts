import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pause } from '@sinebar/concurrency';
import { copyDataFolder, describeUnless, startBuiltProduct, type StartedProduct, reportFigures } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { hostileFiles, SeededRandom, type HostileFile } from './hostile-files.fixture.ts';

const FILES = 60;
const SECONDS = size({ short: 0, long: 600 });
const SEED = Number(process.env['SINEBAR_TEST_SEED'] ?? (SECONDS > 0 ? Date.now() : 7));
/** Longest turn of the event loop, ms of processor time: neither a wait for a processor nor garbage collection counts. */
const MAX_TURN_MS = 50;
/**
 * Most times that a file is sent until no turn is longer. A file does the same each time; other processes, which share the caches and the
 * cores, lengthen a turn at random.
 */
const MAX_SENDINGS = 3;
/** Time after which a client goes away; the server then ends the reader. */
const PATIENCE_MS = SECONDS > 0 ? 20_000 : 800;
const LIMIT_MS = 600_000 + 2 * SECONDS * 1000;
/** Stands for an answer that did not come, because the process has died. */
const DEAD = 599;
/** The times of turns are written this often. */
const WRITE_MS = 20;

const SCHEDSTAT = '/proc/self/schedstat';

describeUnless(existsSync(SCHEDSTAT) ? undefined : `no ${SCHEDSTAT}`, `hostile files (seed ${SEED})`, () => {
  let folder: string;
  let product: StartedProduct;
  let turnFile: string;
  let readTurns = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-hostile-'));
    // The database runs as another user when this process is root.
    await chmod(folder, 0o755);
    turnFile = join(folder, 'turns');
    await copyDataFolder('empty', join(folder, 'data'));
    const watch = pathToFileURL(join(import.meta.dirname, 'turn-watch.mjs')).href;
    const env = { SINEBAR_DATA_DIR: join(folder, 'data'), TURN_TIMES_FILE: turnFile, NODE_OPTIONS: `--import ${watch}` };
    product = await startBuiltProduct('standalone', { env });
    // Functions are compiled at their first use.
    for (const file of [...take(hostileFiles(new SeededRandom(1)), 1)]) await send(file, 'first');
    await longestTurn();
  }, LIMIT_MS);
  afterAll(async () => {
    await product.running.stop(20_000);
    await rm(folder, { recursive: true, force: true });
  }, LIMIT_MS);

  /** @returns the status; 0 when the client went away */
  async function send({ format, bytes }: HostileFile, part: string): Promise<{ status: number; text: string }> {
    try {
      const answer = await fetch(`${product.url}/exchangeServiceRest/imports?format=${format}&partPath=/${part}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: answer.status, text: (await answer.text()).slice(0, 300) };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return { status: 0, text: 'the client went away' };
      return { status: DEAD, text: `${String((error as Error).cause ?? error)}: ${product.running.output().slice(-2000)}` };
    }
  }

  /** Longest turn, delay and garbage collection since the last call, milliseconds. */
  async function longestTurn(): Promise<{ ranMs: number; delayMs: number; collectionMs: number }> {
    await pause(4 * WRITE_MS);
    const turns = (await readFile(turnFile, 'utf8')).trim().split('\n');
    const fresh = turns.slice(readTurns).map((line) => line.split(' ').map(Number));
    readTurns = turns.length;
    const longest = (column: number) => Math.max(...fresh.map((times) => times[column] ?? 0));
    return { ranMs: longest(0), delayMs: longest(1), collectionMs: longest(2) };
  }

  it(
    'never hold the event loop, never end the process, and are no failure of the server [D10.9]',
    async () => {
      const problems: string[] = [];
      const statuses = new Map<number, number>();
      const until = Date.now() + SECONDS * 1000;
      let [count, sentAgain, longestMs, delayMs, collectionMs] = [0, 0, 0, 0, 0];
      for (const file of hostileFiles(new SeededRandom(SEED))) {
        if (SECONDS > 0 ? Date.now() > until : count === FILES) break;
        count += 1;
        const what = `file ${count}, ${file.format}, ${file.kind}, ${file.bytes.length} bytes`;
        let ranMs = Infinity;
        let status = 0;
        for (let sending = 1; sending <= MAX_SENDINGS && ranMs > MAX_TURN_MS; sending += 1) {
          if (sending > 1) sentAgain += 1;
          const answer = await send(file, `hostile ${count}, ${sending}`);
          status = answer.status;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500) problems.push(`${what}: ${status} ${answer.text}`);
          if (status === DEAD) break;
          const turn = await longestTurn();
          ranMs = Math.min(ranMs, turn.ranMs);
          delayMs = Math.max(delayMs, turn.delayMs);
          collectionMs = Math.max(collectionMs, turn.collectionMs);
        }
        if (status === DEAD) break;
        if (ranMs > MAX_TURN_MS) problems.push(`${what}: a turn of at least ${ranMs.toFixed(0)} ms each of ${MAX_SENDINGS} times`);
        longestMs = Math.max(longestMs, ranMs);
      }
      reportFigures(
        `${count} hostile files, ${sentAgain} sent again: longest turn ${longestMs.toFixed(0)} ms, longest delay ${delayMs.toFixed(0)} ms, ` +
          `longest garbage collection ${collectionMs.toFixed(0)} ms, ` +
          `answers ${[...statuses]
            .sort()
            .map(([status, times]) => `${times} x ${status}`)
            .join(', ')}`,
      );
      expect(problems).toEqual([]);
      const health = await fetch(`${product.url}/healthServiceRest/ready`);
      expect(health.status).toBe(200);
    },
    LIMIT_MS,
  );
});

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if (taken === count) return;
    taken += 1;
    yield item;
  }
}
