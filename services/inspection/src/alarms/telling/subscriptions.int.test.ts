import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { alarmDeliverySchema, alarmSubscriptionListSchema, alarmSubscriptionSchema, receiverChoiceSchema } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { PlanClient } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

const user = (name: string, more: Partial<Principal> = {}): Principal => ({
  name,
  userKey: `oidc:sub:${name}`,
  rightsKey: name,
  claims: { sub: name, email: `${name}@plant.example`, email_verified: true },
  scopeOf: () => PathScope.EVERYTHING,
  holds: () => false,
  ...more,
});
const ADA = user('ada');
const BOB = user('bob');
const CHIEF = user('chief', { holds: () => true });
const OWN = { receiver: { kind: 'email', address: 'ADA@plant.example' }, partPath: '/' };
const HOOK = { receiver: { kind: 'webhook', url: 'https://hooks.example/in?a=1', shape: 'standard' }, partPath: '/' };
const PATH = '/alarmServiceRest/subscriptions';

describeWith(['postgres'], 'subscriptions of alarms', () => {
  let inspection: RunningInspection;
  let acceptToken: (principal: Principal) => void;
  const users = new Map([ADA, BOB, CHIEF].map((principal) => [principal.userKey, principal]));
  beforeAll(async () => {
    const settings = {
      SINEBAR_SMTP_URL: 'smtp://127.0.0.1:1',
      SINEBAR_MAIL_FROM: 'q@plant.example',
      SINEBAR_MAIL_DOMAINS: ['Example.org'],
    };
    const absent = {
      principalOf: ({ userKey }: { userKey: string }) => users.get(userKey),
      onToken: (listener: (principal: Principal) => void) => {
        acceptToken = listener;
      },
    };
    inspection = await startInspection(settings, undefined, { users: absent });
    await new PlanClient(() => inspection).create('P:/Straße/', 'PP:/Straße/cell/');
  });
  afterAll(() => inspection.stop());

  const as = async <T>(principal: Principal, run: () => Promise<T>): Promise<T> => {
    let result: T | undefined;
    await inspection.as(principal, async () => {
      result = await run();
    });
    return result as T;
  };
  const send = (
    principal: Principal,
    method: 'post' | 'put' | 'delete' | 'get',
    path: string,
    status: number,
    body?: object,
    etag?: string,
  ) =>
    as(principal, async () => {
      const sent = request(inspection.server)[method](path);
      if (etag !== undefined) void sent.set('If-Match', etag);
      return await (body ? sent.send(body) : sent).expect(status);
    });
  const create = async (principal: Principal, body: object) =>
    alarmSubscriptionSchema.parse((await send(principal, 'post', PATH, 201, body)).body);
  const remove = (principal: Principal, uuid: string) => send(principal, 'delete', `${PATH}/${uuid}`, 200);
  const list = async (principal: Principal) => alarmSubscriptionListSchema.parse((await send(principal, 'get', PATH, 200)).body);

  it('are made with defaults, read and deleted', async () => {
    const made = await create(ADA, OWN);
    expect(made).toEqual({
      uuid: made.uuid,
      ...OWN,
      partUuid: '00000000-0000-0000-0000-000000000000',
      kinds: ['tolerance', 'plausibility', 'rule', 'process', 'silence'],
      language: 'en',
      own: true,
      user: 'ada',
      time: made.time,
    });
    expect((await send(ADA, 'get', `${PATH}/${made.uuid}`, 200)).body).toEqual(made);
    expect(await list(ADA)).toEqual([made]);
    await remove(ADA, made.uuid);
    expect(await list(ADA)).toEqual([]);
    await send(ADA, 'get', `${PATH}/${made.uuid}`, 404);
  });

  it('keep everything that a body says', async () => {
    const body = {
      ...OWN,
      uuid: randomUUID(),
      partPath: '/strasse/CELL',
      kinds: ['rule', 'tolerance'],
      escalateAfterMinutes: 15,
      digest: { at: ['14:00', '06:00', '06:00'] },
      quietHours: { from: '22:00', to: '05:30' },
      language: 'de',
    };
    const made = await create(ADA, body);
    const stored = { ...body, partPath: '/Strasse/cell', kinds: ['tolerance', 'rule'], digest: { at: ['06:00', '14:00'] } };
    expect(made).toMatchObject(stored);
    const changed = { ...made, digest: { everyMinutes: 60 }, escalateAfterMinutes: null };
    const { etag } = (await send(ADA, 'get', `${PATH}/${made.uuid}`, 200)).headers as { etag: string };
    const answer = await send(ADA, 'put', `${PATH}/${made.uuid}`, 200, changed, etag);
    const { escalateAfterMinutes, ...kept } = stored;
    expect(escalateAfterMinutes).toBe(15);
    expect(answer.body).toMatchObject({ ...kept, digest: { everyMinutes: 60 } });
    expect(answer.body).not.toHaveProperty('escalateAfterMinutes');
    await send(ADA, 'put', `${PATH}/${made.uuid}`, 412, changed, etag);
    await send(ADA, 'delete', `${PATH}/${made.uuid}`, 412, undefined, etag);
    await send(ADA, 'post', PATH, 409, body);
    await remove(ADA, made.uuid);
  });

  it('of others need policy:write', async () => {
    const { uuid } = await create(ADA, OWN);
    expect(await list(BOB)).toEqual([]);
    for (const method of ['get', 'put', 'delete'] as const)
      await send(BOB, method, `${PATH}/${uuid}`, 404, method === 'put' ? OWN : undefined);
    await send(BOB, 'post', `${PATH}/${uuid}/test`, 404);
    expect(await list(CHIEF)).toMatchObject([{ uuid, own: false, user: 'ada' }]);
    expect((await send(CHIEF, 'put', `${PATH}/${uuid}`, 200, { ...OWN, language: 'de' })).body).toMatchObject({ user: 'ada', own: false });
    // The receiver is one that the owner may have told.
    await send(CHIEF, 'put', `${PATH}/${uuid}`, 403, HOOK);
    await remove(CHIEF, uuid);
  });

  it.each<[string, Principal, object]>([
    ['another address', ADA, { ...OWN, receiver: { kind: 'email', address: 'bob@plant.example' } }],
    ['an address that only begins like a domain', ADA, { ...OWN, receiver: { kind: 'email', address: 'a@sub.example.org' } }],
    ['an address that is not verified', user('eve', { claims: { sub: 'eve', email: 'ada@plant.example' } }), OWN],
    ['an address without claims', user('eve', { claims: undefined as never }), OWN],
    ['a webhook', ADA, HOOK],
  ])('refuse %s without policy:write', async (_what, principal, body) => {
    expect(messageOf(await send(principal, 'post', PATH, 403, body))).toContain('policy:write');
  });

  it('take addresses of the domains of the operator from everybody', async () => {
    const { uuid } = await create(ADA, { ...OWN, receiver: { kind: 'email', address: 'a@EXAMPLE.ORG' } });
    await remove(ADA, uuid);
  });

  it('show the secret of a webhook once', async () => {
    const made = await create(CHIEF, HOOK);
    const secret = made.receiver.kind === 'webhook' ? made.receiver.secret : undefined;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await list(CHIEF))[0]?.receiver).toEqual(HOOK.receiver);
    expect((await send(CHIEF, 'put', `${PATH}/${made.uuid}`, 200, HOOK)).body).toMatchObject({ receiver: HOOK.receiver });
    const [{ secret: stored }] = (await inspection.database.read(work(), (session) =>
      session.query('SELECT secret FROM alarm_subscription_secret'),
    )) as [{ secret: string }];
    expect(stored).toBe(secret);
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const own = { ...HOOK, receiver: { ...HOOK.receiver, secret: given } };
    expect((await send(CHIEF, 'put', `${PATH}/${made.uuid}`, 200, own)).body).toMatchObject({ receiver: { secret: given } });
    await remove(CHIEF, made.uuid);
    expect(await inspection.database.read(work(), (session) => session.query('SELECT FROM alarm_subscription_secret'))).toEqual([]);
  });

  it('keep the address of a webhook of Slack secret', async () => {
    const receiver = { kind: 'webhook', url: 'https://hooks.slack.com/services/T0/B0/secret', shape: 'slack' };
    const made = await create(CHIEF, { ...HOOK, receiver });
    const shown = { ...receiver, url: 'https://hooks.slack.com' };
    expect(made.receiver).toEqual(shown);
    const stored = async () =>
      await inspection.database.read(work(), (session) => session.query('SELECT secret FROM alarm_subscription_secret'));
    await send(CHIEF, 'put', `${PATH}/${made.uuid}`, 200, { ...HOOK, receiver: shown });
    expect(await stored()).toEqual([{ secret: receiver.url }]);
    await send(CHIEF, 'put', `${PATH}/${made.uuid}`, 200, {
      ...HOOK,
      receiver: { ...receiver, url: 'https://hooks.slack.com/services/new' },
    });
    expect(await stored()).toEqual([{ secret: 'https://hooks.slack.com/services/new' }]);
    expect((await list(CHIEF))[0]?.receiver).toEqual(shown);
    await remove(CHIEF, made.uuid);
  });

  it('tell whom somebody may have told', async () => {
    const choice = async (principal: Principal) =>
      receiverChoiceSchema.parse((await send(principal, 'get', '/alarmServiceRest/receivers', 200)).body);
    const server = { mailDomains: ['example.org'], mail: true, links: false, zone: 'UTC' };
    expect(await choice(ADA)).toEqual({ any: false, ownAddress: 'ada@plant.example', ...server });
    expect(await choice(user('x', { claims: { email: 'x@y.z', email_verified: 'true' }, holds: () => true }))).toEqual({
      any: true,
      ...server,
    });
  });

  it('know nothing of parts that their user may not read', async () => {
    const below = user('low', { scopeOf: () => PathScope.below('pstrasse/pcell/') });
    users.set(below.userKey, below);
    const body = { ...OWN, receiver: { kind: 'email', address: 'low@plant.example' } };
    const { uuid } = await create(below, { ...body, partPath: '/Straße' });
    await remove(below, uuid);
    const other = user('other', { scopeOf: () => PathScope.below('pelse/') });
    const wrong = { ...OWN, receiver: { kind: 'email', address: 'other@plant.example' }, partPath: '/Straße' };
    const refused = messageOf(await send(other, 'post', PATH, 400, wrong));
    expect(refused.replace('Straße', 'Nowhere')).toBe(messageOf(await send(other, 'post', PATH, 400, { ...wrong, partPath: '/Nowhere' })));
  });

  it.each<[string, object, string]>([
    ['no receiver', { partPath: '/' }, 'email or webhook'],
    ['a receiver of another kind', { ...OWN, receiver: { kind: 'fax' } }, 'email or webhook'],
    ['an unknown member', { ...OWN, kind: ['rule'] }, 'the nearest one is kinds'],
    ['an unknown kind', { ...OWN, kinds: ['rules'] }, 'the nearest one is rule'],
    ['no kind', { ...OWN, kinds: [] }, 'names no kind'],
    ['an address with a line break', { ...OWN, receiver: { kind: 'email', address: 'a@b.example\nBcc: c@d.example' } }, 'ada@example.com'],
    ['two addresses', { ...OWN, receiver: { kind: 'email', address: 'a@b.example,c@d.example' } }, 'ada@example.com'],
    ['a part that is not there', { ...OWN, partPath: '/nowhere' }, 'no part /nowhere'],
    ['a wrong path', { ...OWN, partPath: '/a//b' }, 'name is empty'],
    ['a digest without members', { ...OWN, digest: {} }, 'everyMinutes'],
    ['a digest of a minute', { ...OWN, digest: { everyMinutes: 1 } }, 'everyMinutes'],
    ['a digest at no time', { ...OWN, digest: { at: [] } }, 'names no time'],
    ['quiet hours without end', { ...OWN, quietHours: { from: '22:00' } }, 'to'],
    ['quiet hours of no length', { ...OWN, quietHours: { from: '22:00', to: '22:00' } }, 'must differ'],
    ['a time that no clock shows', { ...OWN, quietHours: { from: '25:00', to: '06:00' } }, '00:00 to 23:59'],
    ['an escalation at once', { ...OWN, escalateAfterMinutes: 0 }, '1'],
    ['another language', { ...OWN, language: 'fr' }, 'en, de'],
    ['a short secret', { ...HOOK, receiver: { ...HOOK.receiver, secret: 'whsec_YWJj' } }, '24 to 64 bytes'],
    ['a secret of Slack', { ...HOOK, receiver: { ...HOOK.receiver, shape: 'slack', secret: `whsec_${'A'.repeat(32)}` } }, 'standard only'],
    ['plain http', { ...HOOK, receiver: { ...HOOK.receiver, url: 'http://hooks.example/in' } }, 'https'],
    ['a password in the address', { ...HOOK, receiver: { ...HOOK.receiver, url: 'https://a:b@hooks.example/in' } }, 'without user'],
    ['a private address', { ...HOOK, receiver: { ...HOOK.receiver, url: 'https://10.0.0.1/in' } }, 'private address'],
    ['an address of this computer', { ...HOOK, receiver: { ...HOOK.receiver, url: 'https://localhost/in' } }, 'private address'],
    [
      'an address in another notation',
      { ...HOOK, receiver: { ...HOOK.receiver, url: 'https://[::ffff:127.0.0.1]/in' } },
      'private address',
    ],
    ['a number as an address', { ...HOOK, receiver: { ...HOOK.receiver, url: 'https://2130706433/in' } }, 'private address'],
  ])('refuse %s', async (_what, body, sentence) => {
    expect(messageOf(await send(CHIEF, 'post', PATH, 400, body))).toContain(sentence);
  });

  it('are at most 100 of a user', async () => {
    const full = user('collector');
    users.set(full.userKey, full);
    await inspection.database.write(work(), (session) =>
      session.query(
        `INSERT INTO alarm_subscription (uuid, owner, part_uuid, kinds, receiver, language, created_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), '{rule}', '{"kind":"email","address":"collector@plant.example"}', 'en', now()
         FROM generate_series(1, 99)`,
        [full.userKey],
      ),
    );
    const body = { ...OWN, receiver: { kind: 'email', address: 'collector@plant.example' } };
    await create(full, body);
    expect(messageOf(await send(full, 'post', PATH, 400, body))).toContain('There are 100 own subscriptions already.');
    expect((await list(full))[0]?.paused).toBe('part');
  });

  it('say why they are paused', async () => {
    const { uuid } = await create(BOB, { ...OWN, receiver: { kind: 'email', address: 'bob@plant.example' } });
    const paused = async () => (await list(CHIEF)).find((one) => one.uuid === uuid)?.paused;
    expect(await paused()).toBeUndefined();
    users.set('oidc:sub:bob', user('bob', { claims: { sub: 'bob' } }));
    expect(await paused()).toBe('receiver');
    users.set('oidc:sub:bob', user('bob', { scopeOf: () => PathScope.NOTHING }));
    expect(await paused()).toBe('right');
    users.delete('oidc:sub:bob');
    expect(await paused()).toBe('user');
    expect(messageOf(await send(CHIEF, 'put', `${PATH}/${uuid}`, 409, OWN))).toContain('cannot sign in');
    users.set('oidc:sub:bob', BOB);
    await inspection.database.write(work(), (session) =>
      session.query('UPDATE alarm_owner SET seen_at = $1', [new Date(Date.now() - 31 * 86_400_000)]),
    );
    expect(await paused()).toBe('signIn');
    expect(messageOf(await send(CHIEF, 'post', `${PATH}/${uuid}/test`, 409))).toContain('signIn');
    await remove(CHIEF, uuid);
  });

  it('keep the claims of the newest token of their user, once in a minute', async () => {
    const { uuid } = await create(ADA, OWN);
    const stored = () =>
      inspection.database.read(work(), (session) =>
        session.query<{ key: string; claims: object }>(
          `SELECT user_key AS key, claims FROM alarm_owner WHERE name IN ('ada', 'bob', 'eve') ORDER BY 1`,
        ),
      );
    const kept = { sub: 'ada', email: 'ada@plant.example', email_verified: true };
    expect(await stored()).toEqual([{ key: 'oidc:sub:ada', claims: kept }]);
    acceptToken(user('ada', { claims: { ...kept, groups: ['new'], iat: 1, exp: 2, jti: 'x' } }));
    // Nothing is kept of users without subscriptions.
    acceptToken(user('eve'));
    await eventually(async () => JSON.stringify(await stored()).includes('new'));
    expect(await stored()).toEqual([{ key: 'oidc:sub:ada', claims: { ...kept, groups: ['new'] } }]);
    acceptToken(user('ada', { claims: { ...kept, groups: ['newer'] } }));
    // Were it written, it would be before what comes later.
    const witness = await create(BOB, { ...OWN, receiver: { kind: 'email', address: 'bob@plant.example' } });
    acceptToken(user('bob', { claims: { sub: 'bob', groups: ['witness'] } }));
    await eventually(async () => JSON.stringify(await stored()).includes('witness'));
    expect(JSON.stringify(await stored())).not.toContain('newer');
    await remove(ADA, uuid);
    await remove(BOB, witness.uuid);
    expect(await stored()).toEqual([]);
  });

  it('list their messages, which others do not see', async () => {
    const { uuid } = await create(ADA, OWN);
    const sent = alarmDeliverySchema.parse((await send(ADA, 'post', `${PATH}/${uuid}/test`, 201)).body);
    expect(sent).toMatchObject({ subscriptionUuid: uuid, test: true, receiver: { kind: 'email', to: 'ADA@plant.example' } });
    for (let i = 0; i < 2; i += 1) await send(ADA, 'post', `${PATH}/${uuid}/test`, 201);
    await send(ADA, 'post', `${PATH}/${uuid}/test`, 429);
    const deliveries = '/alarmServiceRest/deliveries';
    expect((await send(ADA, 'get', `${deliveries}?subscriptionUuid=${uuid}&limitResult=2`, 200)).body).toHaveLength(2);
    await send(ADA, 'get', `${deliveries}/${sent.uuid}`, 200);
    await send(BOB, 'get', `${deliveries}?subscriptionUuid=${uuid}`, 404);
    await send(BOB, 'get', `${deliveries}/${sent.uuid}`, 404);
    await send(BOB, 'post', `${deliveries}/${sent.uuid}/retry`, 404);
    expect((await send(BOB, 'get', deliveries, 200)).body).toEqual([]);
    expect(messageOf(await send(ADA, 'get', `${deliveries}?state=lost`, 400))).toContain('waiting, sending');
    await remove(ADA, uuid);
    await send(ADA, 'get', `${deliveries}/${sent.uuid}`, 404);
  });
});

function work() {
  return { signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 };
}
