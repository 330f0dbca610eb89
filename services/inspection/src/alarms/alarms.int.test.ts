import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import {
  ACTION_ATTRIBUTE,
  alarmListSchema,
  alarmSchema,
  CAUSE_ATTRIBUTE,
  changedAlarmsSchema,
  noteListSchema,
  type Alarm,
} from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { AnalysisClient } from '../analysis/analysed-part.fixture.ts';
import { EvaluationClient, messageOf } from '../evaluation/evaluation-client.fixture.ts';
import { define, PlanClient } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { countRows, insertAlarms } from './stored-alarms.fixture.ts';

const user = (name: string, path: string, rights: readonly string[]): Principal => ({
  name,
  rightsKey: name,
  scopeOf: (right) => (rights.includes(right) ? PathScope.below(path) : PathScope.NOTHING),
  holds: () => false,
});

describeWith(['postgres'], 'alarms', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const analysis = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    for (const key of [CAUSE_ATTRIBUTE, ACTION_ATTRIBUTE]) await define(inspection, { key, entity: 'catalog', type: 'AlphaNumeric' });
  });
  afterAll(() => inspection.stop());

  const PATH = '/alarmServiceRest/alarms';
  const get = (address: string) => request(inspection.server).get(`${PATH}${address}`);
  const put = (uuid: string, body: object) => request(inspection.server).put(`${PATH}/${uuid}`).send(body);
  const list = async (query: string): Promise<Alarm[]> => alarmListSchema.parse((await get(query).expect(200)).body);
  const uuids = async (query: string) => (await list(query)).map(({ uuid }) => uuid);
  const read = async (uuid: string): Promise<Alarm> => alarmSchema.parse((await get(`/${uuid}`).expect(200)).body);
  const etagOf = async (uuid: string) => ((await get(`/${uuid}`).expect(200)).headers as { etag: string }).etag;
  const change = async (uuid: string, body: object): Promise<Alarm> => alarmSchema.parse((await put(uuid, body).expect(200)).body);
  const notes = async (characteristic: string) =>
    noteListSchema.parse((await request(inspection.server).get(`/analysisServiceRest/notes?characteristicUuid=${characteristic}`)).body);
  const catalog = (name: string, attribute: number, entries: Readonly<Record<number, string>>) => ({
    uuid: randomUUID(),
    name: `${name} ${randomUUID()}`,
    validAttributes: [attribute],
    catalogEntries: Object.entries(entries).map(([key, text]) => ({ key: Number(key), attributes: { [attribute]: text } })),
  });

  const alarmEventsOf = async (run: () => Promise<unknown>) => {
    const before = (await inspection.announcedAlarms()).length;
    await run();
    return (await inspection.announcedAlarms()).slice(before);
  };

  /** A part with a characteristic and measurements of it, each with an alarm. */
  const alarmed = async (count = 1) => {
    const { name, line, cell, bore, depth } = await evaluations.branch();
    const measurements = await analysis.measure(
      cell,
      Array.from({ length: count }, () => ({ [bore]: 1 })),
    );
    const alarms = await insertAlarms(
      inspection,
      measurements.map((measurementUuid) => ({ partUuid: cell, characteristicUuid: bore, measurementUuid })),
    );
    return { name, line, cell, bore, depth, measurements, alarms, alarm: alarms[0] ?? '', measurement: measurements[0] ?? '' };
  };

  it('are listed with what they say, the newest first, and read with their steps [D12.2]', async () => {
    const { name, cell, bore, measurement } = await alarmed();
    const [alarm] = await list(`?partPath=/${name}`);
    expect(alarm).toEqual({
      uuid: alarm?.uuid,
      state: 'raised',
      kind: 'tolerance',
      partUuid: cell,
      partPath: `PP:/${name}/cell/`,
      characteristicUuid: bore,
      characteristicPath: `PPC:/${name}/cell/bore/`,
      raised: alarm?.raised,
      since: '2026-01-05T08:00:00.000Z',
      last: '2026-01-05T08:00:00.000Z',
      points: 1,
      measurementUuid: measurement,
      value: 20.2,
      limits: { lower: 19.9, upper: 20.1 },
      owner: 'Tool shop',
      reaction: 'Stop.',
      muted: false,
      old: false,
    });
    expect(await read(alarm?.uuid ?? '')).toEqual({
      ...alarm,
      measurementUuids: [measurement],
      steps: [{ state: 'raised', time: alarm?.raised }],
    });
  });

  it('are selected by state, kind, item, path, time and whether they are told, and counted [D12.2]', async () => {
    const { name, line, cell, bore } = await evaluations.branch();
    const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour));
    const [ofLine = '', open = '', closed = '', withdrawn = ''] = await insertAlarms(inspection, [
      { partUuid: line, kind: 'silence', raised: at(1) },
      { partUuid: cell, characteristicUuid: bore, raised: at(2) },
      { partUuid: cell, characteristicUuid: bore, kind: 'plausibility', state: 'closed', raised: at(3) },
      { partUuid: cell, characteristicUuid: bore, kind: 'process', state: 'withdrawn', raised: at(4) },
    ]);
    const cases: [string, string[]][] = [
      ['', [withdrawn, closed, open, ofLine]],
      ['&state=raised', [open, ofLine]],
      ['&state={Closed, withdrawn}', [withdrawn, closed]],
      ['&kind={silence,tolerance}', [open, ofLine]],
      [`&partUuid=${line}`, [ofLine]],
      [`&characteristicUuid=${bore}`, [withdrawn, closed, open]],
      ['&from=2026-02-01T02:00:00Z&to=2026-02-01T04:00:00Z', [closed, open]],
      ['&state={}', []],
      ['&told=true', [withdrawn, closed, ofLine]],
      ['&told=false', [open]],
    ];
    await inspection.database.write({ signal: AbortSignal.timeout(30_000), statementTimeoutMs: 30_000 }, (session) =>
      session.query('UPDATE alarm SET is_old = true WHERE uuid = $1', [open]),
    );
    for (const [query, expected] of cases) {
      expect([query, await uuids(`?partPath=/${name}${query}`)]).toEqual([query, expected]);
      expect([query, (await get(`/count?partPath=/${name}${query}`).expect(200)).body]).toEqual([query, { count: expected.length }]);
    }
    expect(await uuids(`?partPath=/${name}&limitResult=2&offset=1`)).toEqual([closed, open]);
    expect(await uuids(`?partPath=/${name}/cell&state=raised`)).toEqual([open]);
  });

  it('refuse what is wrong, with a sentence', async () => {
    const { alarm, bore } = await alarmed();
    const unknown = randomUUID();
    expect(messageOf(await get('?state=open').expect(400))).toContain('"open" is none');
    expect(messageOf(await get('?kind=rules').expect(400))).toContain('must be a list of tolerance');
    await get('?limitResult=0').expect(400);
    await get('/count?limitResult=1').expect(400);
    expect(messageOf(await get('?partUid=x').expect(400))).toContain('partUuid');
    await get(`?partUuid=${unknown}`).expect(404);
    await get(`/count?characteristicUuid=${unknown}`).expect(404);
    await get(`?partUuid=${bore}`).expect(404);
    expect(messageOf(await get(`/${unknown}`).expect(404))).toBe(`There is no alarm ${unknown}.`);
    await put(unknown, { state: 'closed' }).expect(404);
    const cases: [object, string][] = [
      [{}, 'must be one of raised, acknowledged, closed'],
      [{ state: 'withdrawn' }, 'must be one of raised, acknowledged, closed, not "withdrawn"'],
      [{ state: 'closed', cuase: 1 }, 'the nearest one is cause'],
      [{ state: 'closed', cause: -1 }, 'must be'],
      [{ state: 'closed', note: 'x'.repeat(3001) }, 'is longer than 3000 characters'],
      [{ state: 'closed', note: 'a\0' }, 'U+0000'],
      [{ state: 'closed', note: '' }, 'is empty'],
    ];
    for (const [body, message] of cases) expect(messageOf(await put(alarm, body).expect(400))).toContain(message);
    expect((await read(alarm)).state).toBe('raised');
  });

  it('are acknowledged, closed and opened again; each step is kept and told [D12.3, D12.4]', async () => {
    const { alarm } = await alarmed();
    const acknowledged = await change(alarm, { state: 'acknowledged' });
    expect(acknowledged).toMatchObject({ state: 'acknowledged', acknowledged: expect.any(String) as unknown });
    expect(acknowledged).not.toHaveProperty('closed');
    expect(messageOf(await put(alarm, { state: 'raised' }).expect(409))).toContain('it can be acknowledged or closed');
    const closed = await change(alarm, { ...acknowledged, state: 'closed', note: 'Measured again.' });
    expect(closed).toMatchObject({ state: 'closed', note: 'Measured again.', acknowledged: acknowledged.acknowledged });
    expect(closed.closed).toBeDefined();
    const noted = await change(alarm, { ...closed, note: 'Measured twice.' });
    expect(noted).toMatchObject({ state: 'closed', closed: closed.closed, note: 'Measured twice.' });
    const opened = await change(alarm, { state: 'acknowledged', note: 'Not yet.' });
    expect(opened).not.toHaveProperty('closed');
    expect(opened.steps?.map(({ state, note }) => [state, note])).toEqual([
      ['raised', undefined],
      ['acknowledged', undefined],
      ['closed', 'Measured again.'],
      ['closed', 'Measured twice.'],
      ['acknowledged', 'Not yet.'],
    ]);
  });

  it('that were withdrawn stay so, and one of two about the same stays open [D12.3]', async () => {
    const { cell, bore } = await evaluations.branch();
    const of = { partUuid: cell, characteristicUuid: bore };
    const [withdrawn = '', closed = '', open = ''] = await insertAlarms(inspection, [
      { ...of, state: 'withdrawn' },
      { ...of, state: 'closed' },
      { ...of, state: 'acknowledged' },
    ]);
    expect(messageOf(await put(withdrawn, { state: 'closed' }).expect(409))).toContain('was withdrawn');
    expect(messageOf(await put(closed, { state: 'acknowledged' }).expect(409))).toContain(`the alarm ${open} about the same is open`);
    await change(open, { state: 'closed' });
    await change(closed, { state: 'acknowledged' });
  });

  it('are changed by who has read them, and a repeated change changes nothing', async () => {
    const { alarm } = await alarmed();
    const etag = await etagOf(alarm);
    await get(`/${alarm}`).set('If-None-Match', etag).expect(304);
    const answers = await Promise.all(['one', 'two'].map((note) => put(alarm, { state: 'acknowledged', note }).set('If-Match', etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(messageOf(answers.find(({ status }) => status === 412) ?? { body: {} })).toBe(`The alarm ${alarm} has changed. Read it again.`);
    const stored = await read(alarm);
    const events = await alarmEventsOf(async () => {
      expect(await change(alarm, { ...stored })).toEqual(stored);
    });
    expect(events).toEqual([]);
  });

  it('keep cause and action with the texts that their catalogs had then [D12.1, D12.5]', async () => {
    const { alarm, bore, measurement, cell } = await alarmed();
    expect(messageOf(await put(alarm, { state: 'closed', cause: 3 }).expect(400))).toContain('There is no catalog of causes.');
    expect(messageOf(await put(alarm, { state: 'closed', action: 1 }).expect(400))).toContain('There is no catalog of actions.');
    const [causes, actions] = [
      catalog('Causes', CAUSE_ATTRIBUTE, { 3: 'Tool worn', 4: 'Tool broken' }),
      catalog('Actions', ACTION_ATTRIBUTE, { 1: 'Tool changed' }),
    ];
    await request(inspection.server).post('/dataServiceRest/catalogs').send([causes, actions]).expect(201);
    expect(messageOf(await put(alarm, { state: 'closed', cause: 9 }).expect(400))).toContain('has no entry 9');
    expect((await read(alarm)).state).toBe('raised');
    const about = { PartUuid: cell, CharacteristicUuid: bore };
    const written: unknown[] = [];
    const events = await alarmEventsOf(async () => {
      written.push(...(await plan.eventsOf(() => change(alarm, { state: 'closed', cause: 3, action: 1, note: 'At last.' }))));
    });
    expect(events).toEqual([{ type: 'AlarmChanged', AlarmUuid: alarm, ...about, Kind: 'tolerance', State: 'closed' }]);
    expect(written).toEqual([{ type: 'NoteCreated', NoteUuid: alarm, ...about }]);
    const [note] = await notes(bore);
    expect(note).toMatchObject({
      uuid: alarm,
      measurementUuid: measurement,
      cause: 3,
      causeText: 'Tool worn',
      text: 'Tool changed. At last.',
    });

    // Another cause changes the note, and does not write a second one; the text of an action that is gone stays.
    await request(inspection.server).delete(`/dataServiceRest/catalogs/${actions.uuid}`).expect(200);
    const changed = await change(alarm, { state: 'closed', cause: 4, action: 1 });
    expect(changed).toMatchObject({ causeText: 'Tool broken', actionText: 'Tool changed' });
    await change(alarm, { state: 'acknowledged', cause: 4, action: 1 });
    await change(alarm, { state: 'closed', cause: 4, action: 1 });
    expect(await notes(bore)).toMatchObject([{ uuid: alarm, cause: 4, causeText: 'Tool broken', text: 'Tool changed' }]);

    // A second alarm at the same measurement with the same cause adds no note that says the same.
    const [second = ''] = await insertAlarms(inspection, [
      { partUuid: cell, characteristicUuid: bore, measurementUuid: measurement, kind: 'plausibility' },
    ]);
    await change(second, { state: 'closed', cause: 4, note: 'Tool changed' });
    expect(await notes(bore)).toHaveLength(1);
    // An alarm that is closed without a cause has nothing to note.
    const [third = ''] = await insertAlarms(inspection, [{ partUuid: cell, characteristicUuid: bore, kind: 'process' }]);
    await change(third, { state: 'closed', note: 'Fine.' });
    expect(await notes(bore)).toHaveLength(1);
    await request(inspection.server).delete(`/dataServiceRest/catalogs/${causes.uuid}`).expect(200);
  });

  it('are changed many at once, each in the state that was seen; the others are refused one by one [D12.3]', async () => {
    const { alarms, bore } = await alarmed(4);
    const [first = '', second = '', third = '', fourth = ''] = alarms;
    const absent = randomUUID();
    const causes = catalog('Causes', CAUSE_ATTRIBUTE, { 1: 'Tool worn' });
    await request(inspection.server).post('/dataServiceRest/catalogs').send([causes]).expect(201);
    const many = (body: object) => request(inspection.server).put(PATH).send(body);
    await change(first, { state: 'raised', note: 'hot' });
    await change(third, { state: 'closed' });
    const seen = [first, second, third, absent].map((uuid) => ({ uuid, was: 'raised' }));
    const events = await alarmEventsOf(async () => {
      const { changed, refused } = changedAlarmsSchema.parse((await many({ alarms: seen, state: 'acknowledged' }).expect(200)).body);
      expect(changed).toEqual([first, second]);
      expect(refused).toMatchObject([
        { uuid: third, message: `The alarm ${third} is closed by now, no longer raised.`, alarm: { state: 'closed' } },
        { uuid: absent, message: `There is no alarm ${absent}.` },
      ]);
    });
    expect(events.map(({ AlarmUuid, State }) => [AlarmUuid, State])).toEqual([
      [first, 'acknowledged'],
      [second, 'acknowledged'],
    ]);
    expect(await read(first)).toMatchObject({ state: 'acknowledged', note: 'hot' });

    const closing = [first, second, fourth].map((uuid, i) => ({ uuid, was: i < 2 ? 'acknowledged' : 'raised' }));
    expect(messageOf(await many({ alarms: closing, state: 'closed', cause: 999 }).expect(400))).toContain('has no entry 999');
    expect(await read(fourth)).toMatchObject({ state: 'raised' });
    await many({ alarms: closing, state: 'closed', cause: 1 }).expect(200);
    expect((await notes(bore)).map(({ uuid, text }) => [uuid, text]).sort()).toEqual(
      [
        [first, 'hot'],
        [second, 'Tool worn'],
        [fourth, 'Tool worn'],
      ].sort(),
    );
    await request(inspection.server).delete(`/dataServiceRest/catalogs/${causes.uuid}`).expect(200);
  });

  it('refuse wrong lists with a sentence', async () => {
    const alarm = { uuid: randomUUID(), was: 'raised' };
    for (const [body, text] of [
      [{ state: 'closed' }, 'alarms'],
      [{ alarms: [], state: 'closed' }, 'list the alarms'],
      [{ alarms: [{ uuid: 'x', was: 'raised' }], state: 'closed' }, 'must be a uuid'],
      [{ alarms: [{ uuid: alarm.uuid }], state: 'closed' }, 'was'],
      [{ alarms: [alarm, alarm], state: 'closed' }, 'a second time'],
      [{ alarms: Array.from({ length: 501 }, () => ({ ...alarm, uuid: randomUUID() })), state: 'closed' }, 'at most 500'],
      [{ alarms: [alarm], state: 'withdrawn' }, 'must be one of'],
    ] as const) {
      expect(messageOf(await request(inspection.server).put(PATH).send(body).expect(400))).toContain(text);
    }
  });

  it('need their rights, and tell who acknowledged and closed them [D12.2, D12.3]', async () => {
    const { name, line, alarm } = await alarmed();
    const [ofLine = ''] = await insertAlarms(inspection, [{ partUuid: line, kind: 'silence' }]);
    const path = `p${name}/pcell/`;
    await inspection.as(user('bob', path, ['measurement:read']), async () => {
      expect(await uuids(`?partPath=/${name}`)).toEqual([alarm]);
      expect((await get(`/count?partPath=/${name}`).expect(200)).body).toEqual({ count: 1 });
      await get(`/${ofLine}`).expect(403);
      await get(`?partUuid=${line}`).expect(403);
      await put(alarm, { state: 'closed' }).expect(403);
      await request(inspection.server)
        .put(PATH)
        .send({ alarms: [{ uuid: alarm, was: 'raised' }], state: 'closed' })
        .expect(403);
    });
    await inspection.as(user('ada', path, ['note:write', 'measurement:read']), async () => {
      expect(await change(alarm, { state: 'acknowledged' })).toMatchObject({ user: 'ada' });
      await put(ofLine, { state: 'acknowledged' }).expect(403);
      // The answer says nothing about an alarm that the caller may not read.
      const body = { alarms: [{ uuid: ofLine, was: 'closed' }], state: 'acknowledged' };
      const answer: unknown = (await request(inspection.server).put(PATH).send(body).expect(200)).body;
      expect(answer).toEqual({ changed: [], refused: [{ uuid: ofLine, message: `You may not change alarms of the part ${line}.` }] });
    });
    await inspection.as(user('eve', path, ['note:write', 'measurement:read']), async () => {
      const closed = await change(alarm, { state: 'closed' });
      expect(closed).toMatchObject({ user: 'ada', modifiedBy: 'eve' });
      expect(closed.steps?.map((step) => step.user)).toEqual([undefined, 'ada', 'eve']);
    });
    await inspection.as(user('out', path, []), () => get('').expect(403).then());
  });

  it('are listed and counted in one answer when there are many', async () => {
    const { name, cell, bore } = await evaluations.branch();
    const many = Array.from({ length: 2000 }, (_, i) => ({ partUuid: cell, characteristicUuid: bore, raised: new Date(1e12 + i) }));
    const written = await insertAlarms(inspection, many);
    expect((await get(`/count?partPath=/${name}`).expect(200)).body).toEqual({ count: 2000 });
    expect(await uuids(`?partPath=/${name}&limitResult=10000`)).toEqual(written.reverse());
    expect(await list(`?partPath=/${name}`)).toHaveLength(1000);
  });

  it('go with their part or characteristic, and stay with one that moves [D12.7]', async () => {
    const { name, line, cell, bore, depth, alarm } = await alarmed();
    const [ofDepth = '', ofLine = ''] = await insertAlarms(inspection, [
      { partUuid: cell, characteristicUuid: depth },
      { partUuid: line, kind: 'silence' },
    ]);
    const stop = { partUuid: cell, until: '2999-01-01T00:00:00Z', reason: 'x' };
    await request(inspection.server).post('/alarmServiceRest/mutes').send(stop).expect(201);
    const remove = (kind: string, uuid: string) => request(inspection.server).delete(`/dataServiceRest/${kind}/${uuid}`).expect(200);
    await remove('characteristics', depth);
    await get(`/${ofDepth}`).expect(404);
    await plan.put('part', [{ uuid: cell, path: `P:/${name} moved/` }]).expect(200);
    expect(await read(alarm)).toMatchObject({
      partUuid: cell,
      partPath: `P:/${name} moved/`,
      characteristicPath: `PC:/${name} moved/bore/`,
    });
    expect(await uuids(`?characteristicUuid=${bore}`)).toEqual([alarm]);
    await remove('parts', cell);
    await get(`/${alarm}`).expect(404);
    await get(`/${ofLine}`).expect(200);
    const known = `alarm_id NOT IN (SELECT id FROM alarm)`;
    expect(
      await countRows(inspection, { alarm_point: known, alarm_step: known, alarm_mute: 'part_id NOT IN (SELECT id FROM plan_item)' }),
    ).toEqual({
      alarm_point: 0,
      alarm_step: 0,
      alarm_mute: 0,
    });
  });

  it('follow a characteristic to another part [D12.7]', async () => {
    const { name, line, cell, bore } = await evaluations.branch();
    const [alarm = ''] = await insertAlarms(inspection, [{ partUuid: cell, characteristicUuid: bore }]);
    await plan.put('characteristic', [{ uuid: bore, path: `PC:/${name}/bore/` }]).expect(200);
    expect(await read(alarm)).toMatchObject({ partUuid: line, characteristicPath: `PC:/${name}/bore/` });
    expect(await uuids(`?partUuid=${line}`)).toEqual([alarm]);
  });

  it('answer the versions of their interface', async () => {
    expect((await request(inspection.server).get('/alarmServiceRest/').expect(200)).body).toEqual({ supportedVersions: ['1.0.0'] });
  });
});
