import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { plantSettingsHistorySchema, plantSettingsSchema, type CharacteristicSummary } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { AnalysisClient } from '../../analysis/analysed-part.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { messageOf } from '../evaluation-client.fixture.ts';

const PATH = '/analysisServiceRest/settings';
const SHIFTS = [
  { name: 'early', from: '06:00', to: '14:00', days: [1, 2, 3, 4, 5] },
  { name: 'night', from: '22:00', to: '06:00' },
];
const STATE = { zone: 'Europe/Berlin', shifts: SHIFTS, required: 1.67 };

describeWith(['postgres'], 'settings of the plant', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const get = (path = '') => request(inspection.server).get(PATH + path);
  const put = (body: unknown) => request(inspection.server).put(PATH).set('Content-Type', 'application/json').send(JSON.stringify(body));
  const user = (name: string, mayWrite: boolean): Principal => ({
    name,
    rightsKey: name,
    scopeOf: () => PathScope.NOTHING,
    holds: (right) => mayWrite && right === 'configuration:write',
  });

  it('are UTC without shifts, then what was put last, with the history', async () => {
    expect((await get().expect(200)).body).toEqual({ zone: 'UTC', shifts: [], revision: 0 });
    const { characteristic } = await client.measured({}, [1, 2, 3]);
    const required = async () =>
      (await client.read<CharacteristicSummary>(`characteristics/${characteristic}/summary`)).assessment.required;
    expect(await required()).toEqual({ value: 1.33, source: 'default' });
    await inspection.as(user('ada', true), async () => {
      await put({ ...STATE, reason: 'the first ones' }).expect(200);
    });
    expect(plantSettingsSchema.parse((await get().expect(200)).body)).toEqual({ ...STATE, revision: 1 });
    expect(await required()).toEqual({ value: 1.67, source: 'setting' });
    await put({ zone: 'Asia/Kolkata', reason: 'moved' }).expect(200);
    expect((await get()).body).toEqual({ zone: 'Asia/Kolkata', shifts: [], revision: 2 });
    const time = expect.any(String) as unknown as string;
    expect(plantSettingsHistorySchema.parse((await get('/history').expect(200)).body)).toEqual([
      { revision: 2, time, reason: 'moved', state: { zone: 'Asia/Kolkata', shifts: [] } },
      { revision: 1, time, user: 'ada', reason: 'the first ones', state: STATE },
    ]);
  });

  it('are read by everybody, and changed by whom may change the configuration', async () => {
    await inspection.as(user('ben', false), async () => {
      await get().expect(200);
      await get('/history').expect(200);
      await get('/shift?time=2026-01-01').expect(200);
      await put({ ...STATE, reason: 'x' }).expect(403);
    });
  });

  it('do not overwrite the change of another', async () => {
    const etag = String((await get()).headers['etag']);
    const statuses = await Promise.all([1, 2, 3].map(async (i) => (await put({ ...STATE, reason: `${i}` }).set('If-Match', etag)).status));
    expect(statuses.sort()).toEqual([200, 412, 412]);
    const current = String((await get()).headers['etag']);
    await get().set('If-None-Match', current).expect(304);
    expect(current).not.toBe(etag);
  });

  it('tell the shift of a time', async () => {
    await put({ ...STATE, reason: 'x' }).expect(200);
    expect((await get('/shift?time=2026-03-29T00:30:00Z').expect(200)).body).toEqual({
      shift: 'night',
      day: '2026-03-28',
      week: '2026-W13',
    });
    expect((await get('/shift?time=2026-03-29T12:00:00Z').expect(200)).body).toEqual({ day: '2026-03-29', week: '2026-W13' });
    await get('/shift').expect(400);
    await get('/shift?time=noon').expect(400);
    await get('/shift?tme=2026-01-01').expect(400);
  });

  it.each([
    [{ zone: 'Europe/Berlim' }, 'Body: zone: must be a zone such as Europe/Berlin.'],
    [{ zone: '' }, 'Body: zone: must be a zone such as Europe/Berlin.'],
    [{ zone: undefined }, 'Body: zone: must be a zone such as Europe/Berlin.'],
    [{ shift: [] }, 'Body: the member "shift" is not known; the nearest one is shifts.'],
    [{ shifts: [{ ...SHIFTS[0], to: '25:00' }] }, 'Body: shifts[0].to: must be a wall time from 00:00 to 24:00.'],
    [{ shifts: [{ ...SHIFTS[0], from: '6:00' }] }, 'Body: shifts[0].from: must be a wall time from 00:00 to 23:59.'],
    [{ shifts: [{ ...SHIFTS[0], to: '06:00' }] }, 'Body: shifts[0].to: must differ from from.'],
    [{ shifts: [{ ...SHIFTS[0], days: [8] }] }, 'Body: shifts[0].days[0]: must be a whole number from 1 to 7, not "8".'],
    [{ shifts: [{ ...SHIFTS[0], days: [] }] }, 'Body: shifts[0].days: names no day.'],
    [{ shifts: [SHIFTS[0], { ...SHIFTS[1], name: 'early' }] }, 'Body: shifts[1].name: has the name of another shift, "early".'],
    [
      { shifts: [SHIFTS[0], { name: 'x', from: '13:00', to: '15:00' }] },
      'Body: shifts: has shifts that overlap on Monday: "early" and "x".',
    ],
    [{ shifts: 'early' }, 'Body: shifts: must be a list of shifts.'],
    [{ required: -1 }, 'Body: required: must be a number from 0.1 up to 10.'],
    [{ reason: '' }, /^Body: reason: is empty/],
    [{ reason: 'nul \0' }, /U\+0000/],
  ])('refuse %j', async (change, message) => {
    const refused = await put({ ...STATE, reason: 'x', ...change }).expect(400);
    if (typeof message === 'string') expect(messageOf(refused)).toBe(message);
    else expect(messageOf(refused)).toMatch(message);
  });
});
