import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { PlanClient } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

describeWith(['postgres'], 'clearing a part', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
  });
  afterAll(async () => {
    try {
      await expectConsistentPlan(inspection);
    } finally {
      await inspection.stop();
    }
  });

  const clear = (uuid: string | undefined, query = '') => request(inspection.server).post(`/dataServiceRest/parts/${uuid}/clear${query}`);
  const tree = (t: string) =>
    plan.create(`P:/${t}/`, `P:/${t}2/`, `PP:/${t}/sub/`, `PC:/${t}/x/`, `PCC:/${t}/x/y/`, `PPC:/${t}/sub/z/`, `PC:/${t}2/x/`);

  it.each(['', '?keep=', '?keep={}', '?KEEP'])('deletes sub parts and characteristics with %j [I112, D4.8, D7.3]', async (query) => {
    const t = `all${randomUUID()}`;
    const [part, , sub, x, y, z] = (await tree(t)) as [string, string, string, string, string, string];
    const before = await plan.one('part', part);
    await eventually(() => Date.now() > Date.parse(before.charChangeDate ?? ''));
    const events = await plan.eventsOf(() => clear(part, query).expect(200));
    expect(await plan.tree(t)).toEqual([`P:/${t}/`]);
    expect(await plan.tree(`${t}2`)).toEqual([`P:/${t}2/`, `PC:/${t}2/x/`]);
    expect(events.map(({ type, PartUuid, CharacteristicUuid }) => [type, CharacteristicUuid ?? PartUuid]).sort()).toEqual(
      [
        ['CharacteristicDeleted', x],
        ['CharacteristicDeleted', y],
        ['CharacteristicDeleted', z],
        ['PartDeleted', sub],
      ].sort(),
    );
    const order = events.map(({ PartUuid, CharacteristicUuid }) => CharacteristicUuid ?? PartUuid);
    expect(order.indexOf(y)).toBeLessThan(order.indexOf(x));
    expect(order.indexOf(z)).toBeLessThan(order.indexOf(sub));
    const after = await plan.one('part', part);
    expect(after).toEqual({ ...before, charChangeDate: after.charChangeDate });
    expect(Date.parse(after.charChangeDate ?? '')).toBeGreaterThan(Date.parse(before.charChangeDate ?? ''));
    expect(await plan.eventsOf(() => clear(part, query).expect(200))).toEqual([]);
  });

  it.each(['?keep=subParts', '?keep={SubParts}', '?KEEP=%7BSUBPARTS,subparts%7D'])(
    'keeps sub parts with %s [I113, D4.8]',
    async (query) => {
      const t = `keep${randomUUID()}`;
      const [part, , sub, x, y] = await tree(t);
      const events = await plan.eventsOf(() => clear(`{${part?.toUpperCase()}}`, query).expect(200));
      expect(await plan.tree(t)).toEqual([`P:/${t}/`, `PP:/${t}/sub/`, `PPC:/${t}/sub/z/`]);
      expect(events).toEqual([
        { type: 'CharacteristicDeleted', CharacteristicUuid: y, ParentPartUuid: part },
        { type: 'CharacteristicDeleted', CharacteristicUuid: x, ParentPartUuid: part },
      ]);
      await plan.one('part', sub as string);
    },
  );

  it('clears the root part, with and without sub parts', async () => {
    const t = `root${randomUUID()}`;
    await plan.create(`P:/${t}/`, `PC:/${t}/x/`, `C:/${t}/`);
    await clear(ROOT_PART_UUID, '?keep=subParts').expect(200);
    expect(await plan.tree()).toEqual(expect.arrayContaining([`P:/${t}/`, `PC:/${t}/x/`]));
    expect(await plan.list('characteristic')).toEqual([]);
    await clear(ROOT_PART_UUID).expect(200);
    expect(await plan.tree()).toEqual(['/']);
  });

  it.each(['/', '%2F', '/&partUuid='])('clears the root part by DELETE /parts?partPath=%s [D4.1]', async (path) => {
    const t = `deleted${randomUUID()}`;
    await plan.create(`P:/${t}/`, `PC:/${t}/x/`, `C:/${t}/`);
    const isRefused = path.includes('&');
    await plan.delete(`parts?partPath=${path}`).expect(isRefused ? 400 : 200);
    if (isRefused) expect(await plan.tree()).toEqual(expect.arrayContaining([`P:/${t}/`, `PC:/${t}/x/`, `C:/${t}/`]));
    else expect(await plan.tree()).toEqual(['/']);
  });

  it('clears the root part by its path only for users who may clear it [D4.1]', async () => {
    const t = `kept${randomUUID()}`;
    await plan.create(`P:/${t}/`);
    await inspection.as({ name: 'stub', rightsKey: 's', scopeOf: () => PathScope.below(`p${t}/`), holds: () => false }, async () => {
      await plan.delete('parts?partPath=/').expect(403);
    });
    expect(await plan.tree(t)).toEqual([`P:/${t}/`]);
  });

  it('accepts a request without body and content type [D4.8]', async () => {
    const [part] = await plan.create(`P:/${randomUUID()}/`);
    const { port } = inspection.server.address() as AddressInfo;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const bare = httpRequest({
        port,
        method: 'POST',
        path: `/dataServiceRest/parts/${part}/clear`,
        headers: { 'Content-Length': 0 },
        agent: false,
      });
      bare.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
      bare.end();
    });
    expect(status).toBe(200);
    await clear(part).set('Content-Type', 'application/json').expect(200);
  });

  it('refuses invalid requests and deletes nothing [D1.7]', async () => {
    const t = `no${randomUUID()}`;
    const [part, , , x] = await tree(t);
    await clear(part, '?keep=measurements').expect(400);
    await clear(part, '?keep=subParts&keep=subParts').expect(400);
    for (const query of ['keep[]=subParts', 'keep[0]=subParts', 'keeps=subParts', 'keepSubParts=true', 'keep=&keep='])
      await clear(part, `?${query}`).expect(400);
    await clear(part, '?keep=subParts').send({ keep: 'subParts' }).expect(400);
    await clear(x).expect(404);
    await clear(randomUUID()).expect(404);
    await clear('not-a-uuid').expect(400);
    await request(inspection.server).get(`/dataServiceRest/parts/${part}/clear`).expect(405).expect('Allow', 'POST');
    await inspection.as({ name: 'stub', rightsKey: 's', scopeOf: () => PathScope.below(`p${t}/psub/`), holds: () => false }, async () => {
      await clear(part).expect(403);
      await clear(part, '?keep=subParts').expect(403);
    });
    expect(await plan.tree(t)).toHaveLength(5);
  });
});
