import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import type { CreationRequest } from './measurement-creation.ts';
import { RequestQueue } from './request-queue.ts';

const LANES = 2;

/** Receives the groups and lets the test decide when and how each of them ends. */
class Writing {
  readonly groups: {
    requests: readonly CreationRequest[];
    signal: AbortSignal;
    end: (outcome?: readonly (ServiceError | undefined)[] | Error) => void;
  }[] = [];
  private readonly queue = new RequestQueue(this);

  create(requests: readonly CreationRequest[], { signal }: WorkOptions): Promise<readonly (ServiceError | undefined)[]> {
    return new Promise((resolve, reject) => {
      this.groups.push({ requests, signal, end: (outcome = []) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)) });
    });
  }

  /** @returns the outcome of the request */
  add(uuids: readonly string[], { values = 0, signal = new AbortController().signal } = {}): Promise<string> {
    const characteristics = { count: values, words: new Int32Array(0) };
    const sent = uuids.map((uuid) => ({
      uuid,
      partUuid: undefined,
      attributes: {},
      comment: undefined,
      values: {
        characteristics,
        values: new Float64Array(0),
        digits: new Uint8Array(0),
        texts: new Map<number, never>(),
        raw: new Map<number, never>(),
      },
    }));
    return this.queue.add({ sent, principal: EVERYONE, signal, statementTimeoutMs: 1000 }).then(
      () => 'written',
      (error: Error) => error.message,
    );
  }

  /** Uuids of each request in a group. */
  uuidsOf(group: number): string[][] | undefined {
    return this.groups[group]?.requests.map(({ batches }) => [...batches].flat().map(({ uuid }) => uuid));
  }

  /** Occupies all transactions, so that later requests wait. */
  async fill(): Promise<void> {
    for (let lane = 0; lane < LANES; lane += 1) void this.add([randomUUID()]);
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('batches of measurements', () => {
  it('writes at once while a lane is free, and writes waiting requests together', async () => {
    const writing = new Writing();
    await writing.fill();
    const waiting = [writing.add(['a']), writing.add(['b', 'c']), writing.add(['d'])];
    expect(writing.groups).toHaveLength(LANES);
    writing.groups[0]?.end();
    await settled();
    expect(writing.uuidsOf(LANES)).toEqual([['a'], ['b', 'c'], ['d']]);
    writing.groups[LANES]?.end();
    expect(await Promise.all(waiting)).toEqual(['written', 'written', 'written']);
  });

  it('reports to each request its own failure', async () => {
    const writing = new Writing();
    await writing.fill();
    const waiting = [writing.add(['a']), writing.add(['b'])];
    writing.groups[0]?.end();
    await settled();
    writing.groups[LANES]?.end([undefined, new ServiceError('InvalidRequest', 'b is wrong')]);
    expect(await Promise.all(waiting)).toEqual(['written', 'b is wrong']);
  });

  it('retries the requests of a failed transaction one by one, so that only the wrong one fails', async () => {
    const writing = new Writing();
    await writing.fill();
    const waiting = [writing.add(['a']), writing.add(['b'])];
    writing.groups[0]?.end();
    await settled();
    writing.groups[LANES]?.end(new ServiceError('AlreadyExists', 'a exists'));
    await settled();
    expect(writing.uuidsOf(LANES + 1)).toEqual([['a']]);
    writing.groups[LANES + 1]?.end(new ServiceError('AlreadyExists', 'a exists'));
    await settled();
    expect(writing.uuidsOf(LANES + 2)).toEqual([['b']]);
    writing.groups[LANES + 2]?.end();
    expect(await Promise.all(waiting)).toEqual(['a exists', 'written']);
  });

  it('does not retry when the database is unavailable', async () => {
    const writing = new Writing();
    await writing.fill();
    const waiting = [writing.add(['a']), writing.add(['b'])];
    writing.groups[0]?.end();
    await settled();
    writing.groups[LANES]?.end(new ServiceError('Unavailable', 'no database'));
    expect(await Promise.all(waiting)).toEqual(['no database', 'no database']);
    expect(writing.groups).toHaveLength(LANES + 1);
  });

  it('writes a request with a uuid of an earlier request in a later transaction', async () => {
    const writing = new Writing();
    await writing.fill();
    for (const uuids of [['a'], ['b', 'a'], ['b'], ['c']]) void writing.add(uuids);
    writing.groups[0]?.end();
    await settled();
    expect(writing.uuidsOf(LANES)).toEqual([['a'], ['c']]);
    writing.groups[1]?.end();
    await settled();
    expect(writing.uuidsOf(LANES + 1)).toEqual([['b', 'a']]);
  });

  it('limits the size of a transaction, and writes a large request alone', async () => {
    const writing = new Writing();
    await writing.fill();
    for (const [uuid, values] of [
      ['a', 100_000],
      ['b', 60_000],
      ['c', 30_000],
      ['d', 900_000],
    ] as const)
      void writing.add([uuid], { values });
    writing.groups[0]?.end();
    await settled();
    expect(writing.uuidsOf(LANES)).toEqual([['a'], ['c']]);
    for (const next of [1, LANES]) {
      writing.groups[next]?.end();
      await settled();
    }
    expect(writing.uuidsOf(LANES + 1)).toEqual([['b']]);
    expect(writing.uuidsOf(LANES + 2)).toEqual([['d']]);
  });

  it('drops aborted requests while they wait, and aborts a transaction only after all of its requests', async () => {
    const writing = new Writing();
    await writing.fill();
    const clients = Array.from({ length: 3 }, () => new AbortController());
    const waiting = clients.map(({ signal }, i) => writing.add([String(i)], { signal }));
    clients[0]?.abort(new Error('gone'));
    writing.groups[0]?.end();
    await settled();
    expect(writing.uuidsOf(LANES)).toEqual([['1'], ['2']]);
    expect(await waiting[0]).toBe('gone');
    clients[1]?.abort(new Error('gone'));
    expect(writing.groups[LANES]?.signal.aborted).toBe(false);
    clients[2]?.abort(new Error('gone too'));
    expect(writing.groups[LANES]?.signal.aborted).toBe(true);
    writing.groups[LANES]?.end(new Error('cancelled'));
    await settled();
  });
});
