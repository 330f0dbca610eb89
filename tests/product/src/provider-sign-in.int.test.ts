import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PART_RIGHTS } from '@sinebar/access-control';
import { CHROMIUM, describeWithChromium, eventually } from '@sinebar/testing';
import { beginSignIn, DESKTOP, refreshTokens, type SignedInTokens, signInWithPage } from '@sinebar/testing/providers';
import { chromium } from 'playwright-core';
import { io, type Socket } from 'socket.io-client';
import { PEOPLE, startSecuredServer, type SecuredServer } from './secured-server.fixture.ts';

/** Lifetime of the provider's access tokens in seconds. */
const LIFETIME_S = 300;
/** Allowed clock skew in seconds, the default of SINEBAR_OIDC_CLOCK_SKEW_S. */
const SKEW_S = 30;
const LIMIT_MS = 60_000;
const GUARDED = ['/dataServiceRest/parts', '/rawDataServiceRest/rawDataInformation/part', '/eventServiceRest/changes'];

const roles = { all: { grants: [{ path: '/', rights: [...PART_RIGHTS] }] } };
const claim = { claim: 'groups', value: 'pump', roles: ['all'] };
/** A changed member changes the policy version, so the change can be awaited. */
const policy = (claims: object[] = [claim]) => ({ roles, users: {}, claims: [...claims, { claim: randomUUID(), roles: [] }] });
const header = ({ accessToken }: SignedInTokens) => ({ authorization: `Bearer ${accessToken}` });

