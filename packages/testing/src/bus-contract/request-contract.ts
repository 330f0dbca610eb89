import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Bus, Subscription } from '@sinebar/message-bus';
import { eventually } from '../eventually.ts';
import { Gate } from './test-envelopes.ts';

export interface BusUnderTest {
  bus: Bus;
  /** A second bus on the same stream and subjects, or the same object where only one is possible. */
  other: Bus;
  /** Removes all but the newest messages from the stream, as its limits would. */
  trimTo(keep: number): Promise<void>;
  close(): Promise<void>;
}

/** Tests the part of the bus contract without the stream; `under` returns what the current test opened. */
export function describeRequests(under: () => BusUnderTest): void {
  describe('beside the stream', () => {
    let bus: Bus;
    let other: Bus;

    beforeEach(() => {
      ({ bus, other } = under());
    });

    const request = async (subject: string, body: unknown, options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
      await bus.request(subject, body, { timeoutMs: 5_000, signal: new AbortController().signal, ...options });

    describe('a request', () => {
      it('brings the answer, both as JSON', async () => {
        const bodies: unknown[] = [];
        await other.respond('sinebar.test.echo', (body) => {
          bodies.push(body);
          return Promise.resolve({ when: new Date(0), got: body });
        });
        const sent = { text: 'ä\n"', when: new Date(0), nested: [1, null, { deep: true }], left: undefined };
        const seen = { text: 'ä\n"', when: '1970-01-01T00:00:00.000Z', nested: [1, null, { deep: true }] };
        expect(await request('sinebar.test.echo', sent)).toEqual({ when: '1970-01-01T00:00:00.000Z', got: seen });
        expect(bodies).toEqual([seen]);
        expect(await request('sinebar.test.echo', undefined)).toEqual({ when: '1970-01-01T00:00:00.000Z', got: null });
      });

      it('brings null for an answer of nothing', async () => {
        await other.respond('sinebar.test.nothing', () => Promise.resolve());
        expect(await request('sinebar.test.nothing', {})).toBeNull();
      });

      it('fails with the message of the responder, which answers the next request', async () => {
        let calls = 0;
        await other.respond('sinebar.test.moody', () => {
          calls += 1;
          if (calls === 1) throw new Error('Ask me later.');
          return calls === 2 ? Promise.reject(new Error('Or later.')) : Promise.resolve('fine');
        });
        const failures = [await request('sinebar.test.moody', 1).catch(String), await request('sinebar.test.moody', 2).catch(String)];
        expect(failures).toEqual(['RequestFailedError: Ask me later.', 'RequestFailedError: Or later.']);
        await expect(request('sinebar.test.moody', 3)).resolves.toBe('fine');
      });

      it('fails when the answer is no JSON', async () => {
        await other.respond('sinebar.test.bigint', () => Promise.resolve(1n));
        await expect(request('sinebar.test.bigint', {})).rejects.toMatchObject({ name: 'RequestFailedError' });
      });

      it('fails at once when nobody answers', async () => {
        const began = performance.now();
        await expect(request('sinebar.test.nobody', {})).rejects.toMatchObject({ name: 'BusUnavailableError' });
        expect(performance.now() - began).toBeLessThan(2_000);
      });

      it('fails when the answer takes too long', async () => {
        const gate = new Gate();
        await other.respond('sinebar.test.slow', async () => await gate.pass());
        await expect(request('sinebar.test.slow', {}, { timeoutMs: 60 })).rejects.toMatchObject({ name: 'RequestTimedOutError' });
        gate.open();
      });

      it('ends with the reason of its signal, before and while it runs', async () => {
        const gate = new Gate();
        let calls = 0;
        await other.respond('sinebar.test.aborted', async () => {
          calls += 1;
          await gate.pass();
        });
        const reason = new Error('the client disconnected');
        await expect(request('sinebar.test.aborted', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
        expect(calls).toBe(0);
        const controller = new AbortController();
        const waiting = request('sinebar.test.aborted', {}, { signal: controller.signal });
        const outcome = expect(waiting).rejects.toBe(reason);
        await eventually(() => calls === 1, 'the responder');
        controller.abort(reason);
        await outcome;
        gate.open();
      });

      it('goes to one of several responders', async () => {
        const counts = [0, 0];
        const responders: Subscription[] = [];
        for (const [index, responder] of [bus, other].entries()) {
          responders.push(
            await responder.respond('sinebar.test.shared', () => {
              counts[index] = (counts[index] ?? 0) + 1;
              return Promise.resolve(index);
            }),
          );
        }
        for (let round = 0; round < 60; round += 1) await request('sinebar.test.shared', round);
        expect(counts.reduce((sum, count) => sum + count)).toBe(60);
        expect(Math.min(...counts)).toBeGreaterThan(0);
        await responders[0]?.stop();
        for (let round = 0; round < 10; round += 1) expect(await request('sinebar.test.shared', round)).toBe(1);
        await responders[1]?.stop();
        await expect(request('sinebar.test.shared', {})).rejects.toMatchObject({ name: 'BusUnavailableError' });
      });

      it('runs beside others', async () => {
        const gate = new Gate();
        let running = 0;
        await other.respond('sinebar.test.parallel', async (body) => {
          running += 1;
          await gate.pass();
          return body;
        });
        const answers = Promise.all([1, 2, 3].map(async (body) => await request('sinebar.test.parallel', body)));
        await eventually(() => running === 3, 'three handlers');
        gate.open();
        expect(await answers).toEqual([1, 2, 3]);
      });

      it('needs one plain subject', async () => {
        for (const subject of ['', 'a b', 'a..b', 'a.*', '>', '.a']) {
          await expect(request(subject, {})).rejects.toMatchObject({ name: 'TypeError' });
          await expect(bus.respond(subject, () => Promise.resolve())).rejects.toMatchObject({ name: 'TypeError' });
        }
      });
    });

    describe('a signal', () => {
      it('reaches every listener, also after one that fails, until it stops', async () => {
        const counts = { failing: 0, first: 0, second: 0 };
        await bus.onSignal('sinebar.test.wake', () => {
          counts.failing += 1;
          throw new Error('listener fault');
        });
        const first = await bus.onSignal('sinebar.test.wake', () => void (counts.first += 1));
        await other.onSignal('sinebar.test.wake', () => void (counts.second += 1));
        bus.signal('sinebar.test.wake');
        await eventually(() => counts.first === 1 && counts.second === 1 && counts.failing === 1, 'all listeners');
        await first.stop();
        bus.signal('sinebar.test.wake');
        await eventually(() => counts.second === 2 && counts.failing === 2, 'the others');
        // A later signal shows that the one before it has reached every listener.
        bus.signal('sinebar.test.wake');
        await eventually(() => counts.second === 3 && counts.failing === 3, 'the others once more');
        expect(counts.first).toBe(1);
      });

      it('never fails', async () => {
        expect(() => bus.signal('sinebar.test.unheard')).not.toThrow();
        expect(() => bus.signal('')).not.toThrow();
        await under().close();
        expect(() => bus.signal('sinebar.test.unheard')).not.toThrow();
      });
    });
  });
}
