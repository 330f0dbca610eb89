import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { muteListSchema, muteSchema, ROOT_PART_UUID, type AlarmMute } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { EvaluationClient, messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

const user = (name: string, path: string, rights: readonly string[]): Principal => ({
  name,
  rightsKey: name,
  scopeOf: (right) => (rights.includes(right) ? PathScope.below(path) : PathScope.NOTHING),
  holds: () => false,
});
const LATER = '2999-01-01T00:00:00.000Z';

describeWith(['postgres'], 'planned stops', () => {
  let inspection: RunningInspection;
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const PATH = '/alarmServiceRest/mutes';
  const post = (body: object) => request(inspection.server).post(PATH).send(body);
  const get = (query: string) => request(inspection.server).get(`${PATH}${query}`);
  const remove = (uuid: string) => request(inspection.server).delete(`${PATH}/${uuid}`);
  const plan = async (body: object): Promise<AlarmMute> => muteSchema.parse((await post(body).expect(201)).body);
  const list = async (query: string) => muteListSchema.parse((await get(query).expect(200)).body);
  const reasons = async (query: string) => (await list(query)).map(({ reason }) => reason);

  it('begin now or when they say, by uuid or path of the part [D12.6]', async () => {
    const { name, line, cell } = await evaluations.branch();
    const from = '2998-01-01T00:00:00.000Z';
    const uuid = randomUUID();
    const planned = await plan({ uuid, partUuid: cell, from, until: LATER, reason: 'Maintenance' });
    expect(planned).toEqual({ uuid, partUuid: cell, partPath: `PP:/${name}/cell/`, from, until: LATER, reason: 'Maintenance' });
    const now = await plan({ partPath: `/${name}`, until: LATER, reason: 'Set up' });
    expect(now).toMatchObject({ partUuid: line, partPath: `P:/${name}/` });
    expect(Math.abs(Date.parse(now.from) - Date.now())).toBeLessThan(60_000);
    // The path as answers write it.
    expect(await plan({ partPath: planned.partPath, until: LATER, reason: 'Again' })).toMatchObject({ partUuid: cell });
    expect(await plan({ partPath: '/', until: LATER, reason: 'Holiday' })).toMatchObject({ partUuid: ROOT_PART_UUID, partPath: '/' });
    expect(await reasons(`?partPath=/${name}/cell`)).toEqual(['Maintenance', 'Again']);
    expect(await reasons(`?partPath=/${name}&to=2997-01-01T00:00:00Z`)).toEqual(['Again', 'Set up']);
    expect(await reasons(`?partPath=/${name}&limitResult=1&offset=1`)).toEqual(['Again']);
  });

  it('end at once, and one that has not begun is removed [D12.6]', async () => {
    const { name, cell } = await evaluations.branch();
    const running = await plan({ partUuid: cell, until: LATER, reason: 'Running' });
    const planned = await plan({ partUuid: cell, from: '2998-01-01T00:00:00Z', until: LATER, reason: 'Planned' });
    await remove(running.uuid).expect(200);
    await remove(planned.uuid).expect(200);
    expect(await reasons(`?partPath=/${name}`)).toEqual([]);
    const [over, ...others] = await list(`?partPath=/${name}&from=2000-01-01T00:00:00Z`);
    expect(others).toEqual([]);
    expect(over).toMatchObject({ uuid: running.uuid, from: running.from });
    expect(Date.parse(over?.until ?? '')).toBeLessThanOrEqual(Date.now());
    await remove(running.uuid).expect(200);
    expect(await list(`?partPath=/${name}&from=2000-01-01T00:00:00Z`)).toEqual([over]);
    await remove(planned.uuid).expect(404);
  });

  it('are refused where they say what cannot be', async () => {
    const { name, cell, bore } = await evaluations.branch();
    const unknown = randomUUID();
    const stop = { partUuid: cell, until: LATER, reason: 'x' };
    const cases: [object, number, string][] = [
      [{ until: LATER, reason: 'x' }, 400, 'needs partUuid or partPath'],
      [{ ...stop, partPath: `/${name}` }, 400, 'does not go together with partUuid'],
      [{ partUuid: cell, reason: 'x' }, 400, 'must be a date'],
      [{ ...stop, reason: ' ' }, 400, 'say why'],
      [{ ...stop, until: '2000-01-01T00:00:00Z' }, 400, 'ends in the future'],
      [{ ...stop, from: LATER }, 400, 'ends after it begins'],
      [{ ...stop, form: 'now' }, 400, 'the nearest one is from'],
      [{ ...stop, partUuid: unknown }, 404, `There is no part ${unknown}.`],
      [{ ...stop, partUuid: bore }, 404, `There is no part ${bore}.`],
      [{ partPath: `/${name}/none`, until: LATER, reason: 'x' }, 404, `There is no part /${name}/none.`],
      [{ partPath: `PPC:/${name}/cell/bore/`, until: LATER, reason: 'x' }, 400, 'P'],
    ];
    for (const [body, status, message] of cases) expect(messageOf(await post(body).expect(status))).toContain(message);
    const { uuid } = await plan(stop);
    expect(messageOf(await post({ ...stop, uuid }).expect(409))).toBe(`There is a planned stop ${uuid} already.`);
    await remove(unknown).expect(404);
    expect(messageOf(await get('?partpaht=/').expect(400))).toContain('partPath');
  });

  it('need note:write on their part, and are listed to who reads its measurements [D12.6]', async () => {
    const { name, line, cell } = await evaluations.branch();
    const ofLine = await plan({ partUuid: line, until: LATER, reason: 'line' });
    const path = `p${name}/pcell/`;
    await inspection.as(user('ada', path, ['note:write', 'measurement:read']), async () => {
      expect(await plan({ partUuid: cell, until: LATER, reason: 'cell' })).toMatchObject({ user: 'ada' });
      await post({ partUuid: line, until: LATER, reason: 'x' }).expect(403);
      await remove(ofLine.uuid).expect(403);
      expect(await reasons(`?partPath=/${name}`)).toEqual(['cell']);
    });
    await inspection.as(user('bob', path, ['measurement:read']), async () => {
      const [stop] = await list(`?partPath=/${name}`);
      await remove(stop?.uuid ?? '').expect(403);
      await post({ partUuid: cell, until: LATER, reason: 'x' }).expect(403);
    });
  });
});
