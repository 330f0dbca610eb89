import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { correlationSchema, type CorrelationAnswer } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { AnalysisClient } from './analysed-part.fixture.ts';

describeWith(['postgres'], 'correlation of two characteristics', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const correlationOf = (...uuids: string[]) => client.read<CorrelationAnswer>(`correlation?characteristicUuids={${uuids.join(',')}}`);

  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  it('uses the measurements that have both values', async () => {
    const { part, uuids } = await client.part({}, {});
    const [a = '', b = ''] = uuids;
    await client.measure(
      part,
      [1, 2, 3, 4, 5].map((n) => ({ [a]: n, [b]: n === 3 ? undefined : n * 2 + (n % 2) })),
    );
    const correlation = await correlationOf(a, b);
    expect(correlationSchema.parse(correlation)).toEqual(correlation);
    expect(correlation).toMatchObject({
      count: 4,
      points: [
        [1, 3],
        [2, 4],
        [4, 8],
        [5, 11],
      ],
    });
    expect(correlation.pearson?.value).toBeCloseTo(20 / Math.sqrt(410), 10);
    expect(correlation.spearman).toBeCloseTo(1, 10);
  });
  it('says that characteristics belong to different parts', async () => {
    const other = await client.measured({}, [1, 2]);
    const one = await client.measured({}, [1, 2]);
    expect(await correlationOf(one.characteristic, other.characteristic)).toEqual({
      count: 0,
      points: [],
      notes: ['The characteristics belong to different parts, so no measurement has both.'],
    });
  });
});
