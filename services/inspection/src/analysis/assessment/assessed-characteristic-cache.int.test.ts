import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { ConfigurationReader } from '../../configuration/configuration.ts';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import { readPlantSettings } from '../../evaluation/settings/settings-service.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient } from '../analysed-part.fixture.ts';
import { AssessedCharacteristicCache } from './assessed-characteristic-cache.ts';
import { readAssessedCharacteristics, type AssessedCharacteristic } from './assessed-characteristics.ts';

describeWith(['postgres'], 'the cache of assessed characteristics', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  const plan = new PlanClient(() => inspection);
  const configurations = new ConfigurationReader();
  const reader = new EvaluationReader(async (session) => ({
    required: (await readPlantSettings(session)).required ?? 1.33,
    requiredSource: 'default',
  }));
  const cache = new AssessedCharacteristicCache({ configurations, evaluations: reader });

  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, ...[2110, 2111].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })));
  });
  afterAll(() => inspection.stop());

  const idOf = async (uuid: string) => (await sql<{ id: number }>(inspection, `SELECT id FROM plan_item WHERE uuid = '${uuid}'`))[0]!.id;

  /** Reads through the cache; the result has to be what a read without it returns. */
  const read = (partId: number, ids: readonly number[]): Promise<AssessedCharacteristic[]> =>
    inspection.database.read({ signal: AbortSignal.timeout(30_000), statementTimeoutMs: 30_000 }, async (session) => {
      const state = await cache.readState(session, partId);
      const cached = await cache.read(session, state, partId, ids);
      const { configuration } = state;
      expect(cached).toEqual(await readAssessedCharacteristics(session, { configuration, evaluations: reader }, partId, ids));
      return cached;
    });

  it('gives what was read before until something changes that it depends on', async () => {
    const { part, uuids, name } = await analysis.part({ 2110: 9, 2111: 11 }, {});
    const [first = '', second = ''] = uuids;
    const [partId, ...ids] = await Promise.all([part, first, second].map(idOf));
    let [before] = await read(partId!, ids);
    expect((await read(partId!, ids))[0]).toBe(before);
    const exclusions = [{ measurementUuid: '', reason: 'a mistake' }];
    const changes: Record<string, () => PromiseLike<unknown>> = {
      'the first characteristic set': async () => {
        [exclusions[0]!.measurementUuid = ''] = await analysis.measure(part, [{ [first]: 10 }]);
      },
      'a tolerance': () => plan.put('characteristic', [{ uuid: first, path: `PC:/${name}/c0/`, attributes: { 2110: 8 } }]).expect(200),
      'an evaluation of the part': () => evaluations.put('parts', part, { rules: ['nelson2'] }).expect(200),
      'an evaluation of the characteristic': () => evaluations.put('characteristics', first, { rules: ['nelson3'] }).expect(200),
      'the same evaluation again': () => evaluations.put('characteristics', first, { rules: ['nelson1'], autoClose: 3 }).expect(200),
      'an exclusion': () => evaluations.put('characteristics', first, { rules: ['nelson1'], exclusions }).expect(200),
      'the end of evaluations': () => evaluations.delete('characteristics', first).expect(200),
      'the required capability': () =>
        request(inspection.server)
          .put('/analysisServiceRest/settings')
          .send({ zone: 'UTC', shifts: [], required: 1.67, reason: 'a test' })
          .expect(200),
      'another path': () => plan.put('part', [{ uuid: part, path: `P:/${randomUUID()}/` }]).expect(200),
    };
    for (const [what, change] of Object.entries(changes)) {
      await change();
      const [after] = await read(partId!, ids);
      expect({ what, isReadAgain: after !== before }).toEqual({ what, isReadAgain: true });
      expect((await read(partId!, ids))[0]).toBe(after);
      before = after;
    }
  });

  it('reads only characteristics that it does not know', async () => {
    const { part, uuids } = await analysis.part({}, {});
    const [partId, first, second] = await Promise.all([part, ...uuids].map(idOf));
    const [known] = await read(partId!, [first!]);
    const both = await read(partId!, [second!, first!]);
    expect(both.map(({ characteristic }) => characteristic.id)).toEqual([first, second]);
    expect(both[0]).toBe(known);
    expect(await read(partId!, [second! + 1_000_000])).toEqual([]);
  });
});
