import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { fillMeasurements } from '../many-measurements.fixture.ts';
import { PlanClient, sql } from '../../plan/plan-client.fixture.ts';

const MEASUREMENTS = size({ short: 40_000, long: 1_000_000 });
/** Longest time for which a change of the plan may wait for a deletion in the background. */
const MAX_WAIT_MS = 5_000;
const LIMIT_MS = 60_000 + MEASUREMENTS;

describeWith(['postgres'], `background deletion of ${MEASUREMENTS} measurements`, () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await fillMeasurements(inspection, MEASUREMENTS);
  }, 240_000);
  afterAll(() => inspection.stop());

  it(
    'does not block changes of the plan [D5.7]',
    async () => {
      let isDone = false;
      const waitsMs: number[] = [];
      const writer = (async () => {
        while (!isDone) {
          const begun = performance.now();
          await plan.create(`P:/written${waitsMs.length}/`);
          waitsMs.push(performance.now() - begun);
        }
      })();
      try {
        await request(inspection.server).delete('/dataServiceRest/measurements?runAsync=true&aggregation=All').expect(202);
        const open = 'SELECT FROM pending_operation WHERE finished_at IS NULL';
        await eventually(async () => (await sql(inspection, open)).length === 0, { timeoutMs: LIMIT_MS });
      } finally {
        isDone = true;
        await writer;
      }
      process.stdout.write(`${waitsMs.length} changes of the plan meanwhile, the slowest in ${Math.round(Math.max(...waitsMs))} ms\n`);
      expect(waitsMs.length).toBeGreaterThan(MEASUREMENTS / 2000);
      expect(Math.max(...waitsMs)).toBeLessThan(MAX_WAIT_MS);
      expect(await sql(inspection, 'SELECT FROM measurement LIMIT 1')).toEqual([]);
    },
    LIMIT_MS + 10_000,
  );
});
