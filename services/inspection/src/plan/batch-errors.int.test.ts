import { randomUUID } from 'node:crypto';
import { PathScope } from '@sinebar/access-control';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient } from './plan-client.fixture.ts';

interface Sent {
  uuid: string;
  path?: string;
}

describeWith(['postgres'], 'an error of a batch', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: 1001, entity: 'part', type: 'Integer' });
  });
  afterAll(() => inspection.stop());

  const named = (path: string): Sent => ({ uuid: randomUUID(), path });
  const bodyOf = async (answer: PromiseLike<{ body: unknown }>) => (await answer).body as ErrorBody;
  const post = (kind: 'part' | 'characteristic', items: unknown[]) => bodyOf(plan.post(kind, items).expect(409));

  it('names every uuid that exists, in the order of the request [D2.6]', async () => {
    const [a, b, c] = ['P:/n1/', 'P:/n2/', 'P:/n3/'].map(named) as [Sent, Sent, Sent];
    await plan.post('part', [c, a]).expect(201);
    const { message, details } = await post('part', [a, b, { ...c, path: 'P:/elsewhere/' }]);
    expect(message).toBe(`[0].uuid: There is already something with the uuid ${a.uuid}.`);
    expect(details).toEqual([
      { field: '[0].uuid', message: `There is already something with the uuid ${a.uuid}.` },
      { field: '[2].uuid', message: `There is already something with the uuid ${c.uuid}.` },
    ]);
    expect(await plan.tree('/n2')).toEqual([]);
  });

  it('names every taken path as it was sent, and the uuid that was sent for it [D2.6]', async () => {
    await plan.create('P:/taken/', 'PC:/taken/x/', 'PC:/taken/y/');
    const [first, free, second] = ['PC:/TAKEN/X/', 'PC:/taken/z/', 'PC:/taken/Y/'].map(named) as [Sent, Sent, Sent];
    const { message, details } = await post('characteristic', [first, free, second]);
    expect(message).toBe('[0].path: There is already a characteristic at PC:/TAKEN/X/.');
    expect(details).toEqual([
      { field: '[0].path', message: `There is already a characteristic at PC:/TAKEN/X/, where ${first.uuid} was to be.` },
      { field: '[2].path', message: `There is already a characteristic at PC:/taken/Y/, where ${second.uuid} was to be.` },
    ]);
  });

  it('names every move to a taken path [D2.6]', async () => {
    const [a, b, c] = await plan.create('PP:/m/a/', 'PP:/m/b/', 'PP:/m/c/', 'P:/m/');
    const [, e, f] = await plan.create('P:/o/', 'PP:/o/a/', 'PP:/o/b/');
    const { message, details } = await bodyOf(
      plan
        .put('part', [
          { uuid: c, path: 'PP:/m/d/' },
          { uuid: f, path: 'PP:/m/b/' },
          { uuid: e, path: 'PP:/m/A/' },
        ])
        .expect(409),
    );
    expect(message).toBe('[1].path: There is already a part at PP:/m/b/.');
    expect(details).toEqual([
      { field: '[1].path', message: `There is already a part at PP:/m/b/, where ${f} was to be.` },
      { field: '[2].path', message: `There is already a part at PP:/m/A/, where ${e} was to be.` },
    ]);
    expect(JSON.stringify(details)).not.toContain(a);
    expect(JSON.stringify(details)).not.toContain(b);
  });

  it('names at most 100 of them [D2.6]', async () => {
    const items = Array.from({ length: 250 }, (_, i) => named(`P:/many${i}/`));
    await plan.post('part', items.slice(100)).expect(201);
    const { details } = await post('part', items);
    expect(details).toHaveLength(100);
    expect(details?.[0]).toMatchObject({ field: '[100].uuid', message: expect.stringContaining(items[100]?.uuid ?? '') });
    expect(details?.at(-1)).toMatchObject({ field: '[199].uuid' });
  });

  it('reveals nothing of existing items that the caller may not read [D8.3]', async () => {
    const [own = '', hidden = '', secret = ''] = await plan.create('P:/own/', 'P:/hidden/', 'PP:/hidden/Secret name/');
    const scope = PathScope.below('pown/');
    const principal = { name: 'x', rightsKey: 'x', scopeOf: () => scope, holds: () => false };
    await inspection.as(principal, async () => {
      const { message, details } = await post('part', [
        { uuid: secret, path: 'PP:/own/a/' },
        { uuid: randomUUID(), path: 'PP:/own/b/' },
      ]);
      expect(details).toEqual([{ field: '[0].uuid', message: `There is already something with the uuid ${secret}.` }]);
      expect(message + JSON.stringify(details)).not.toMatch(new RegExp(`hidden|Secret|${hidden}|${own}`, 'i'));
      const outside = await bodyOf(plan.post('part', [{ uuid: randomUUID(), path: 'PP:/hidden/Secret name/' }]).expect(403));
      expect(outside).not.toHaveProperty('details');
    });
  });

  const uuid = randomUUID();
  it.each<[string, 'post' | 'put', unknown, string]>([
    ['an attribute', 'post', { uuid, path: 'P:/bad/', attributes: { 1001: 'x' } }, `It concerns the part ${uuid} at P:/bad/.`],
    ['a key', 'post', { uuid, path: 'P:/bad/', attributes: { 9999: 'x' } }, `It concerns the part ${uuid} at P:/bad/.`],
    ['attributes', 'post', { uuid, path: 'P:/bad/', attributes: [] }, `It concerns the part "${uuid}" at "P:/bad/".`],
    ['a comment', 'post', { UUID: uuid, Path: 'P:/bad/', comment: 7 }, `It concerns the part "${uuid}" at "P:/bad/".`],
    ['a missing path', 'post', { uuid }, `It concerns the part "${uuid}".`],
    ['a path', 'post', { uuid, path: 'bad' }, `It concerns the part "${uuid}" at "bad".`],
    ['a missing uuid', 'post', { path: 'P:/bad/' }, 'It concerns the part at "P:/bad/".'],
    ['a uuid', 'put', { uuid: 'bad', attributes: {} }, 'It concerns the part "bad".'],
    ['a missing parent', 'post', { uuid, path: 'PP:/none/bad/' }, `It concerns the part ${uuid} at PP:/none/bad/.`],
    ['the root', 'put', { uuid: '00000000-0000-0000-0000-000000000000', path: 'P:/r/' }, '00000000-0000-0000-0000-000000000000'],
  ])('about %s names the item beside its index (%s) [D2.6]', async (_what, method, bad, name) => {
    const [good = ''] = await plan.create(`P:/good${randomUUID()}/`);
    const first = method === 'put' ? { uuid: good } : named(`P:/first${randomUUID()}/`);
    const { message } = await bodyOf(plan[method]('part', [first, bad]).expect(400));
    expect(message).toContain('[1]');
    expect(message).toContain(name);
  });

  it('about a missing new parent names the item beside its index [D2.6]', async () => {
    const [moved = ''] = await plan.create(`P:/moved${randomUUID()}/`);
    const { message } = await bodyOf(plan.put('part', [{ uuid: moved, path: 'PP:/none/moved/' }]).expect(400));
    expect(message).toContain(`It concerns the part ${moved} at PP:/none/moved/.`);
  });

  it('about an item that is none has only its index', async () => {
    for (const item of [null, 7, 'x', [], {}, { uuid: 7, path: {} }]) {
      expect((await bodyOf(plan.post('part', [item]).expect(400))).message).not.toContain('It concerns');
    }
  });
});
