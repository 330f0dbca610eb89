import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import type { CharacteristicSeries, CorrelationAnswer } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { ConfigurationReader } from '../configuration/configuration.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { EVALUATIONS, AnalysisClient } from './analysed-part.fixture.ts';
import { AnalysisService } from './analysis-service.ts';
import type { Results } from './calculations/calculate.ts';
import { Calculator } from './calculations/calculator.ts';
import type { Task } from './calculations/tasks.ts';

const VALUES = Array.from({ length: 30 }, (_, i) => 20 + (i % 7) / 10);
const ALL = { aggregation: 'measurements' as const };
const CHART = { ...ALL, subgroup: 1, rules: [], convention: 'aiagVda' as const };
const SERIES = { ...CHART, points: 1000, newest: 0 };

/** Stands for threads that are all in use until they are released. */
class BusyCalculator extends Calculator {
  waiting = 0;
  release: () => void = () => undefined;
  private free = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  override async run<K extends Task['kind']>(task: Extract<Task, { kind: K }>, signal: AbortSignal): Promise<Results[K]> {
    this.waiting += 1;
    await this.free;
    this.waiting -= 1;
    return super.run<K>(task, signal);
  }
}

describeWith(['postgres'], 'analysis that waits for a thread', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  let measured: Awaited<ReturnType<AnalysisClient['measured']>>;

  beforeAll(async () => {
    inspection = await startInspection();
    measured = await client.measured({}, VALUES);
  });
  afterAll(() => inspection.stop());

  const reader = () => ({
    signal: AbortSignal.timeout(60_000),
    statementTimeoutMs: 60_000,
    fingerprint: '',
    headers: {},
    principal: EVERYONE,
    readInTurn: <T>(read: () => Promise<T>) => read(),
  });
  const serviceOn = (calculator: Calculator) =>
    new AnalysisService({
      database: inspection.database,
      configurations: new ConfigurationReader(),
      caseSensitive: false,
      evaluations: EVALUATIONS,
      calculator,
    });

  it('holds no connection to the database [D10.10]', async () => {
    const calculator = new BusyCalculator();
    const analysis = serviceOn(calculator);
    const { part, uuids } = await client.part({}, {});
    const [x = '', y = ''] = uuids;
    await client.measure(
      part,
      VALUES.map((value, i) => ({ [x]: value, [y]: i })),
    );
    const answers = Promise.all([
      analysis.series(x, SERIES, reader()),
      analysis.summary(x, { ...CHART, confidence: 0.95, model: 'auto', content: 0.99 }, reader()),
      analysis.probability(x, { ...ALL, points: 100 }, reader()),
      analysis.correlation([x, y], { ...ALL, confidence: 0.95 }, reader()),
    ]);
    await eventually(() => calculator.waiting === 4);
    // Background jobs use a connection for a moment.
    await eventually(() => {
      const { requests, streams } = inspection.database.poolUsage();
      return requests.used === 0 && streams.used === 0;
    });
    calculator.release();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await analysis.close();
  });

  it('leaves out of a series what is deleted meanwhile', async () => {
    const { characteristic, measurements } = await client.measured({}, VALUES);
    const calculator = new BusyCalculator();
    const analysis = serviceOn(calculator);
    const answer = analysis.series(characteristic, SERIES, reader());
    await eventually(() => calculator.waiting === 1);
    await request(inspection.server).delete(`/dataServiceRest/measurements/${measurements[3]}`).expect(200);
    calculator.release();
    const reply = await answer;
    const series = JSON.parse(String((reply as { text: Buffer }).text)) as CharacteristicSeries;
    expect(series.count).toBe(VALUES.length - 1);
    expect(series.values?.map(({ measurementUuid }) => measurementUuid)).toEqual(measurements.filter((_, i) => i !== 3));
    await analysis.close();
  });

  it('pairs the values of measurements that have both characteristics', async () => {
    const { part, uuids } = await client.part({}, {});
    const [x = '', y = ''] = uuids;
    const rows = VALUES.map((value, i) => ({ [x]: i % 5 === 0 ? undefined : value, [y]: i % 3 === 0 ? undefined : i }));
    await client.measure(part, rows);
    const answer = await client.read<CorrelationAnswer>(`correlation?characteristicUuids={${x},${y}}`);
    expect(answer.points).toEqual(rows.flatMap(({ [x]: a, [y]: b }) => (a === undefined || b === undefined ? [] : [[a, b]])));
  });

  it('of one user reads values one at a time, and does not delay other requests [D10.10]', async () => {
    const analyses = await whileMeasurementsAreLocked(async () => {
      const sent = Array.from({ length: 12 }, () =>
        client.get(`characteristics/${measured.characteristic}/series`).then(({ status }) => status),
      );
      await eventually(async () => (await waitingReads()) > 0);
      for (let i = 0; i < 10; i += 1) await request(inspection.server).get('/dataServiceRest/parts').expect(200);
      expect(await waitingReads()).toBe(1);
      return sent;
    });
    expect(await Promise.all(analyses)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  it('gives the turn of a client that is gone to the next one', async () => {
    const status = await whileMeasurementsAreLocked(async () => {
      const left = client.get(`characteristics/${measured.characteristic}/series`);
      left.end(() => undefined);
      await eventually(async () => (await waitingReads()) === 1);
      left.abort();
      await eventually(async () => (await waitingReads()) === 0);
      const next = client.get(`characteristics/${measured.characteristic}/series`).then((answer) => answer.status);
      await eventually(async () => (await waitingReads()) === 1);
      return [next];
    });
    expect(await Promise.all(status)).toEqual([200]);
  });

  /** @returns promises in a list, which the lock does not wait for */
  const whileMeasurementsAreLocked = (work: () => Promise<Promise<number>[]>) => {
    const { signal, statementTimeoutMs } = reader();
    return inspection.database.write({ signal, statementTimeoutMs }, async (session) => {
      await session.query('LOCK TABLE measurement IN ACCESS EXCLUSIVE MODE');
      return work();
    });
  };

  /** Counts the analyses of characteristics that wait for the lock. Another session counts, because a transaction sees one state only. */
  const waitingReads = async () => {
    const [row] = await inspection.database.read(reader(), (session) =>
      session.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'COPY %CASE m.characteristic_set_id%'`,
      ),
    );
    return row?.count ?? 0;
  };
});
