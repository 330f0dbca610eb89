import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPolicy, type AccessPolicy } from '@sinebar/access-control';
import { createHttpApp, createHttpServer } from '@sinebar/http';
import { createLogger } from '@sinebar/runtime';
import { policyRoutes } from './policy-routes.ts';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$HiyB49oW5zdCBbZnBhc3N3b3Jk$Zml0cyB0aGlzIGhhc2gsIHdoaWNoIGlzIG5vbmU';
const POLICY = readPolicy({
  roles: {
    inspector: { description: 'measures', grants: [{ path: '/Pumps', rights: ['plan:read', 'measurement:write'] }] },
    administrator: { grants: [{ rights: ['policy:write'] }] },
  },
  users: { ada: { password: HASH, roles: ['administrator'] }, ben: { password: HASH, roles: ['inspector'] } },
  claims: [{ claim: 'groups', value: 'plant', roles: ['inspector'] }],
});

describe('the route of the access policy', () => {
  let server: Server;
  let inForce: AccessPolicy | undefined = POLICY;
  let user = 'ada';
  const get = async (query = '') => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/dataServiceRest/accessPolicy${query}`);
    return { status: response.status, text: await response.text() };
  };
  const rightsOf = async (query: string) => {
    const { explanation } = JSON.parse((await get(query)).text) as { explanation: { rights: { right: string; isHeld: boolean }[] } };
    return explanation.rights.filter(({ isHeld }) => isHeld).map(({ right }) => right);
  };
  beforeAll(async () => {
    const authenticate = () => Promise.resolve(POLICY.principalOf(POLICY.userNamed(user)!));
    server = createHttpServer(
      createHttpApp({ routes: policyRoutes(() => inForce), log: createLogger({ service: 'test', level: 'silent' }), authenticate }),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => new Promise((done) => server.close(done)));

  it('shows roles, users and claims, and no password', async () => {
    const { status, text } = await get();
    expect(status).toBe(200);
    expect(text).not.toContain('argon2id');
    expect(JSON.parse(text)).toMatchObject({
      roles: [
        { name: 'inspector', description: 'measures', grants: [{ path: '/Pumps', rights: ['plan:read', 'measurement:write'] }] },
        { name: 'administrator', grants: [{ rights: ['policy:write'] }] },
      ],
      users: [
        { name: 'ada', roles: ['administrator'] },
        { name: 'ben', roles: ['inspector'] },
      ],
      claims: [{ claim: ['groups'], value: 'plant', roles: ['inspector'] }],
    });
  });

  it('explains rights on a part in any case, with those that another one includes', async () => {
    expect(await rightsOf('?user=ben&partPath=/PUMPS/Housing')).toEqual(['plan:read', 'measurement:write', 'note:write']);
    expect(await rightsOf('?user=ben&partPath=/Valves')).toEqual([]);
    expect(await rightsOf('?user=ben')).toEqual([]);
    expect(await rightsOf('?role=administrator')).toEqual(['policy:write']);
  });

  it.each([
    ['?user=eve', 404, 'has no user'],
    ['?role=king', 404, 'has no role'],
    ['?user=ada&role=inspector', 400, 'leave one out'],
    ['?user=ada&partPath=//', 400, 'partPath'],
  ])('says what is wrong with %s', async (query, status, sentence) => {
    const answer = await get(query);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(sentence);
  });

  it('refuses those without policy:write', async () => {
    user = 'ben';
    expect((await get()).status).toBe(403);
    user = 'ada';
  });

  it('answers 404 where there is no policy', async () => {
    inForce = undefined;
    expect((await get()).status).toBe(404);
  });
});
