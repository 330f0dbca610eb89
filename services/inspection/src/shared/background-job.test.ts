import { expect, it } from '@jest/globals';
import type { StepOutcome } from '@sinebar/concurrency';
import { eventually } from '@sinebar/testing';
import { BackgroundJob } from './background-job.ts';

class FailingJob extends BackgroundJob {
  private failures: number;
  readonly stepsAt: number[] = [];

  constructor(failures: number, warned: object[]) {
    super({ warn: (problem: object) => void warned.push(problem) } as never, 'failed');
    this.failures = failures;
  }

  step(): Promise<StepOutcome> {
    this.stepsAt.push(performance.now());
    return this.failures-- > 0 ? Promise.reject(new Error('the connection broke')) : Promise.resolve('nothing');
  }
}

it('a job whose step has failed tries again long before its usual interval', async () => {
  const warned: object[] = [];
  const job = new FailingJob(2, warned);
  job.start();
  await eventually(() => job.stepsAt.length === 3, { timeoutMs: 20_000 });
  await job.stop();
  const [first = NaN, second = NaN, third = NaN] = job.stepsAt;
  // Pauses that do not grow would fill the log while the database is away. A busy machine only makes them longer.
  expect(second - first).toBeGreaterThan(450);
  expect(third - second).toBeGreaterThan(950);
  expect(warned).toHaveLength(2);
});
