import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { alarmSchema, importedAlarmsSchema, muteSchema, type Alarm, type ImportedAlarms } from '@sinebar/contracts';
import { tryAdvisoryLock } from '@sinebar/database';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { AnalysisClient } from '../../analysis/analysed-part.fixture.ts';
import { judged } from '../../analysis/judging/alarm-client.fixture.ts';
import { EvaluationClient, messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { insertAlarms } from '../stored-alarms.fixture.ts';

const PATH = '/alarmServiceRest/alarms';
const user = (name: string, path: string): Principal => ({
  name,
  rightsKey: name,
  scopeOf: () => PathScope.below(path),
  holds: () => false,
});

describeWith(['postgres'], 'alarms of another server', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const post = (body: object) => request(inspection.server).post(PATH).send(body);
  const take = async (body: object): Promise<ImportedAlarms> => importedAlarmsSchema.parse((await post(body).expect(200)).body);
  const read = async (uuid: string): Promise<Alarm> =>
    alarmSchema.parse((await request(inspection.server).get(`${PATH}/${uuid}`).expect(200)).body);
  const stop = async (partUuid: string) =>
    muteSchema.parse(
      (await request(inspection.server).post('/alarmServiceRest/mutes').send({ partUuid, until: '2999-01-01T00:00:00Z', reason: 'x' }))
        .body,
    );

  /** A part with two measurements, and an alarm about both as another server gives it. */
  const foreign = async () => {
    const { name, line, cell, bore } = await evaluations.branch();
    const measurementUuids = await analysis.measure(cell, [{ [bore]: 20.2 }, { [bore]: 20.3 }]);
    const steps = [
      { state: 'raised', time: '2026-01-05T09:00:00.000Z' },
      { state: 'acknowledged', time: '2026-01-05T09:01:00.000Z', user: 'ada' },
      { state: 'closed', time: '2026-01-05T09:02:00.000Z', user: 'bob', causeText: 'Tool worn', actionText: 'Changed', note: 'Ø "x"' },
    ] as const;
    const alarm = {
      uuid: randomUUID(),
      state: 'closed',
      kind: 'rule',
      rule: 'nelson2:7',
      on: 'location',
      partUuid: cell,
      partPath: `PP:/${name}/cell/`,
      characteristicUuid: bore,
      characteristicPath: `PPC:/${name}/cell/bore/`,
      raised: steps[0].time,
      since: '2026-01-05T08:00:00.000Z',
      last: '2026-01-05T08:01:00.000Z',
      points: 2,
      measurementUuid: measurementUuids[1],
      value: 20.300000000000004,
      limits: { lower: 19.9, upper: 20.1, centerLine: 20 },
      owner: 'Tool shop',
      reaction: 'Stop.',
      muted: false,
      old: true,
      user: 'ada',
      acknowledged: steps[1].time,
      closed: steps[2].time,
      modifiedBy: 'bob',
      cause: 7,
      causeText: 'Tool worn',
      action: 1,
      actionText: 'Changed',
      note: 'Ø "x"',
      measurementUuids,
      steps: [...steps],
    };
    return { name, line, cell, bore, measurementUuids, alarm };
  };

  it('are stored as they are, and a known one stays as it is [D12.13]', async () => {
    const { alarm } = await foreign();
    const before = (await inspection.announcedAlarms()).length;
    expect(await take({ alarms: [alarm] })).toEqual({ created: [alarm.uuid], replaced: [], refused: [] });
    const stored = await read(alarm.uuid);
    expect(stored).toEqual({ ...alarm, last: stored.last });
    expect((await inspection.announcedAlarms()).slice(before)).toMatchObject([{ type: 'AlarmChanged', AlarmUuid: alarm.uuid }]);
    expect(await take({ alarms: [{ ...alarm, note: 'another' }] })).toEqual({ created: [], replaced: [], refused: [] });
    expect(await read(alarm.uuid)).toEqual(stored);
  });

  it('are done by the caller, who does not administer users [D12.13]', async () => {
    const { alarm } = await foreign();
    await inspection.as(user('eve', ''), async () => {
      await take({ alarms: [alarm] });
    });
    const { user: acknowledgedBy, modifiedBy, steps = [] } = await read(alarm.uuid);
    expect([acknowledgedBy, modifiedBy, ...steps.map((step) => step.user)]).toEqual(['eve', 'eve', undefined, 'eve', 'eve']);
  });

  it('are refused where this server has one about the same points, or no such item [D12.13]', async () => {
    const { cell, alarm } = await foreign();
    await take({ alarms: [alarm] });
    const again = { ...alarm, uuid: randomUUID() };
    const other = await evaluations.branch();
    const silence = { ...alarm, kind: 'silence', rule: undefined, on: undefined, characteristicUuid: undefined, measurementUuids: [] };
    const open = { ...silence, state: 'raised' };
    const cases: [object, RegExp | undefined][] = [
      [again, new RegExp(`An alarm of this server is about the same: ${alarm.uuid}`)],
      [{ ...again, rule: 'nelson1' }, undefined],
      [{ ...again, uuid: randomUUID(), partUuid: other.cell }, /There is no characteristic .* of the part/],
      [{ ...again, uuid: randomUUID(), partUuid: randomUUID() }, /There is no part/],
      [{ ...again, uuid: randomUUID(), characteristicUuid: other.bore }, /There is no characteristic/],
      [{ ...open, uuid: randomUUID() }, undefined],
      [{ ...open, uuid: randomUUID() }, /is about the same/],
      [{ ...silence, uuid: randomUUID(), measurementUuid: undefined }, undefined],
    ];
    for (const [one, message] of cases) {
      const { created, refused } = await take({ alarms: [one] });
      expect(created).toHaveLength(message ? 0 : 1);
      if (message) expect(refused[0]?.message).toMatch(message);
    }
    await inspection.as(user('low', 'pelse/'), async () => {
      const { refused } = await take({ alarms: [{ ...again, uuid: randomUUID(), rule: 'nelson3' }] });
      expect(refused[0]?.message).toBe(`You may not write alarms of the part ${cell}.`);
    });
  });

  it('replace those that were raised meanwhile during an own stop, about which nobody has said anything [D12.13]', async () => {
    const { cell, bore, measurementUuids, alarm } = await foreign();
    const raised = async (kind: 'tolerance' | 'plausibility' = 'tolerance', raisedAt = new Date()) => {
      const one = { partUuid: cell, characteristicUuid: bore, measurementUuid: measurementUuids[1]!, kind, raised: raisedAt };
      const [uuid = ''] = await insertAlarms(inspection, [one]);
      await sql(inspection, `UPDATE alarm SET is_muted = true WHERE uuid = '${uuid}'`);
      return uuid;
    };
    const early = await raised('plausibility', new Date(Date.now() - 60_000));
    await stop(cell);
    const [own, said] = [await raised(), await raised('plausibility')];
    await request(inspection.server).put(`${PATH}/${said}`).send({ state: 'acknowledged' }).expect(200);
    await inspection.as(user('eve', ''), async () => {
      expect((await take({ alarms: [], replaces: [own] })).refused).toMatchObject([{ uuid: own }]);
    });
    const { created, replaced, refused } = await take({ alarms: [alarm], replaces: [own, said, early, randomUUID()] });
    expect(created).toEqual([alarm.uuid]);
    expect(replaced).toEqual([own]);
    expect(refused.map(({ uuid }) => uuid).sort()).toEqual([said, early].sort());
    await request(inspection.server).get(`${PATH}/${own}`).expect(404);
    expect(await sql(inspection, 'SELECT FROM alarm_point WHERE alarm_id NOT IN (SELECT id FROM alarm)')).toEqual([]);
    expect(await sql(inspection, 'SELECT FROM alarm_step WHERE alarm_id NOT IN (SELECT id FROM alarm)')).toEqual([]);
    const last = (await inspection.announcedAlarms()).slice(-2);
    expect(last).toEqual(expect.arrayContaining([expect.objectContaining({ AlarmUuid: own, State: 'withdrawn' })]));
  });

  it.each<[string, (alarm: object) => object, RegExp]>([
    ['an unknown member', (alarm) => ({ alarms: [{ ...alarm, stat: 'x' }] }), /nearest one is state/],
    ['an unknown state', (alarm) => ({ alarms: [{ ...alarm, state: 'open' }] }), /must be one of raised/],
    ['no characteristic', (alarm) => ({ alarms: [{ ...alarm, characteristicUuid: undefined }] }), /only the silence of a part/],
    ['a rule of another kind', (alarm) => ({ alarms: [{ ...alarm, kind: 'tolerance' }] }), /goes with the kind rule only/],
    ['a rule without its chart', (alarm) => ({ alarms: [{ ...alarm, on: undefined }] }), /needs rule and on/],
    ['no steps', (alarm) => ({ alarms: [{ ...alarm, steps: [] }] }), /was raised at least/],
    ['a value that is a text', (alarm) => ({ alarms: [{ ...alarm, value: 'x' }] }), /must be a number/],
    ['501 alarms', (alarm) => ({ alarms: Array(501).fill(alarm) }), /more than 500/],
    ['no list', () => ({}), /must be a list of alarms/],
  ])('are refused with %s', async (_what, body, message) => {
    const { alarm } = await foreign();
    expect(messageOf(await post(body(alarm)).expect(400))).toMatch(message);
  });

  it('are preceded by those that are still to be judged, which the count tells [D12.13]', async () => {
    const { name, cell, bore } = await evaluations.branch();
    const other = await evaluations.branch();
    const pending = async (query: string) =>
      ((await request(inspection.server).get(`${PATH}/count?${query}`).expect(200)).body as { pending?: true }).pending;
    const ofPart = [`partPath=/${name}`, `partUuid=${cell}`, `characteristicUuid=${bore}`];
    await judged(inspection);
    // Nothing is judged while another process holds the lock.
    await inspection.database.write({ signal: AbortSignal.timeout(60_000), statementTimeoutMs: 60_000 }, async (session) => {
      expect(await tryAdvisoryLock(session, 'alarms')).toBe(true);
      await analysis.measure(cell, [{ [bore]: 1 }]);
      for (const query of ofPart) expect(await pending(query)).toBe(true);
      expect(await pending(`partPath=/${other.name}`)).toBeUndefined();
      await inspection.as(user('low', 'pelse/'), async () => expect(await pending('')).toBeUndefined());
    });
    await judged(inspection);
    for (const query of ofPart) expect(await pending(query)).toBeUndefined();
  });
});
