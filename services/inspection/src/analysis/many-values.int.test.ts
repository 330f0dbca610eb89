import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import type { PartOverview } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { ConfigurationReader } from '../configuration/configuration.ts';
import { markPartsByUuid } from '../shared/figure-changes.ts';
import { sql } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { EVALUATIONS, AnalysisClient, timeOf } from './analysed-part.fixture.ts';
import { AnalysisService } from './analysis-service.ts';
import { Calculator } from './calculations/calculator.ts';
import { PartAnalysisService } from './parts/part-analysis-service.ts';

/** Values of one characteristic. Five sixths of them are the limit: that of the product for 6,000,000. */
const VALUES = size({ short: 6000, long: 6_000_000 });
const LIMIT_MS = 60_000 + VALUES / 10;

describeWith(['postgres'], `${VALUES} values of one characteristic`, () => {
  let inspection: RunningInspection;
  let part: string;
  let characteristic: string;
  let deps: ConstructorParameters<typeof PartAnalysisService>[0];
  const client = new AnalysisClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    const measured = await client.measured({}, [20]);
    [part, characteristic] = [measured.part, measured.characteristic];
    const options = { signal: AbortSignal.timeout(LIMIT_MS), statementTimeoutMs: LIMIT_MS };
    await inspection.database.write(options, async (session) => {
      await session.query(
        `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, characteristic_set_id, aggregation, attributes, "values")
         SELECT gen_random_uuid(), part_id, measured_at + n * interval '1 minute', now(), now(), characteristic_set_id, false, '{}', ARRAY[20 + n % 10]
         FROM measurement, generate_series(1, $1::int - 1) AS n`,
        [VALUES],
      );
      await markPartsByUuid(session, [part]);
    });
    deps = {
      database: inspection.database,
      configurations: new ConfigurationReader(),
      evaluations: EVALUATIONS,
      calculator: new Calculator(),
      caseSensitive: false,
      maxValues: (VALUES / 6) * 5,
    };
  }, LIMIT_MS);
  afterAll(async () => {
    await deps.calculator.close();
    await inspection.stop();
  });

  const refusal = `There are more than ${(VALUES / 6) * 5} values. Select fewer with from and to, limitResult or searchCondition.`;
  const reader = () => ({
    signal: AbortSignal.timeout(LIMIT_MS),
    statementTimeoutMs: LIMIT_MS,
    fingerprint: '',
    headers: {},
    principal: EVERYONE,
    readInTurn: <T>(read: () => Promise<T>) => read(),
  });
  const all = { aggregation: 'measurements' as const };
  const page = { offset: 0, limit: 100 };

  it(
    'are too many for one request, which says how to select fewer',
    async () => {
      const analysis = new AnalysisService({ ...deps, evaluations: EVALUATIONS });
      await expect(analysis.probability(characteristic, { ...all, points: 500 }, reader())).rejects.toThrow(refusal);
      const reply = await analysis.probability(characteristic, { ...all, points: 500, limitResult: 1000 }, reader());
      expect(reply.status).toBe(200);
      await analysis.close();
    },
    LIMIT_MS,
  );

  it(
    'are too many for a selection of a part, but not for its kept figures',
    async () => {
      const parts = new PartAnalysisService(deps);
      const from = { text: timeOf(0), ms: Date.parse(timeOf(0)) };
      await expect(parts.overview(part, { ...all, ...page, from }, reader())).rejects.toThrow(refusal);
      expect((await parts.overview(part, { ...all, ...page }, reader())).status).toBe(200);
      await eventually(async () => (await sql(inspection, 'SELECT FROM figure_change')).length === 0, { timeoutMs: LIMIT_MS });
      const overview = await client.read<PartOverview>(`parts/${part}/overview`);
      expect(overview).toMatchObject({ characteristics: [{ count: VALUES }] });
    },
    LIMIT_MS,
  );
});