describe('signing in at a certified provider', () => {
  let server: SecuredServer;
  const sockets: Socket[] = [];

  const signIn = () => signInWithPage(server.provider.issuer, PEOPLE.tom);
  const statuses = (tokens: SignedInTokens) =>
    Promise.all(GUARDED.map(async (path) => (await server.send('GET', path, header(tokens))).status));
  const answerTo = async (tokens: SignedInTokens) => {
    const { status, body } = await server.send('GET', '/dataServiceRest/parts', header(tokens));
    return status === 200 ? 'in' : (body as { message: string }).message;
  };
  const createPart = async (tokens: SignedInTokens) => {
    const uuid = randomUUID();
    const { status } = await server.send('POST', '/dataServiceRest/parts', header(tokens), [{ uuid, path: `P:/${uuid}/` }]);
    expect(status).toBe(201);
    return uuid;
  };
  /** Connects a socket and records names and uuids of its events. */
  const listen = async ({ accessToken }: SignedInTokens) => {
    const socket = io(`http://127.0.0.1:${server.port}/events`, { reconnection: false, forceNew: true, auth: { token: accessToken } });
    sockets.push(socket);
    const heard: [name: string, payload: { PartUuid?: string; code?: string }][] = [];
    socket.onAny((name: string, payload: { PartUuid?: string }) => heard.push([name, payload]));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    const hears = (part: string) => heard.some(([, { PartUuid }]) => PartUuid === part);
    return { socket, heard, hears };
  };

  beforeAll(async () => {
    server = await startSecuredServer(policy(), { SINEBAR_AUTHENTICATION: 'oidc' });
  }, LIMIT_MS);
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.provider.setClock(0);
    await server.provider.setAccounts(Object.values(PEOPLE));
    await server.changePolicy(policy());
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.disconnect()));

  it('with the login page and PKCE gives access to every service and the socket [D8.1]', async () => {
    const tokens = await signIn();
    expect(await statuses(tokens)).toEqual([200, 200, 200]);
    const listening = await listen(tokens);
    const part = await createPart(tokens);
    await eventually(() => listening.hears(part), { describe: 'the event about the new part' });
  });

  it('with a wrong password gives no token', async () => {
    const guess = signInWithPage(server.provider.issuer, { ...PEOPLE.tom, password: 'guess' });
    await expect(guess).rejects.toThrow('User name or password is wrong.');
  });

  it('gives a refresh token, whose access token is accepted for requests', async () => {
    const refreshed = await refreshTokens(server.provider.issuer, (await signIn()).refreshToken);
    expect(await statuses(refreshed)).toEqual([200, 200, 200]);
  });

  it('gives a refresh token, whose access token renews an open socket', async () => {
    const tokens = await signIn();
    const { socket } = await listen(tokens);
    const { accessToken: token } = await refreshTokens(server.provider.issuer, tokens.refreshToken);
    expect(await socket.emitWithAck('reauthenticate', { token })).toEqual({ ok: true });
  });

  describe('while the keys of the provider rotate', () => {
    it('accepts tokens of the new key at once', async () => {
      await server.provider.rotate();
      expect(await answerTo(await signIn())).toBe('in');
    });

    it('accepts tokens of the old key as long as the provider publishes it', async () => {
      const old = await signIn();
      await server.provider.rotate();
      await signIn().then(answerTo);
      expect(await answerTo(old)).toBe('in');
    });

    it('refuses a token of a key that the provider has removed', async () => {
      const withdrawn = await signIn();
      await server.provider.rotate(true);
      // A token of the new key makes the server fetch the keys; the withdrawn token was never used before.
      expect(await answerTo(await signIn())).toBe('in');
      expect(await answerTo(withdrawn)).toBe('The token was signed with a key that the provider does not offer.');
    });
  });

  describe('when the clocks differ', () => {
    it.each([
      ['ahead within the tolerance', SKEW_S - 10, 'in'],
      ['ahead beyond the tolerance', SKEW_S + 10, 'The token is not valid yet. Compare the clocks of the provider and this server.'],
      ['behind, so that its token has expired within the tolerance', -(LIFETIME_S + SKEW_S - 10), 'in'],
      ['behind, so that its token has expired beyond the tolerance', -(LIFETIME_S + SKEW_S + 10), 'The token has expired. Sign in again.'],
    ])('with a provider that is %s', async (_what, offsetS, answer) => {
      await server.provider.setClock(offsetS);
      expect(await answerTo(await signIn())).toBe(answer);
    });
  });

  describe('ends for a user', () => {
    it('whose claim was removed from the policy, for requests', async () => {
      const tokens = await signIn();
      expect(await statuses(tokens)).toEqual([200, 200, 200]);
      await server.changePolicy(policy([]));
      expect((await server.send('GET', '/dataServiceRest/parts', header(tokens))).status).toBe(403);
    });

    it('whose claim was removed from the policy, for an open socket [D8.4]', async () => {
      const tokens = await signIn();
      const listening = await listen(tokens);
      await server.changePolicy(policy([]));
      // Another user receives the event of a new part, and may create it.
      await server.changePolicy(policy([{ ...claim, value: 'others' }]));
      const other = await signInWithPage(server.provider.issuer, PEOPLE.olga);
      const witness = await listen(other);
      const part = await createPart(other);
      await eventually(() => witness.hears(part), { describe: 'the event about the new part' });
      expect(listening.hears(part)).toBe(false);
    });

    it('who has left the group at the provider, with the next token', async () => {
      const tokens = await signIn();
      await server.provider.setAccounts([{ ...PEOPLE.tom, groups: [] }]);
      const refreshed = await refreshTokens(server.provider.issuer, tokens.refreshToken);
      expect((await server.send('GET', '/dataServiceRest/parts', header(refreshed))).status).toBe(403);
    });

    it('whose account the provider has closed, because there is no new token', async () => {
      const tokens = await signIn();
      await server.provider.setAccounts([]);
      await expect(refreshTokens(server.provider.issuer, tokens.refreshToken)).rejects.toThrow('invalid_grant');
    });

    it('whose token has expired, also on an open socket [D8.4]', async () => {
      // The token expires in a few seconds, by the clock of the server.
      await server.provider.setClock(4 - LIFETIME_S);
      const { socket, heard } = await listen(await signIn());
      await eventually(() => heard.some(([name]) => name === 'ConnectionEnded'), { describe: 'the end', timeoutMs: 20_000 });
      await eventually(() => !socket.connected, { describe: 'the connection is closed' });
      expect(heard.find(([name]) => name === 'ConnectionEnded')?.[1].code).toBe('Unauthenticated');
    });
  });

  describeWithChromium('in a browser', () => {
    it(
      'returns to the program that started it',
      async () => {
        const browser = await chromium.launch({ ...CHROMIUM, timeout: LIMIT_MS });
        try {
          const begun = await beginSignIn(server.provider.issuer);
          const page = await browser.newPage();
          await page.goto(begun.url);
          await page.fill('[name=username]', PEOPLE.tom.name);
          await page.fill('[name=password]', PEOPLE.tom.password);
          // Nothing listens at the redirect address: it is enough that the browser is sent there.
          const returned = page.waitForRequest((request) => request.url().startsWith(DESKTOP.redirectUri));
          await page.click('button');
          await page.click('button');
          expect(await statuses(await begun.finish((await returned).url()))).toEqual([200, 200, 200]);
        } finally {
          await browser.close();
        }
      },
      2 * LIMIT_MS,
    );
  });
});
