import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import type { PartOverview } from '@sinebar/contracts';
import { usualRule } from '@sinebar/statistics';
import { describeWith, eventually, reportFigures } from '@sinebar/testing';
import { IS_LONG, size } from '@sinebar/testing/size';
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

/** Watches how long the thread computes between two timers, which does not depend on what else the machine does. */
class TurnWatch {
  private last = process.threadCpuUsage();
  private longestMs = 0;
  private readonly timer = setInterval(() => this.look(), 1);

  /** @returns milliseconds of the longest turn */
  stop(): number {
    clearInterval(this.timer);
    return this.longestMs;
  }

  private look(): void {
    const { user, system } = process.threadCpuUsage(this.last);
    this.longestMs = Math.max(this.longestMs, (user + system) / 1000);
    this.last = process.threadCpuUsage();
  }
}

describeWith(['postgres'], `${VALUES} values of one characteristic`, () => {
  let inspection: RunningInspection;
  let part: string;
  let characteristic: string;
  let other: string;
  let deps: ConstructorParameters<typeof PartAnalysisService>[0];
  const client = new AnalysisClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    const made = await client.part({}, {});
    part = made.part;
    [characteristic = '', other = ''] = made.uuids;
    await client.measure(part, [{ [characteristic]: 20, [other]: 20 }]);
    const options = { signal: AbortSignal.timeout(LIMIT_MS), statementTimeoutMs: LIMIT_MS };
    await inspection.database.write(options, async (session) => {
      await session.query(
        `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, characteristic_set_id, aggregation, attributes, "values")
         SELECT gen_random_uuid(), part_id, measured_at + n * interval '1 minute', now(), now(), characteristic_set_id, false, '{}', ARRAY[20 + n % 10, 20 + n % 7]
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
    'have figures up to the most, and hold the event loop for a moment only',
    async () => {
      const analysis = new AnalysisService({ ...deps, evaluations: EVALUATIONS });
      const requests = (limitResult: number) => {
        const selection = { ...all, limitResult };
        const chart = { ...selection, subgroup: 1, rules: [usualRule('nelson1')], convention: 'aiagVda' as const };
        return {
          summary: () => analysis.summary(characteristic, { ...chart, confidence: 0.95, model: 'auto', content: 0.99 }, reader()),
          series: () => analysis.series(characteristic, { ...chart, points: 500, newest: 0 }, reader()),
          probability: () => analysis.probability(characteristic, { ...selection, points: 500 }, reader()),
          correlation: () => analysis.correlation([characteristic, other], { ...selection, confidence: 0.95 }, reader()),
        };
      };
      const most = (VALUES / 6) * 5;
      for (const [what, request] of Object.entries(requests(most))) {
        // The first request loads and compiles what it uses.
        await requests(1000)[what as keyof ReturnType<typeof requests>]();
        const turns = new TurnWatch();
        const reply = await request();
        const longest = turns.stop();
        expect((JSON.parse(String((reply as { text: Buffer }).text)) as { count: number }).count).toBe(most);
        reportFigures(`${what} of ${most} values: a turn of the event loop computes for at most ${longest.toFixed(0)} ms`);
        if (IS_LONG && what === 'correlation') expect(longest).toBeLessThan(50);
      }
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
      expect(overview).toMatchObject({ characteristics: [{ count: VALUES }, { count: VALUES }] });
    },
    LIMIT_MS,
  );
});
