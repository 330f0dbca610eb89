import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { evaluationListSchema, type EvaluationState } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { AnalysisClient } from '../analysis/analysed-part.fixture.ts';
import { define, PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { EvaluationClient, messageOf } from './evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

const user = (name: string, plan: PathScope, write = plan): Principal => ({
  name,
  rightsKey: name,
  scopeOf: (right) => ({ 'plan:read': plan, 'plan:write': write })[right as string] ?? PathScope.NOTHING,
  holds: () => false,
});

describeWith(['postgres'], 'evaluations', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const analysis = new AnalysisClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[8011, 8012, 8013, 8520].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
    );
  });
  afterAll(() => inspection.stop());

  const evaluations = new EvaluationClient(() => inspection);

  it('is that of the server where nothing else is said', async () => {
    const { bore } = await evaluations.branch();
    const server = { kind: 'server' };
    expect((await evaluations.get('characteristics', bore).expect(200)).body).toEqual({
      chart: 'individuals',
      subgroups: { size: 1 },
      rules: ['nelson1'],
      model: 'auto',
      required: 1.33,
      stages: [],
      ewma: { lambda: 0.2, width: 3 },
      cusum: { k: 0.5, h: 4 },
      exclusions: [],
      sources: {
        chart: server,
        subgroups: server,
        rules: server,
        model: server,
        required: server,
        stages: server,
        ewma: server,
        cusum: server,
      },
      own: {},
      revision: 0,
    });
  });

  it('takes each member from the nearest level', async () => {
    const { line, cell, bore, depth } = await evaluations.branch();
    await evaluations.put('parts', line, { model: 'weibull', required: 2, owner: 'line' }).expect(200);
    await evaluations.put('parts', cell, { required: 1.5, rules: ['Nelson3:6', 'nelson2:7'] }).expect(200);
    await evaluations.put('characteristics', bore, { subgroups: { size: 5 } }).expect(200);
    expect(await evaluations.read('characteristics', depth)).toMatchObject({
      chart: 'xbarR',
      model: 'weibull',
      required: 1.5,
      owner: 'line',
      rules: ['nelson3', 'nelson2:7'],
      subgroups: { size: 5 },
      sources: {
        chart: { kind: 'server' },
        model: { kind: 'part', uuid: line },
        required: { kind: 'part', uuid: cell },
        owner: { kind: 'part', uuid: line },
        rules: { kind: 'part', uuid: cell },
        subgroups: { kind: 'characteristic', uuid: bore },
      },
      own: {},
      revision: 0,
    });
    expect(await evaluations.read('characteristics', bore)).toMatchObject({ own: { subgroups: { size: 5 } }, revision: 1 });
    expect(await evaluations.read('parts', cell)).toMatchObject({ model: 'weibull', required: 1.5, subgroups: { size: 1 } });
  });

  it('reads control limits and the required value of attributes, below what a level says', async () => {
    const { part, uuids } = await analysis.part(
      { 8011: '10', 8012: '9.5', 8013: '11', 8520: '1.67' },
      { 8012: '9', 8013: '11' },
      { 8011: '10', 8013: '11' },
      { 8012: '9' },
      { 8011: '8', 8012: '9', 8013: '11' },
    );
    const stages = await Promise.all(uuids.map(async (uuid) => (await evaluations.read('characteristics', uuid)).stages));
    expect(stages).toEqual([
      [{ limits: { kind: 'given', centerLine: 10, lower: 9.5, upper: 11 } }],
      [{ limits: { kind: 'given', centerLine: 10, lower: 9, upper: 11 } }],
      [{ limits: { kind: 'given', centerLine: 10, upper: 11 } }],
      [],
      [],
    ]);
    const [first = ''] = uuids;
    expect(await evaluations.read('characteristics', first)).toMatchObject({
      required: 1.67,
      sources: { required: { kind: 'attribute', key: 8520 }, stages: { kind: 'attribute', key: 8012 } },
    });
    await evaluations.put('parts', part, { required: 1.1, stages: [] }).expect(200);
    expect(await evaluations.read('characteristics', first)).toMatchObject({
      required: 1.1,
      stages: [],
      sources: { required: { kind: 'part' } },
    });
  });

  it('keeps chart and subgroups of the nearer level where they do not fit', async () => {
    const { line, cell, bore } = await evaluations.branch();
    await evaluations.put('parts', line, { subgroups: { size: 5 }, chart: 'xbarR' }).expect(200);
    await evaluations.put('parts', cell, { subgroups: { size: 1 } }).expect(200);
    expect(await evaluations.read('characteristics', bore)).toMatchObject({ chart: 'individuals', sources: { chart: { kind: 'server' } } });
    await evaluations.put('characteristics', bore, { chart: 'xbarS' }).expect(200);
    expect(await evaluations.read('characteristics', bore)).toMatchObject({
      chart: 'xbarS',
      subgroups: { size: 5 },
      sources: { subgroups: { kind: 'server' } },
    });
  });

  it('replaces the own state, removes it, and keeps every state in the history with user, time and reason', async () => {
    const { bore } = await evaluations.branch();
    await inspection.as(user('ada', PathScope.EVERYTHING), async () => {
      await evaluations
        .put('characteristics', bore, { model: 'gamma', target: 20, silence: 'PT4H', autoClose: 7, reaction: 'Stop.' }, 'first')
        .expect(200);
      await evaluations.put('characteristics', bore, { chart: 'ewma', ewma: { lambda: 0.3, width: 2.7 } }, 'second').expect(200);
    });
    expect((await evaluations.read('characteristics', bore)).own).toEqual({ chart: 'ewma', ewma: { lambda: 0.3, width: 2.7 } });
    await evaluations.delete('characteristics', bore, '?reason=start+again').expect(200);
    expect(await evaluations.read('characteristics', bore)).toMatchObject({ own: {}, revision: 0, model: 'auto', chart: 'individuals' });
    await evaluations.put('characteristics', bore, {}, 'empty').expect(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown as string;
    expect(await evaluations.history('characteristics', bore)).toEqual([
      { revision: 4, time, reason: 'empty', state: {} },
      { revision: 3, time, reason: 'start again' },
      { revision: 2, time, user: 'ada', reason: 'second', state: { chart: 'ewma', ewma: { lambda: 0.3, width: 2.7 } } },
      {
        revision: 1,
        time,
        user: 'ada',
        reason: 'first',
        state: { model: 'gamma', target: 20, silence: 'PT4H', autoClose: 7, reaction: 'Stop.' },
      },
    ]);
  });

  describe('exclusions', () => {
    it('are those of all levels; known ones keep user and time', async () => {
      const { part, characteristic, measurements } = await analysis.measured({}, [1, 2, 3, 4]);
      const [first = '', second = '', third = ''] = measurements;
      await inspection.as(user('ada', PathScope.EVERYTHING), async () => {
        await evaluations.put('parts', part, { exclusions: [{ measurementUuid: first, reason: 'dropped' }] }).expect(200);
        await evaluations.put('characteristics', characteristic, { exclusions: [{ measurementUuid: second, reason: 'dirt' }] }).expect(200);
      });
      const before = (await evaluations.read('characteristics', characteristic)).exclusions;
      expect(before.map(({ measurementUuid, user: name }) => [measurementUuid, name])).toEqual([
        [first, 'ada'],
        [second, 'ada'],
      ]);
      await inspection.as(user('ben', PathScope.EVERYTHING), async () => {
        const { own } = await evaluations.read('characteristics', characteristic);
        const exclusions = [...(own.exclusions ?? []), { measurementUuid: third, reason: 'typing mistake' }];
        await evaluations.put('characteristics', characteristic, { ...own, exclusions }).expect(200);
      });
      const after = (await evaluations.read('characteristics', characteristic)).exclusions;
      expect(after.slice(0, 2)).toEqual(before);
      expect(after[2]).toMatchObject({ measurementUuid: third, reason: 'typing mistake', user: 'ben' });
      expect((await evaluations.history('characteristics', characteristic))[0]?.state?.exclusions).toEqual(after.slice(1));
      // The part does not know what its characteristic excludes.
      expect((await evaluations.read('parts', part)).exclusions).toEqual(before.slice(0, 1));
    });

    it('go with a deleted measurement, also when a new one has its uuid', async () => {
      const { part, characteristic, measurements } = await analysis.measured({}, [1, 2]);
      const [first = '', second = ''] = measurements;
      const exclusions = measurements.map((measurementUuid) => ({ measurementUuid, reason: 'dirt' }));
      await evaluations.put('characteristics', characteristic, { exclusions }).expect(200);
      await plan.delete(`measurements/${first}`).expect(200);
      expect((await evaluations.read('characteristics', characteristic)).exclusions.map(({ measurementUuid }) => measurementUuid)).toEqual([
        second,
      ]);
      await request(inspection.server)
        .post('/dataServiceRest/values')
        .send([{ uuid: first, partUuid: part, characteristics: {} }])
        .expect(201);
      expect((await evaluations.read('characteristics', characteristic)).own.exclusions?.length).toBe(1);
      await request(inspection.server).post(`/dataServiceRest/parts/${part}/clear?keep=subParts`).expect(200);
      expect(
        await sql(inspection, 'SELECT FROM evaluation_exclusion x WHERE NOT EXISTS (SELECT FROM measurement WHERE id = measurement_id)'),
      ).toEqual([]);
    });

    it('of a part above show only measurements of the part of the characteristic', async () => {
      const { name, line } = await evaluations.branch();
      const uuid = (await plan.create(`PC:/${name}/own/`))[0] ?? '';
      const [inLine = ''] = await analysis.measure(line, [{ [uuid]: 1 }]);
      const other = await analysis.measured({}, [1]);
      await evaluations.put('parts', line, { exclusions: [{ measurementUuid: inLine, reason: 'dirt' }] }).expect(200);
      expect((await evaluations.read('characteristics', uuid)).exclusions.length).toBe(1);
      const below = (await plan.list('characteristic', `partPath=${encodeURIComponent(`/${name}/cell/`)}`))[0]?.uuid ?? '';
      expect((await evaluations.read('characteristics', below)).exclusions).toEqual([]);
      const refused = await evaluations.put('parts', line, { exclusions: [{ measurementUuid: other.measurements[0], reason: 'dirt' }] });
      expect([refused.status, messageOf(refused)]).toEqual([
        400,
        `exclusions[0].measurementUuid: There is no measurement ${other.measurements[0] ?? ''} of the part ${line} or below it.`,
      ]);
    });
  });

  describe('two people', () => {
    it('do not overwrite each other: the second one gets 412 with If-Match', async () => {
      const { bore } = await evaluations.branch();
      const { etag = '' } = (await evaluations.get('characteristics', bore)).headers as { etag?: string };
      const written = await evaluations.put('characteristics', bore, { model: 'normal' }).set('If-Match', etag).expect(200);
      const refused = await evaluations.put('characteristics', bore, { model: 'gamma' }).set('If-Match', etag).expect(412);
      expect(messageOf(refused)).toBe(`The evaluation of the characteristic ${bore} has changed. Read it again.`);
      await evaluations.delete('characteristics', bore).set('If-Match', etag).expect(412);
      expect((await evaluations.read('characteristics', bore)).model).toBe('normal');
      const current = (await evaluations.get('characteristics', bore)).headers['etag'];
      expect([current, (refused.headers as Record<string, string>)['etag']]).toEqual([written.headers['etag'], written.headers['etag']]);
      await evaluations
        .get('characteristics', bore)
        .set('If-None-Match', current ?? '')
        .expect(304);
      await evaluations
        .delete('characteristics', bore)
        .set('If-Match', current ?? '')
        .expect(200);
    });

    it('are serialised without it', async () => {
      const { bore } = await evaluations.branch();
      const models = ['normal', 'gamma', 'weibull', 'rayleigh', 'student', 'auto'];
      await Promise.all(models.map((model) => evaluations.put('characteristics', bore, { model }).expect(200)));
      const revisions = await evaluations.history('characteristics', bore);
      expect(revisions.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2, 1]);
      expect(revisions.map(({ state }) => state?.model).sort()).toEqual([...models].sort());
      expect((await evaluations.read('characteristics', bore)).model).toBe(revisions[0]?.state?.model);
    });

    it('with the same ETag at once: one writes, the others get 412', async () => {
      const { bore } = await evaluations.branch();
      const etag = String((await evaluations.get('characteristics', bore)).headers['etag']);
      const statuses = await Promise.all(
        ['normal', 'gamma', 'weibull', 'rayleigh'].map(
          async (model) => (await evaluations.put('characteristics', bore, { model }).set('If-Match', etag)).status,
        ),
      );
      expect(statuses.sort()).toEqual([200, 412, 412, 412]);
    });
  });

  describe('items', () => {
    it('that are deleted or unknown have none, and a new one of the same uuid starts anew', async () => {
      const { name, cell, bore } = await evaluations.branch();
      await evaluations.put('characteristics', bore, { model: 'normal' }).expect(200);
      await evaluations.put('parts', cell, { model: 'gamma' }).expect(200);
      await evaluations.get('parts', bore).expect(404);
      await evaluations.get('characteristics', cell).expect(404);
      await plan.delete(`parts/${cell}`).expect(200);
      for (const [kind, uuid] of [
        ['characteristics', bore],
        ['parts', cell],
        ['parts', randomUUID()],
      ] as const) {
        await evaluations.get(kind, uuid).expect(404);
        await evaluations.put(kind, uuid, {}).expect(404);
        await evaluations.delete(kind, uuid).expect(404);
        await evaluations.getHistory(kind, uuid).expect(404);
      }
      await plan.post('part', [{ uuid: cell, path: `PP:/${name}/cell/` }]).expect(201);
      expect(await evaluations.read('parts', cell)).toMatchObject({ model: 'auto', revision: 0 });
      expect(await evaluations.history('parts', cell)).toEqual([]);
      const orphans = 'SELECT FROM %s e WHERE NOT EXISTS (SELECT FROM plan_item WHERE id = e.item_id)';
      for (const table of ['evaluation', 'evaluation_history', 'evaluation_exclusion']) {
        expect(await sql(inspection, orphans.replace('%s', table))).toEqual([]);
      }
    });

    it('that are moved inherit from where they are', async () => {
      const { name, line, bore } = await evaluations.branch();
      await evaluations.put('parts', line, { model: 'gamma' }).expect(200);
      expect((await evaluations.read('characteristics', bore)).model).toBe('gamma');
      const [other = ''] = await plan.create(`P:/${name} other/`);
      await evaluations.put('parts', other, { model: 'weibull' }).expect(200);
      const { cell } = { cell: (await plan.list('part', `partPath=${encodeURIComponent(`/${name}/cell/`)}&depth=0`))[0]?.uuid ?? '' };
      await plan.put('part', [{ uuid: cell, path: `PP:/${name} other/cell/` }]).expect(200);
      expect((await evaluations.read('characteristics', bore)).model).toBe('weibull');
    });
  });

  it('are listed at and below a part, where the caller may read', async () => {
    const { name, line, cell, bore } = await evaluations.branch();
    const [measurement = ''] = await analysis.measure(cell, [{ [bore]: 1 }]);
    await evaluations.put('characteristics', bore, { exclusions: [{ measurementUuid: measurement, reason: 'dirt' }] }).expect(200);
    await evaluations.put('parts', line, { model: 'gamma' }).expect(200);
    const list = async (uuid: string) =>
      evaluationListSchema.parse((await request(inspection.server).get(`/analysisServiceRest/parts/${uuid}/evaluations`).expect(200)).body);
    const { own } = await evaluations.read('characteristics', bore);
    const ofBore = { entity: 'Characteristic', uuid: bore, state: own };
    expect(await list(line)).toEqual([{ entity: 'Part', uuid: line, state: { model: 'gamma' } }, ofBore]);
    expect(await list(cell)).toEqual([ofBore]);
    await inspection.as(user('cell', PathScope.below(`p${name}/pcell/`)), async () => {
      expect(await list(cell)).toEqual([ofBore]);
      await request(inspection.server).get(`/analysisServiceRest/parts/${line}/evaluations`).expect(403);
    });
  });

  it('announces each change, of a part once for everything below it', async () => {
    const { line, bore } = await evaluations.branch();
    const events = await plan.eventsOf(async () => {
      await evaluations.put('parts', line, { model: 'gamma' });
      await evaluations.put('characteristics', bore, { modle: 'gamma' }).expect(400);
      await evaluations.delete('characteristics', bore).expect(200);
    });
    expect(events).toEqual([
      { type: 'EvaluationModified', Entity: 'Part', Uuid: line },
      { type: 'EvaluationModified', Entity: 'Characteristic', Uuid: bore },
    ]);
  });

  it('shows a caller of a subtree what is inherited, and not from which part', async () => {
    const { name, line, cell, bore } = await evaluations.branch();
    await evaluations.put('parts', line, { model: 'gamma' }).expect(200);
    await evaluations.put('parts', cell, { required: 2 }).expect(200);
    const subtree = PathScope.below(`p${name}/pcell/`);
    await inspection.as(user('cell', subtree), async () => {
      expect(await evaluations.read('characteristics', bore)).toMatchObject({
        model: 'gamma',
        required: 2,
        sources: { model: { kind: 'part' }, required: { kind: 'part', uuid: cell } },
      });
      expect((await evaluations.read('characteristics', bore)).sources.model).toEqual({ kind: 'part' });
      await evaluations.get('parts', line).expect(403);
      await evaluations.getHistory('parts', line).expect(403);
      await evaluations.put('parts', line, { model: 'normal' }).expect(403);
      await evaluations.delete('parts', line).expect(403);
      await evaluations.put('parts', cell, { model: 'normal' }).expect(200);
    });
    await inspection.as(user('reader', subtree, PathScope.NOTHING), async () => {
      await evaluations.get('parts', cell).expect(200);
      await evaluations.put('parts', cell, { model: 'gamma' }).expect(403);
      await evaluations.delete('parts', cell).expect(403);
    });
    expect((await evaluations.read('parts', cell)).model).toBe('normal');
  });

  it('accepts what it answers as own, with members that are null left out', async () => {
    const { bore } = await evaluations.branch();
    const state: EvaluationState = {
      subgroups: { by: 6, of: 'values' },
      chart: 'xbarS',
      rules: [],
      stages: [
        { limits: { kind: 'computed' } },
        {
          from: '2026-03-02T06:00:00.000Z',
          reason: 'new tool',
          limits: { kind: 'given', centerLine: 1e-9, sigma: 1e-12, lower: -1, upper: 2 },
        },
      ],
    };
    await evaluations.put('characteristics', bore, { ...state, owner: null }).expect(200);
    const { own } = await evaluations.read('characteristics', bore);
    expect(own).toEqual(state);
    await evaluations.put('characteristics', bore, own).expect(200);
    expect((await evaluations.read('characteristics', bore)).own).toEqual(state);
  });
});
