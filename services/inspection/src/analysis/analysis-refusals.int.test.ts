import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { EVALUATIONS, AnalysisClient } from './analysed-part.fixture.ts';
import { AnalysisService } from './analysis-service.ts';

const VALUES = Array.from({ length: 20 }, (_, i) => 34 + (i % 3) / 10);

const reader = (plan: PathScope, measurement: PathScope): Principal => ({
  name: 'somebody',
  rightsKey: 'somebody',
  scopeOf: (right) => ({ 'plan:read': plan, 'measurement:read': measurement })[right as string] ?? PathScope.NOTHING,
  holds: () => false,
});

describeWith(['postgres'], 'analysis refuses', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  let measured: Awaited<ReturnType<AnalysisClient['measured']>>;

  beforeAll(async () => {
    inspection = await startInspection();
    measured = await client.measured({}, VALUES);
  });
  afterAll(() => inspection.stop());

  const refused = async (address: string, status: number): Promise<string> =>
    ((await client.get(address).expect(status)).body as ErrorBody).message;
  const WRONG: readonly [string, string][] = [
    ['subgroup=0', 'subgroup'],
    ['subgroup=501', 'subgroup'],
    ['subgroup=five', 'subgroup'],
    ['chart=pie', 'chart'],
    ['chart=xbarR', 'chart'],
    ['chart=individuals&subgroup=5', 'chart'],
    ['sigma=mean', 'sigma'],
    ['sigma=rbar', 'sigma'],
    ['sigma=movingRange&subgroup=5', 'sigma'],
    ['rules=nelson9', 'rules'],
    ['baselineFrom=yesterday', 'baselineFrom'],
    ['baselineTo=2026-02-30', 'baselineTo'],
    ['from=5', 'from'],
    ['to=now', 'to'],
    ['convention=iso', 'convention'],
    ['confidence=1', 'confidence'],
    ['confidence=0.4', 'confidence'],
    ['confidence=95', 'confidence'],
    ['exclude=abc', 'exclude'],
    ['limitResult=few', 'limitResult'],
    ['searchCondition=4>', 'searchCondition'],
    ['searchCondition=4711=[x]', 'searchCondition'],
  ];
  it.each(WRONG)('a summary with %s', async (query, parameter) => {
    expect(await refused(`characteristics/${measured.characteristic}/summary?${encodeURI(query)}`, 400)).toContain(parameter);
  });
  it.each([
    ['points=1', 'points'],
    ['points=20000', 'points'],
  ])('a series with %s', async (query, parameter) => {
    expect(await refused(`characteristics/${measured.characteristic}/series?${query}`, 400)).toContain(parameter);
  });
  it.each(['', 'characteristicUuids={}', `characteristicUuids={${randomUUID()}}`])('a correlation with %j', async (query) => {
    expect(await refused(`correlation?${query}`, 400)).toContain('characteristicUuids');
  });
  it('a characteristic that does not exist', async () => {
    const uuid = randomUUID();
    expect(await refused(`characteristics/${uuid}/summary`, 404)).toContain(uuid);
  });
  it.each(['summary', 'series', 'probability'])('the %s of a characteristic that is deleted', async (what) => {
    const { characteristic } = await client.measured({}, VALUES);
    await request(inspection.server).delete(`/dataServiceRest/characteristics/${characteristic}`).expect(200);
    expect(await refused(`characteristics/${characteristic}/${what}`, 404)).toContain(characteristic);
  });
  it('a part', async () => expect(await refused(`characteristics/${measured.part}/summary`, 404)).toContain('no characteristic'));
  it('a reader of the plan who may not read measurements', async () => {
    await inspection.as(reader(PathScope.EVERYTHING, PathScope.below('pother/')), async () => {
      expect(await refused(`characteristics/${measured.characteristic}/summary`, 403)).toContain('measurements');
    });
  });
  it('a reader of measurements who may not read the plan', async () => {
    await inspection.as(reader(PathScope.below('pother/'), PathScope.EVERYTHING), async () => {
      expect(await refused(`characteristics/${measured.characteristic}/series`, 403)).toContain('characteristic');
    });
  });
  it('more values than one request may read', async () => {
    const analysis = new AnalysisService({
      database: inspection.database,
      configurations: { read: () => Promise.resolve({ definitions: new Map(), purging: new Set() }) } as never,
      caseSensitive: false,
      evaluations: EVALUATIONS,
      maxValues: 19,
    });
    const options = {
      signal: AbortSignal.timeout(10_000),
      statementTimeoutMs: 10_000,
      fingerprint: '',
      headers: {},
      readInTurn: <T>(read: () => Promise<T>) => read(),
    };
    const principal = reader(PathScope.EVERYTHING, PathScope.EVERYTHING);
    const query = { aggregation: 'measurements' as const, points: 500 };
    await expect(analysis.probability(measured.characteristic, query, { ...options, principal })).rejects.toThrow(
      'There are more than 19 values. Select fewer with from and to, limitResult or searchCondition.',
    );
  });
});
