import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { stopOnSignals } from './stop-on-signals.ts';

describe('stopOnSignals', () => {
  let signals: EventEmitter;
  let nowMs: number;
  let reasons: string[];
  let exits: number[];
  let finish: (clean: boolean) => void;

  beforeEach(() => {
    signals = new EventEmitter();
    nowMs = 1_000;
    reasons = [];
    exits = [];
    const shutdown = {
      run: (reason: string) => {
        reasons.push(reason);
        return new Promise<boolean>((resolve) => (finish = resolve));
      },
    };
    const stopped = Object.assign(signals, { exit: (code: number) => void exits.push(code) });
    stopOnSignals(stopped, shutdown, () => nowMs);
  });

  it('treats the copies of one Ctrl-C that npm passes on as one', async () => {
    signals.emit('SIGINT');
    nowMs += 20;
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    expect(reasons).toEqual(['SIGINT']);
    expect(exits).toEqual([]);
    finish(true);
    await new Promise(setImmediate);
    expect(exits).toEqual([0]);
  });

  it('exits at once at a second Ctrl-C', () => {
    signals.emit('SIGINT');
    nowMs += 900;
    signals.emit('SIGINT');
    expect(exits).toEqual([130]);
  });

  it('exits with 1 when something did not stop', async () => {
    signals.emit('SIGTERM');
    finish(false);
    await new Promise(setImmediate);
    expect(exits).toEqual([1]);
  });

  it('continues the shutdown when the terminal is closed meanwhile', () => {
    signals.emit('SIGINT');
    nowMs += 900;
    signals.emit('SIGHUP');
    expect(exits).toEqual([]);
  });
});
