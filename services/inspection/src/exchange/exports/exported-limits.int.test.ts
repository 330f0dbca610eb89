import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CharacteristicSeries } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { AnalysisClient } from '../../analysis/analysed-part.fixture.ts';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { define, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

describeWith(['postgres'], 'control limits in AQDEF', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, ...[8011, 8012, 8013].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })), {
      key: 12_004,
      entity: 'characteristic',
      type: 'Integer',
    });
  });
  afterAll(() => inspection.stop());

  const exported = async (part: string, format = 'aqdef') => {
    const answer = await request(inspection.server)
      .get(`/exchangeServiceRest/values?format=${format}&partUuids={${part}}`)
      .responseType('blob')
      .expect(200);
    return (answer.body as Buffer).toString('utf8');
  };
  const limitsIn = (text: string) => text.match(/^K801[123].*$/gm) ?? [];
  const given = (limits: object) => ({ stages: [{ limits: { kind: 'given', ...limits } }] });

  it('are those of attributes while no evaluation gives others', async () => {
    const { part } = await client.measured({ 8011: '10', 8012: '9', 8013: '12' }, [10, 11]);
    expect(limitsIn(await exported(part))).toEqual(['K8011/1 10', 'K8012/1 9', 'K8013/1 12']);
  });

  it.each<[string, object, string[]]>([
    ['both limits', given({ centerLine: 10, lower: 9.5, upper: 11.25 }), ['K8011/1 10', 'K8012/1 9.5', 'K8013/1 11.25']],
    [
      'one limit, so that the other one is as far away',
      given({ centerLine: 10, upper: 10.5 }),
      ['K8011/1 10', 'K8012/1 9.5', 'K8013/1 10.5'],
    ],
    ['a standard deviation', given({ centerLine: 10, sigma: 0.5 }), ['K8011/1 10', 'K8012/1 8.5', 'K8013/1 11.5']],
    [
      'a standard deviation of subgroups',
      { subgroups: { size: 4 }, ...given({ centerLine: 10, sigma: 0.5 }) },
      ['K8011/1 10', 'K8012/1 9.25', 'K8013/1 10.75'],
    ],
    [
      'a standard deviation of subgroups whose size is not known',
      { subgroups: { by: 14 }, ...given({ centerLine: 10, sigma: 0.5 }) },
      ['K8011/1 10'],
    ],
  ])('are those that the evaluation of a part gives by %s', async (_, state, expected) => {
    const { part } = await client.measured({ 8011: '1', 8012: '0', 8013: '2' }, [10, 11]);
    await evaluations.put('parts', part, state).expect(200);
    expect(limitsIn(await exported(part))).toEqual(expected);
    expect(await exported(part, 'csv')).not.toContain('8012');
  });

  it('are those of the newest stage of the nearest level', async () => {
    const { part, uuids } = await client.part({}, {});
    const [a = '', b = ''] = uuids;
    await client.measure(part, [{ [a]: 1, [b]: 2 }]);
    await evaluations.put('parts', part, given({ centerLine: 10, sigma: 1 })).expect(200);
    await evaluations.put('characteristics', a, { stages: [{ limits: { kind: 'computed' } }] }).expect(200);
    expect(limitsIn(await exported(part))).toEqual(['K8011/2 10', 'K8012/2 7', 'K8013/2 13']);
  });

  it('of a characteristic that counts are its centre line, from which its limits follow', async () => {
    const { part } = await client.measured({ 12004: '1' }, [1, 0]);
    await evaluations.put('parts', part, given({ centerLine: 0.1, sigma: 1 })).expect(200);
    expect(limitsIn(await exported(part))).toEqual(['K8011/1 0.1']);
  });

  it('are given again where the file is imported', async () => {
    const { part, characteristic, name } = await client.measured({}, [10, 10.1, 9.9, 10.2]);
    await evaluations.put('parts', part, given({ centerLine: 10, lower: 9.5, upper: 11.25 })).expect(200);
    await request(inspection.server)
      .post('/exchangeServiceRest/imports?format=aqdef&partPath=/copied')
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from(await exported(part)))
      .expect(201);
    const [copy] = await sql<{ uuid: string }>(
      inspection,
      `SELECT c.uuid FROM plan_item c JOIN plan_item p ON p.id = c.part_id WHERE c.kind = 'characteristic' AND p.name = $1 AND p.path LIKE 'pcopied/%'`,
      [name],
    );
    const chart = async (uuid: string) => (await client.read<CharacteristicSeries>(`characteristics/${uuid}/series`)).chart?.location;
    expect(await chart(copy?.uuid ?? '')).toEqual(await chart(characteristic));
    expect((await evaluations.read('characteristics', copy?.uuid ?? '')).sources.stages).toEqual({ kind: 'attribute', key: 8012 });
  });
});
