import { describe, expect, it } from '@jest/globals';
import { SILENT_LOG } from '../log.ts';
import { findOutcome, outcomeFrom, type TransactionReport } from './transaction-outcome.ts';

const report = (status: TransactionReport['status'], state: Partial<TransactionReport> = {}): TransactionReport => ({
  isSameLife: true,
  isStandby: false,
  status,
  ...state,
});

describe('outcome of a transaction whose connection was lost during COMMIT', () => {
  it.each<[TransactionReport['status'], string | undefined, string | undefined]>([
    // The outcome on a server that kept its memory, and on one that crashed or was replaced.
    ['committed', 'committed', 'unknown'],
    ['aborted', 'aborted', 'aborted'],
    ['in progress', undefined, undefined],
    ['future', 'unknown', 'aborted'],
    ['forgotten', 'unknown', 'unknown'],
  ])('%s: %s, after a crash %s', (status, same, other) => {
    expect(outcomeFrom(report(status))).toBe(same);
    expect(outcomeFrom(report(status, { isSameLife: false }))).toBe(other);
    for (const isSameLife of [true, false]) expect(outcomeFrom(report(status, { isSameLife, isStandby: true }))).toBeUndefined();
  });

  /** Returns the answers in turn and repeats the last one. */
  function answering(...answers: (TransactionReport | Error)[]) {
    const asked: number[] = [];
    const ask = (elapsedMs: number): Promise<TransactionReport> => {
      const answer = answers[Math.min(asked.push(elapsedMs), answers.length) - 1] as TransactionReport | Error;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    return { ask, asked };
  }

  it('is requested until it is certain', async () => {
    const { ask, asked } = answering(
      new Error('connect ECONNREFUSED'),
      report('future', { isSameLife: false, isStandby: true }),
      report('in progress'),
      report('committed'),
    );
    expect(await findOutcome(ask, 10_000, SILENT_LOG)).toBe('committed');
    expect(asked).toHaveLength(4);
    expect(asked).toEqual([...asked].sort((a, b) => a - b));
  });

  it.each([[report('in progress')], [new Error('connect ECONNREFUSED')]])('is unknown at the time-out with %p', async (answer) => {
    const { ask, asked } = answering(answer);
    expect(await findOutcome(ask, 300, SILENT_LOG)).toBe('unknown');
    expect(asked.length).toBeGreaterThan(1);
  });
});
