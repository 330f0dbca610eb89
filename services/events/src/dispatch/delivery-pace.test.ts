import { describe, expect, it } from '@jest/globals';
import { DeliveryPace } from './delivery-pace.js';

const SIGNAL = new AbortController().signal;
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** A pace with a clock that only the test moves. */
function open() {
  const clock = { ms: 0 };
  return { clock, pace: new DeliveryPace(() => clock.ms) };
}

async function burst({ clock, pace }: ReturnType<typeof open>, lastsMs: number): Promise<void> {
  expect(pace.turn(SIGNAL)).toBeUndefined();
  clock.ms += lastsMs;
  await turnOfLoop();
}

describe('the pace of deliveries', () => {
  it('delivers the messages of one turn of the event loop at once, up to 100', () => {
    const { pace } = open();
    for (let i = 0; i < 100; i += 1) expect(pace.turn(SIGNAL)).toBeUndefined();
    expect(pace.turn(SIGNAL)).toBeInstanceOf(Promise);
  });

  it('rests as long as the last burst has lasted', async () => {
    const opened = open();
    await burst(opened, 20);
    opened.clock.ms += 19;
    expect(opened.pace.turn(SIGNAL)).toBeInstanceOf(Promise);
    const next = open();
    await burst(next, 20);
    next.clock.ms += 20;
    expect(next.pace.turn(SIGNAL)).toBeUndefined();
  });

  it('rests at most 50 ms', async () => {
    const opened = open();
    await burst(opened, 5_000);
    opened.clock.ms += 50;
    expect(opened.pace.turn(SIGNAL)).toBeUndefined();
  });

  it('does not rest after a short burst', async () => {
    const opened = open();
    await burst(opened, 2);
    expect(opened.pace.turn(SIGNAL)).toBeUndefined();
  });

  it('lets the waiting message and those behind it pass together after the rest', async () => {
    const opened = open();
    await burst(opened, 10);
    await opened.pace.turn(SIGNAL);
    expect(opened.pace.turn(SIGNAL)).toBeUndefined();
  });

  it('ends a rest on abort', async () => {
    const opened = open();
    await burst(opened, 5_000);
    const stop = new AbortController();
    const waiting = opened.pace.turn(stop.signal);
    stop.abort();
    await waiting;
  });
});
