import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MessageLog } from '@sinebar/message-bus';
import { testEnvelope, testEnvelopes } from './test-envelopes.ts';

export interface LogUnderTest {
  /** An empty log whose `trim` keeps the newest `maxMessages` messages. */
  log: MessageLog;
  /** Opens the same log as after a restart. */
  reopen?: () => Promise<MessageLog>;
  close(): Promise<void>;
}

export interface LogContractOptions {
  /** Whether the log survives the process; `reopen` is then required. */
  durable: boolean;
}

/** Tests the contract that the in-process bus expects of a log. `create` is called before each test. */
export function describeMessageLog(
  name: string,
  create: (options: { maxMessages: number }) => Promise<LogUnderTest>,
  { durable }: LogContractOptions,
): void {
  describe(`${name} as message log`, () => {
    let opened: LogUnderTest;
    let log: MessageLog;

    beforeEach(async () => {
      opened = await create({ maxMessages: 10 });
      log = opened.log;
    });
    afterEach(async () => await opened.close());

    it('begins empty, with an epoch that fits into a client sequence', async () => {
      const state = await log.state();
      expect(state).toEqual({ epoch: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), firstSequence: 1, lastSequence: 0 });
      expect(await log.read(0, 100)).toEqual({ state, messages: [] });
    });

    it('has an epoch of its own', async () => {
      const another = await create({ maxMessages: 10 });
      try {
        expect((await another.log.state()).epoch).not.toBe((await log.state()).epoch);
      } finally {
        await another.close();
      }
    });

    it('returns messages as they were, in order, in pages', async () => {
      const envelopes = testEnvelopes(7);
      expect(await log.append(envelopes.slice(0, 3))).toBe(3);
      expect(await log.append(envelopes.slice(3))).toBe(7);
      const first = await log.read(0, 4);
      expect(first.state).toMatchObject({ firstSequence: 1, lastSequence: 7 });
      expect(first.messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
      const second = await log.read(4, 100);
      expect([...first.messages, ...second.messages].map(({ envelope }) => envelope)).toEqual(envelopes);
      expect((await log.read(7, 100)).messages).toEqual([]);
      expect((await log.read(1000, 100)).messages).toEqual([]);
    });

    it('keeps every character of a message', async () => {
      const envelope = { ...testEnvelope(), sinebarpath: 'p"quoted"\\ ünïcode 😀 \u2028\n\t\' $1 -- ;/' };
      await log.append([envelope]);
      expect((await log.read(0, 1)).messages[0]?.envelope).toEqual(envelope);
    });

    it('does not share objects between readers', async () => {
      await log.append([testEnvelope('original')]);
      const read = (await log.read(0, 1)).messages[0];
      if (read) read.envelope.sinebarpath = 'changed';
      expect((await log.read(0, 1)).messages[0]?.envelope.sinebarpath).toBe('poriginal/');
    });

    it('drops a repeated id, also within one call, without a hole in the sequences', async () => {
      const [first, second, third] = [testEnvelope(1), testEnvelope(2), testEnvelope(3)];
      expect(await log.append([first, second, first])).toBeUndefined();
      expect(await log.append([second])).toBeUndefined();
      expect(await log.append([first, third])).toBeUndefined();
      const { messages, state } = await log.read(0, 100);
      expect(messages.map(({ envelope }) => envelope.id)).toEqual([first.id, second.id, third.id]);
      expect(messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      expect(state.lastSequence).toBe(3);
    });

    it('takes an empty call', async () => {
      await log.append([]);
      expect(await log.state()).toMatchObject({ firstSequence: 1, lastSequence: 0 });
    });

    it('stores all messages of a call or none', async () => {
      const circular = testEnvelope() as unknown as Record<string, unknown>;
      circular['data'] = circular;
      const attempt = async () =>
        await log.append([testEnvelope(), circular as unknown as ReturnType<typeof testEnvelope>, testEnvelope()]);
      await expect(attempt()).rejects.toThrow();
      expect((await log.read(0, 10)).messages).toEqual([]);
      await log.append([testEnvelope()]);
      expect((await log.read(0, 10)).messages).toHaveLength(1);
    });

    it('trims the oldest messages and never uses a sequence again', async () => {
      const envelopes = testEnvelopes(25);
      await log.append(envelopes);
      const before = await log.state();
      await log.trim();
      const { state, messages } = await log.read(0, 100);
      expect(state).toEqual({ epoch: before.epoch, firstSequence: before.lastSequence - 9, lastSequence: before.lastSequence });
      expect(messages.map(({ envelope }) => envelope)).toEqual(envelopes.slice(15));
      await log.append([testEnvelope()]);
      expect((await log.state()).lastSequence).toBe(before.lastSequence + 1);
    });

    it('leaves a log below its limit alone', async () => {
      await log.append(testEnvelopes(10));
      const before = await log.state();
      await log.trim();
      expect(await log.state()).toEqual(before);
    });

    it('holds a thousand messages in one call', async () => {
      const envelopes = testEnvelopes(1000);
      await log.append(envelopes);
      expect((await log.read(0, 2000)).messages.map(({ envelope }) => envelope.id)).toEqual(envelopes.map(({ id }) => id));
    });

    if (!durable) return;

    it('is the same after a restart', async () => {
      const envelopes = testEnvelopes(12);
      await log.append(envelopes);
      await log.trim();
      const before = await log.read(0, 100);
      if (!opened.reopen) throw new Error('a durable log must be given with reopen');
      log = await opened.reopen();
      expect(await log.read(0, 100)).toEqual(before);
      await log.append([envelopes[11] as (typeof envelopes)[number], testEnvelope()]);
      expect((await log.read(before.state.lastSequence, 100)).messages).toHaveLength(1);
    });
  });
}
