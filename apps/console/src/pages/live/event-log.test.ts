import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventLog, MAX_EVENTS, newSince, RATE_SECONDS } from './event-log';

const START = Date.UTC(2026, 4, 8, 21, 41, 0);

describe('log of events', () => {
  let log: EventLog;
  let made: number;
  beforeEach(() => {
    log = new EventLog(START);
    made = 0;
  });
  const add = (nowMs: number, count = 1) => {
    for (let i = 0; i < count; i += 1) {
      made += 1;
      log.add('PartModified', { PartUuid: 'p' }, { id: String(made), time: new Date(nowMs).toISOString(), sequence: '' }, nowMs);
    }
  };

  it('lists the newest first', () => {
    add(START, 3);
    expect(log.snapshot(START).events.map(({ id }) => id)).toEqual(['3', '2', '1']);
  });

  it('keeps the newest events only', () => {
    add(START, MAX_EVENTS * 3);
    const { events } = log.snapshot(START);
    expect(events).toHaveLength(MAX_EVENTS);
    expect(events[0]?.id).toBe(String(MAX_EVENTS * 3));
  });

  it('counts what came after the reader looked', () => {
    add(START, 2);
    log.look(START);
    add(START, 5);
    expect(newSince(log.snapshot(START))).toBe(5);
  });

  it('counts all events as new when the one that was seen is no longer kept', () => {
    add(START);
    log.look(START);
    add(START, MAX_EVENTS * 2);
    expect(newSince(log.snapshot(START))).toBe(MAX_EVENTS);
  });

  it('has nothing new before the reader looked', () => {
    add(START, 2);
    expect(newSince(log.snapshot(START))).toBe(0);
  });

  it('counts events of each second, the current one last', () => {
    add(START, 2);
    add(START + 2000, 3);
    expect(log.snapshot(START + 3000).rates.slice(-4)).toEqual([2, 0, 3, 0]);
  });

  it('forgets rates after five minutes', () => {
    add(START, 2);
    const { rates, kinds } = log.snapshot(START + RATE_SECONDS * 1000);
    expect(rates.reduce((sum, rate) => sum + rate, 0)).toBe(0);
    expect(kinds.planChanged).toBe(0);
  });

  it('counts kinds', () => {
    add(START, 2);
    expect(log.snapshot(START + 10_000).kinds.planChanged).toBe(2);
  });

  it('lists a gap between events', () => {
    add(START);
    log.addGap(START);
    expect(log.snapshot(START).events.map(({ kind }) => kind)).toEqual(['gap', 'change']);
  });

  it('forgets events when it is cleared, not the rates', () => {
    add(START);
    log.clear();
    const { events, rates } = log.snapshot(START);
    expect(events).toHaveLength(0);
    expect(rates.at(-1)).toBe(1);
  });
});
