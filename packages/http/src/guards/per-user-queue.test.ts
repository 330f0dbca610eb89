import type { IncomingMessage } from 'node:http';
import { EVERYONE, type Principal } from '@sinebar/access-control';
import { describe, expect, it } from '@jest/globals';
import { ClientDisconnected } from '../client-disconnected.ts';
import { PerUserQueue } from './per-user-queue.ts';

const from = (address: string) => ({ socket: { remoteAddress: address } }) as unknown as IncomingMessage;
const queueOf = (limit: number, waitMs?: number) =>
  new PerUserQueue({
    limit,
    what: 'imports',
    advice: 'Wait for one to end, or ask an administrator to raise SINEBAR_IMPORTS_PER_USER.',
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    ...(waitMs !== undefined && { waitMs }),
  });
const user = (userKey: string): Principal => ({ ...EVERYONE, name: 'ada', userKey });
const { signal } = new AbortController();

describe('queue per user', () => {
  it('lets a task wait until another of its user ends', async () => {
    const queue = queueOf(1);
    const order: string[] = [];
    const leave = await queue.enter(user('basic:ada'), from('192.0.2.1'), signal);
    const second = queue.enter(user('basic:ada'), from('192.0.2.2'), signal).then((end) => {
      order.push('second');
      return end;
    });
    (await queue.enter(user('basic:bob'), from('192.0.2.1'), signal))();
    order.push('first ends');
    leave();
    (await second)();
    expect(order).toEqual(['first ends', 'second']);
  });

  it('counts anonymous users by their address', async () => {
    const queue = queueOf(1, 10);
    await queue.enter(EVERYONE, from('192.0.2.1'), signal);
    await queue.enter(EVERYONE, from('192.0.2.2'), signal);
    await expect(queue.enter(EVERYONE, from('192.0.2.1'), signal)).rejects.toThrow('This address has 1 imports at the same time');
  });

  it('refuses what waits too long with 429 and Retry-After, and gives its place to nobody [D10.10]', async () => {
    const queue = queueOf(1, 10);
    const leave = await queue.enter(user('basic:ada'), from('192.0.2.1'), signal);
    await expect(queue.enter(user('basic:ada'), from('192.0.2.1'), signal)).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 5,
      message: expect.stringContaining('raise SINEBAR_IMPORTS_PER_USER'),
    });
    leave();
    (await queue.enter(user('basic:ada'), from('192.0.2.1'), signal))();
    await expect(queue.run(user('basic:ada'), from('192.0.2.1'), signal, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('refuses with 429 at the deadline of the request, and not when the client is gone', async () => {
    const queue = queueOf(1);
    await queue.enter(EVERYONE, from('192.0.2.1'), signal);
    for (const [reason, expected] of [
      [new Error('the deadline has passed'), { status: 429 }],
      [new ClientDisconnected(), { name: 'ClientDisconnected' }],
    ] as const) {
      const request = new AbortController();
      const waiting = queue.enter(EVERYONE, from('192.0.2.1'), request.signal);
      request.abort(reason);
      await expect(waiting).rejects.toMatchObject(expected);
    }
  });

  it('is off at 0', async () => {
    const queue = queueOf(0);
    await queue.enter(EVERYONE, from('192.0.2.1'), signal);
    await expect(queue.enter(EVERYONE, from('192.0.2.1'), signal)).resolves.toBeDefined();
  });
});
