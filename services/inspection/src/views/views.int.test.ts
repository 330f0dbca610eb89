import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { savedViewListSchema, savedViewSchema } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { messageOf } from '../evaluation/evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

const user = (name: string, isChief = false): Principal => ({
  name,
  userKey: `basic:${name}`,
  rightsKey: name,
  scopeOf: () => PathScope.NOTHING,
  holds: () => isChief,
});
const [ADA, BOB, CHIEF] = [user('ada'), user('bob'), user('chief', true)];

describeWith(['postgres'], 'saved views', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const PATH = '/analysisServiceRest/views';
  const view = (name: string, shared = false) => ({ name, address: '/console/parts?order=ppk', shared });
  const as = async <T>(principal: Principal, run: () => Promise<T>): Promise<T> => {
    let result: T | undefined;
    await inspection.as(principal, async () => {
      result = await run();
    });
    return result as T;
  };
  const put = (principal: Principal, uuid: string, body: object, status = 200, headers: Record<string, string> = {}) =>
    as(principal, async () => await request(inspection.server).put(`${PATH}/${uuid}`).set(headers).send(body).expect(status));
  const remove = (principal: Principal, uuid: string, status = 200, headers: Record<string, string> = {}) =>
    as(principal, async () => await request(inspection.server).delete(`${PATH}/${uuid}`).set(headers).expect(status));
  const get = (principal: Principal, uuid: string, status = 200) =>
    as(principal, async () => await request(inspection.server).get(`${PATH}/${uuid}`).expect(status));
  const list = (principal: Principal) =>
    as(principal, async () => savedViewListSchema.parse((await request(inspection.server).get(PATH).expect(200)).body));

  it('are those of their user, and those for all', async () => {
    const [own, shared] = [randomUUID(), randomUUID()];
    const saved = savedViewSchema.parse((await put(ADA, own, view('mine'))).body);
    expect(saved).toEqual({ uuid: own, ...view('mine'), own: true, user: 'ada', time: saved.time });
    await put(CHIEF, shared, view('for all', true));
    expect((await list(ADA)).map(({ uuid, own: isOwn }) => [uuid, isOwn])).toEqual([
      [shared, false],
      [own, true],
    ]);
    expect((await list(BOB)).map(({ uuid }) => uuid)).toEqual([shared]);
    await get(BOB, own, 404);
    await remove(BOB, own, 404);
    expect(messageOf(await put(BOB, own, view('taken'), 409))).toContain('is taken');
    await remove(BOB, shared, 403);
    await put(BOB, shared, view('x', true), 403);
    await put(BOB, shared, view('x'), 403);
    expect((await get(BOB, shared)).body).toMatchObject({ name: 'for all', user: 'chief' });
    await remove(ADA, own);
    await remove(CHIEF, shared);
    expect(await list(CHIEF)).toEqual([]);
  });

  it('need configuration:write to be shared', async () => {
    const uuid = randomUUID();
    expect(messageOf(await put(ADA, uuid, view('x', true), 403))).toContain('configuration:write');
    await put(ADA, uuid, view('x'));
    await put(ADA, uuid, view('x', true), 403);
    await remove(ADA, uuid);
  });

  it('keep their owner when another one changes them', async () => {
    const [chief, other] = [user('first', true), user('second', true)];
    const uuid = randomUUID();
    await put(chief, uuid, view('x', true));
    expect((await put(other, uuid, view('y', true))).body).toMatchObject({ name: 'y', user: 'first', own: false });
    expect(messageOf(await put(other, uuid, view('y'), 400))).toContain('stays shared');
    expect((await put(chief, uuid, view('y'))).body).toMatchObject({ shared: false, own: true });
    await remove(chief, uuid);
  });

  it('are changed by who has read them', async () => {
    const uuid = randomUUID();
    const { etag } = (await put(ADA, uuid, view('x'))).headers as { etag: string };
    expect(((await get(ADA, uuid)).headers as { etag: string }).etag).toBe(etag);
    await put(ADA, uuid, view('y'), 200, { 'If-Match': etag });
    await put(ADA, uuid, view('z'), 412, { 'If-Match': etag });
    await remove(ADA, uuid, 412, { 'If-Match': etag });
    await put(ADA, randomUUID(), view('z'), 412, { 'If-Match': etag });
    await remove(ADA, uuid);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/console/',
    '/consoles',
    '/console/\\evil.example',
    '/console/a b',
    '/console/\n',
    '/console/ä',
    `/console/${'x'.repeat(8000)}`,
    '',
  ])('are addresses of the console of this plant, not %j', async (address) => {
    await put(ADA, randomUUID(), { name: 'x', address }, 400);
  });

  it('are refused with a sentence', async () => {
    const uuid = randomUUID();
    expect(messageOf(await put(ADA, uuid, { address: '/console', name: ' ' }, 400))).toContain('is empty');
    expect(messageOf(await put(ADA, uuid, { address: '/console', nam: 'x', name: 'x' }, 400))).toContain('the nearest one is name');
    await put(ADA, uuid, { address: '/console', name: 'x', shared: 'yes' }, 400);
    await remove(ADA, uuid, 404);
    await put(ADA, 'x', view('x'), 400);
    const anonymous = { ...user('', true), userKey: '' };
    expect(messageOf(await put(anonymous, uuid, view('x'), 400))).toContain('Without sign-in');
    await put(anonymous, uuid, view('x', true));
    await remove(anonymous, uuid);
  });

  it('are at most 500 of a user', async () => {
    const full = user('collector');
    await inspection.database.write({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, (session) =>
      session.query(
        `INSERT INTO saved_view SELECT gen_random_uuid(), 'basic:collector', 'collector', now(), 'x', '/console', false
         FROM generate_series(1, 499)`,
      ),
    );
    const last = randomUUID();
    await put(full, last, view('x'));
    expect(messageOf(await put(full, randomUUID(), view('x'), 400))).toContain('There are 500 own views already.');
    await put(full, last, view('y'));
    await put(ADA, randomUUID(), view('x'));
  });
});
