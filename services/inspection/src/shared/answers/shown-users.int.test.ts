import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import {
  alarmSchema,
  evaluationHistorySchema,
  evaluationListSchema,
  muteListSchema,
  noteListSchema,
  noteSchema,
  plantSettingsHistorySchema,
} from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { insertAlarms } from '../../alarms/stored-alarms.fixture.ts';
import { AnalysisClient } from '../../analysis/analysed-part.fixture.ts';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { MeasurementClient } from '../../measurements/measurement-client.fixture.ts';
import { PlanClient } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import type { ShownUsers } from './shown-users.ts';

const user = (name: string): Principal => ({ name, rightsKey: 'all', scopeOf: () => PathScope.EVERYTHING, holds: () => true });

describeWith(['postgres'], 'the setting SINEBAR_SHOW_USERS', () => {
  let inspection: RunningInspection;
  afterEach(() => inspection.stop());

  it.each<[ShownUsers, (string | undefined)[]]>([
    ['all', ['ada', 'bob']],
    ['own', ['ada', undefined]],
    ['none', [undefined, undefined]],
  ])('%s shows ada these names of ada and bob everywhere', async (shown, [ada, bob]) => {
    inspection = await startInspection({ SINEBAR_SHOW_USERS: shown });
    const evaluations = new EvaluationClient(() => inspection);
    const { line, cell, bore } = await evaluations.branch();
    const [first = '', second = ''] = await new AnalysisClient(() => inspection).measure(cell, [{ [bore]: 1 }, { [bore]: 2 }]);
    const path = (rest: string) => `/analysisServiceRest/${rest}`;
    const as = (name: string, run: () => Promise<void>) => inspection.as(user(name), run);
    const exclude = async (...measurementUuids: string[]) => {
      const exclusions = measurementUuids.map((measurementUuid) => ({ measurementUuid, reason: 'dirt' }));
      await evaluations.put('characteristics', bore, { exclusions }).expect(200);
    };
    const setZone = (zone: string) => request(inspection.server).put(path('settings')).send({ zone, reason: 'a test' }).expect(200);
    const alarm = (await insertAlarms(inspection, [{ partUuid: cell, characteristicUuid: bore }]))[0] ?? '';
    const setState = (state: string) => request(inspection.server).put(`/alarmServiceRest/alarms/${alarm}`).send({ state }).expect(200);
    let note = '';
    await as('ada', async () => {
      await exclude(first);
      await setZone('UTC');
      const written = await request(inspection.server).post(path('notes')).send({ partUuid: cell, text: 'x' }).expect(201);
      note = noteSchema.parse(written.body).uuid;
      await setState('acknowledged');
      const stop = { partUuid: cell, until: '2999-01-01T00:00:00Z', reason: 'x' };
      await request(inspection.server).post('/alarmServiceRest/mutes').send(stop).expect(201);
    });
    await as('bob', async () => {
      await setState('closed');
      await exclude(first, second);
      await setZone('Europe/Berlin');
      await request(inspection.server)
        .put(path(`notes/${note}`))
        .send({ text: 'y' })
        .expect(200);
    });
    await as('ada', async () => {
      const read = async (rest: string): Promise<unknown> => (await request(inspection.server).get(path(rest)).expect(200)).body;
      const names = (list: readonly { user?: string | undefined }[] = []) => list.map((one) => one.user);
      const [list, history] = [`parts/${line}/evaluations`, `characteristics/${bore}/evaluation/history`];
      const { exclusions, own } = await evaluations.read('characteristics', bore);
      expect([names(exclusions), names(own.exclusions)]).toEqual([
        [ada, bob],
        [ada, bob],
      ]);
      expect(names(evaluationListSchema.parse(await read(list))[0]?.state.exclusions)).toEqual([ada, bob]);
      const changes = evaluationHistorySchema.parse(await read(history));
      expect(names(changes)).toEqual([bob, ada]);
      expect(names(changes[0]?.state?.exclusions)).toEqual([ada, bob]);
      expect(names(plantSettingsHistorySchema.parse(await read('settings/history')))).toEqual([bob, ada]);
      const [written] = noteListSchema.parse(await read('notes'));
      expect([written?.user, written?.modifiedBy]).toEqual([ada, bob]);
      expect(await read(`notes/${note}`)).toEqual(written);
      const alarmed = alarmSchema.parse((await request(inspection.server).get(`/alarmServiceRest/alarms/${alarm}`).expect(200)).body);
      expect([alarmed.user, alarmed.modifiedBy, ...(alarmed.steps ?? []).map((step) => step.user)]).toEqual([
        ada,
        bob,
        undefined,
        ada,
        bob,
      ]);
      expect(names(muteListSchema.parse((await request(inspection.server).get('/alarmServiceRest/mutes').expect(200)).body))).toEqual([
        ada,
      ]);
      // Names stay stored: an exclusion that is sent back keeps who made it.
      await exclude(second, first);
    });
    const stored = await inspection.database.read({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, (session) =>
      session.query<{ name: string }>('SELECT excluded_by AS name FROM evaluation_exclusion ORDER BY 1'),
    );
    expect(stored.map(({ name }) => name)).toEqual(['ada', 'bob']);
  });

  it.each<[ShownUsers, [string | undefined, string]]>([
    ['all', ['[ada]:', '[bob]: wear']],
    ['own', ['[ada]:', 'wear']],
    ['none', [undefined, 'wear']],
  ])('%s shows ada these names in comments of versions and measurements', async (shown, [own, other]) => {
    inspection = await startInspection({ SINEBAR_SHOW_USERS: shown, SINEBAR_VERSIONING: 'on' });
    const [plan, measurements] = [new PlanClient(() => inspection), new MeasurementClient(() => inspection)];
    const [part = '', of = ''] = await plan.create('P:/a/', 'PC:/a/b/');
    await plan.put('part', [{ uuid: part, path: 'P:/c/', comment: '[ada]:' }]).expect(200);
    await plan.put('part', [{ uuid: part, path: 'P:/d/', comment: '[bob]: wear' }]).expect(200);
    await plan.put('characteristic', [{ uuid: of, path: 'PC:/d/e/', comment: '[bob]: wear' }]).expect(200);
    const uuid = randomUUID();
    await measurements.post('values', [{ uuid, partUuid: part, comment: '[bob]: wear' }]).expect(201);
    const tag = async () => (await plan.get('parts').expect(200)).headers['etag'];
    let tagOfBob: string | undefined;
    await inspection.as(user('bob'), async () => void (tagOfBob = await tag()));
    await inspection.as(user('ada'), async () => {
      const { comment, history = [] } = await plan.one('part', part, 'withHistory=true');
      expect(comment).toBe(other);
      expect(history.map((state) => state.comment)).toEqual([own, undefined]);
      expect((await plan.list('characteristic', `charUuids={${of}}`)).map((item) => item.comment)).toEqual([other]);
      const read = await plan.get(`measurements?measurementUuids={${uuid}}`).expect(200);
      expect((read.body as { comment?: string }[]).map((measurement) => measurement.comment)).toEqual([other]);
      // A cache must not take the answer of one user for that of another.
      expect((await tag()) === tagOfBob).toBe(shown !== 'own');
    });
  });
});
