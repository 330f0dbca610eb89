import { setTimeout as pause } from 'node:timers/promises';
import { describeWith, reachableBytes } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { sql } from '../../plan/plan-client.fixture.ts';
import { fillMeasurements, PARTS } from '../many-measurements.fixture.ts';

const MEASUREMENTS = 200_000;
const OF_EACH = MEASUREMENTS / PARTS;
const MAX_GROWTH_BYTES = 40 * 2 ** 20;
/** Pause between samples, of which each collects garbage. */
const SAMPLE_PAUSE_MS = 100;

/** Measures the memory of this process, in which the service runs. @returns its largest growth during `work` */
async function growthDuring(work: () => PromiseLike<unknown>): Promise<number> {
  const before = reachableBytes();
  let most = before;
  let isDone = false;
  const done = Promise.resolve(work()).finally(() => (isDone = true));
  while (!isDone) {
    await Promise.race([done, pause(SAMPLE_PAUSE_MS)]);
    most = Math.max(most, reachableBytes());
  }
  await done;
  return most - before;
}

describeWith(['postgres'], `deleting ${MEASUREMENTS} measurements in one request`, () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
    await fillMeasurements(inspection, MEASUREMENTS);
  }, 120_000);
  afterAll(() => inspection.stop());

  const left = async () => (await sql<{ count: number }>(inspection, 'SELECT count(*)::int AS count FROM measurement'))[0]?.count;
  const remove = (query: string) => request(inspection.server).delete(`/dataServiceRest/${query}`).expect(200);
  /** Messages since the last call, with the count of their events. */
  const messages = async () => {
    const rows = await sql<{ part: string; path: string; events: number; different: number; parts: number }>(
      inspection,
      `SELECT envelope::json ->> 'sinebarpart' AS part, envelope::json ->> 'sinebarpath' AS path, count(*)::int AS events,
         count(DISTINCT event ->> 'MeasurementUuid')::int AS different, count(DISTINCT event ->> 'PartUuid')::int AS parts
       FROM outbox, json_array_elements(envelope::json -> 'data' -> 'events') AS event WHERE envelope::json ->> 'type' = 'MeasurementDeleted' GROUP BY outbox.id ORDER BY outbox.id`,
    );
    await sql(inspection, 'DELETE FROM outbox');
    return rows;
  };

  it('by part path buffers no events in memory and announces each deletion once', async () => {
    const growth = await growthDuring(() => remove('parts?partPath=/line0'));
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    const announced = await messages();
    expect(announced).toHaveLength(PARTS / 20);
    expect(new Set(announced.map(({ path }) => path)).size).toBe(PARTS / 20);
    expect(
      announced.every(
        ({ path, events, different, parts }) => path.startsWith('pline0/') && events === OF_EACH && different === OF_EACH && parts === 1,
      ),
    ).toBe(true);
  }, 120_000);

  it('by selection buffers no events in memory and announces each deletion once [I157]', async () => {
    const before = await left();
    const growth = await growthDuring(() => remove('measurements?aggregation=All'));
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    expect(await left()).toBe(0);
    const announced = await messages();
    expect(announced.reduce((sum, { different }) => sum + different, 0)).toBe(before);
    expect(announced.every(({ events, different, parts }) => events === different && parts === 1)).toBe(true);
  }, 120_000);
});
