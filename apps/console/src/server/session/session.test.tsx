import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeServer, refusal } from '../../testing/fake-server.fixture';
import { Session } from './session';

const RIGHTS = { userName: 'anna', partRights: {}, serverRights: [] };

/** A server that knows one user; `anybody` may come without a sign-in. */
function serverOf({ anybody = false, challenge = 'Basic realm="Sinebar"' } = {}) {
  const server = new FakeServer();
  const sent: (string | undefined)[] = [];
  const send: typeof fetch = async (input, init) => {
    const authorization = new Headers(init?.headers).get('Authorization') ?? undefined;
    sent.push(authorization);
    if (anybody || authorization === `Basic ${btoa('anna:secret')}`) return server.fetch(input, init);
    const answer = refusal(401, 'Unauthenticated', 'Sign in.');
    return new Response(await answer.text(), { status: 401, headers: { 'WWW-Authenticate': challenge } });
  };
  server.answer('GET /dataServiceRest/permissions', () => RIGHTS);
  const session = new Session({ serverUrl: 'http://sinebar.test', consoleUrl: 'http://sinebar.test/console/', send });
  return { session, sent };
}

describe('a session', () => {
  beforeEach(() => sessionStorage.clear());

  it('needs no sign-in where the server wants none', async () => {
    const { session } = serverOf({ anybody: true });
    await session.begin();
    expect(session.snapshot()).toMatchObject({ step: 'signed-in', way: 'none' });
  });

  it('offers the ways that the server names', async () => {
    const { session } = serverOf({ challenge: 'Basic realm="Sinebar", charset="UTF-8", Bearer' });
    await session.begin();
    expect(session.snapshot()).toMatchObject({ step: 'signed-out', ways: { basic: true, openId: true } });
  });

  it('signs in with the right password', async () => {
    const { session } = serverOf();
    await session.begin();
    await session.signIn('anna', 'secret');
    expect(session.snapshot()).toMatchObject({ step: 'signed-in', permissions: { userName: 'anna' } });
  });

  it('says that a password is wrong', async () => {
    const { session } = serverOf();
    await session.begin();
    await session.signIn('anna', 'guess');
    expect(session.snapshot()).toMatchObject({ step: 'signed-out', problem: { kind: 'refused' } });
  });

  it('keeps requests waiting until somebody has signed in', async () => {
    const { session } = serverOf();
    await session.begin();
    const asked = session.credentialsFor('first');
    await session.signIn('anna', 'secret');
    expect(await asked).toEqual({ username: 'anna', password: 'secret' });
  });

  it('asks again, and keeps the page, when credentials are refused later', async () => {
    const { session } = serverOf();
    await session.begin();
    await session.signIn('anna', 'secret');
    const asked = session.credentialsFor('refused');
    expect(session.snapshot()).toMatchObject({ step: 'signed-out', permissions: { userName: 'anna' } });
    await new Promise<void>((resolve) => {
      const stop = session.subscribe(() => {
        const state = session.snapshot();
        if (state.step !== 'signed-out' || !state.ways.basic) return;
        stop();
        resolve();
      });
    });
    await session.signIn('anna', 'secret');
    expect(await asked).toEqual({ username: 'anna', password: 'secret' });
  });

  it('keeps the page while the server is away when credentials expire', async () => {
    // Node reads bodies of answers with these.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const server = new FakeServer();
      let isAway = false;
      const session = new Session({
        serverUrl: 'http://sinebar.test',
        consoleUrl: 'http://sinebar.test/console/',
        send: async (input, init) => {
          if (isAway) throw new TypeError('Failed to fetch');
          if (new Headers(init?.headers).has('Authorization')) return server.fetch(input, init);
          return new Response('{}', { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Sinebar"' } });
        },
      });
      server.answer('GET /dataServiceRest/permissions', () => RIGHTS);
      await session.begin();
      await session.signIn('anna', 'secret');
      isAway = true;
      void session.credentialsFor('refused');
      for (const away of [true, false]) {
        isAway = away;
        await jest.advanceTimersByTimeAsync(10_000);
        expect(session.snapshot()).toMatchObject({ step: 'signed-out', permissions: RIGHTS, ways: { basic: !away } });
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('forgets the reader on sign-out', async () => {
    const { session, sent } = serverOf();
    await session.begin();
    await session.signIn('anna', 'secret');
    await session.signOut();
    expect(session.snapshot()).toMatchObject({ step: 'signed-out', permissions: undefined });
    expect(sent.at(-1)).toBeUndefined();
  });
});
