import { describe, expect, it } from '@jest/globals';
import { testEnvelope, testEnvelopes } from '@sinebar/testing/bus-contract';
import { RecentMessages } from './recent-messages.ts';

describe('the messages that were stored last', () => {
  it('follow one another', () => {
    const recent = new RecentMessages();
    const [first, second, third] = testEnvelopes(3) as [ReturnType<typeof testEnvelope>, ReturnType<typeof testEnvelope>, never];
    recent.note([first, second], 7);
    recent.note([third], 8);
    expect([5, 6, 7].map((sequence) => recent.after(sequence))).toEqual([
      { sequence: 6, envelope: first },
      { sequence: 7, envelope: second },
      { sequence: 8, envelope: third },
    ]);
    expect(recent.after(4)).toBeUndefined();
    expect(recent.after(8)).toBeUndefined();
    expect([7, 8, 9].map((sequence) => recent.endAt(sequence))).toEqual([false, true, false]);
  });

  it('are none when their sequences are not known', () => {
    const recent = new RecentMessages();
    recent.note([testEnvelope(1)], 1);
    recent.note([testEnvelope(2), testEnvelope(2)], undefined);
    expect(recent.after(0)).toBeUndefined();
    expect(recent.after(1)).toBeUndefined();
    expect(recent.endAt(1)).toBe(false);
  });

  it('begin again behind messages that were stored in another way', () => {
    const recent = new RecentMessages();
    recent.note([testEnvelope(1)], 1);
    recent.note([testEnvelope(3)], 3);
    expect(recent.after(0)).toBeUndefined();
    expect(recent.after(1)).toBeUndefined();
    expect(recent.after(2)?.sequence).toBe(3);
  });

  it('are the last hundred, and at most 256 KiB', () => {
    const recent = new RecentMessages();
    recent.note(testEnvelopes(60), 60);
    recent.note(testEnvelopes(60), 120);
    expect(recent.after(19)).toBeUndefined();
    expect(recent.after(20)?.sequence).toBe(21);
    recent.note([{ ...testEnvelope(), sinebarpath: 'x'.repeat(300_000) }], 121);
    expect(recent.after(120)).toBeUndefined();
    recent.note([testEnvelope()], 122);
    expect(recent.after(121)?.sequence).toBe(122);
  });

  it('are not shared between readers', () => {
    const recent = new RecentMessages();
    recent.note([testEnvelope('original')], 1);
    const read = recent.after(0);
    if (read) read.envelope.sinebarpath = 'changed';
    expect(recent.after(0)?.envelope.sinebarpath).toBe('poriginal/');
  });
});
