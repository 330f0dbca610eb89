import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { MeasurementClient } from '../measurement-client.fixture.ts';

describeWith(['postgres'], 'a measurement of a part with many characteristics', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  it('keeps its values, with long gaps before, between and after them, digit by digit', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `PC:/Long/${i}/`);
    const [long = '', ...characteristics] = await plan.create('P:/Long/', ...names);
    const cases = [[0], [199], [100], [0, 199], [70, 71, 140], [10, 190], characteristics.map((_, i) => i)];
    const valuesOf = (positions: readonly number[]): Record<string, Record<string, string>> =>
      Object.fromEntries(
        positions.map((position) => [characteristics[position] ?? '', { 1: position % 2 === 0 ? `${position}.500` : `-1e-7` }]),
      );
    const sent = cases.map((positions) => ({ uuid: randomUUID(), partUuid: long, characteristics: valuesOf(positions) }));
    await client.post('values', sent).expect(201);
    for (const { uuid, characteristics: values } of sent) expect((await client.stored(uuid))?.characteristics).toEqual(values);
    const gaps = await sql<{ n: number; lower: number }>(
      inspection,
      `SELECT DISTINCT array_length("values", 1) AS n, array_lower("values", 1) AS lower FROM measurement
       WHERE part_id = (SELECT id FROM plan_item WHERE uuid = '${long}')`,
    );
    expect(gaps).toEqual([{ n: 200, lower: 1 }]);
    const [first, , third] = sent;
    await client.put('values', [{ ...first, characteristics: third?.characteristics }]).expect(200);
    expect((await client.stored(first?.uuid ?? ''))?.characteristics).toEqual(third?.characteristics);
  });
});
