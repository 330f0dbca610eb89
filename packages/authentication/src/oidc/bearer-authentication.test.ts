import { createHmac } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, type Logger } from '@sinebar/runtime';
import { newSigningKey, TestOidcProvider } from '@sinebar/testing/providers';
import { SignJWT } from 'jose';
import { BearerAuthentication } from './bearer-authentication.ts';
import { OidcProvider, type OidcProviderOptions } from './oidc-provider.ts';

/** Has a critical header (`crit`): a verifier that does not know it must refuse the token. */
function criticalToken({ issuer, audience, currentKey }: TestOidcProvider): Promise<string> {
  return new SignJWT({ iss: issuer, aud: audience, sub: 'somebody', exp: Math.floor(Date.now() / 1000) + 60 })
    .setProtectedHeader({ alg: currentKey.alg, kid: currentKey.kid, crit: ['must'], must: true })
    .sign(currentKey.privateKey, { crit: { must: true } });
}

const base64 = (value: object | string) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('tokens of an OpenID Connect provider', () => {
  let provider: TestOidcProvider;
  let bearer: BearerAuthentication;
  let logged: string;
  let log: Logger;
  let nowMs: number | undefined;

  beforeEach(async () => {
    provider = await TestOidcProvider.start();
    logged = '';
    nowMs = undefined;
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logged += chunk.toString();
        done();
      },
    });
    log = createLogger({ service: 'test', level: 'debug', destination });
    bearer = bearerWith({});
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await provider.stop();
  });

  function bearerWith(options: Partial<OidcProviderOptions>): BearerAuthentication {
    return new BearerAuthentication({
      provider: new OidcProvider({ issuer: provider.issuer, log, cooldownMs: 0, pauseMs: 0, ...options }),
      audiences: ['other', 'sinebar'],
      clockSkewMs: 30_000,
      nameClaim: 'preferred_username',
      log,
      now: () => new Date(nowMs ?? Date.now()),
    });
  }
  const outcome = async (token: string) => {
    try {
      return (await bearer.signIn(token, '192.0.2.1')).name;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('sign in their user until they expire [D8.1]', async () => {
    const exp = Math.floor(Date.now() / 1000) + 100;
    const token = await provider.token({ preferred_username: 'ada', groups: ['qa'], exp });
    const signIn = await bearer.signIn(token, '192.0.2.1');
    expect(signIn).toMatchObject({ name: 'ada', expiresAt: new Date(exp * 1000), claims: { groups: ['qa'], sub: 'somebody' } });
    expect(await outcome(await provider.token())).toBe('somebody');
    expect(await outcome(await provider.token({ sub: undefined, client_id: 'importer' }))).toBe('importer');
    expect(await outcome(await provider.token({ aud: ['x', 'sinebar'] }))).toBe('somebody');
    expect(await outcome(await provider.token({}, { typ: 'at+jwt' }))).toBe('somebody');
    expect(await outcome(await provider.token({}, { typ: undefined }))).toBe('somebody');
    expect(provider.asked).toMatchObject({ discovery: 1, keys: 1 });
  });

  it.each(['RS256', 'PS512', 'EdDSA'])('are accepted with signatures of the kind %s', async (alg) => {
    await provider.rotate(true, alg);
    expect(await outcome(await provider.token())).toBe('somebody');
  });

  it('are accepted with small differences of clocks', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await outcome(await provider.token({ exp: now - 20 }))).toBe('somebody');
    expect(await outcome(await provider.token({ nbf: now + 20 }))).toBe('somebody');
  });

  it.each<[string, () => Promise<string>, string]>([
    ['of another issuer', () => provider.token({ iss: 'http://127.0.0.1:1' }), 'The token comes from another issuer.'],
    ['of no issuer', () => provider.token({ iss: undefined }), 'The token comes from another issuer.'],
    [
      'for another audience',
      () => provider.token({ aud: 'sinebar2' }),
      'The token was made for somebody else: its audience is another one.',
    ],
    ['for no audience', () => provider.token({ aud: undefined }), 'The token was made for somebody else: its audience is another one.'],
    ['that has expired', () => provider.token({ exp: Math.floor(Date.now() / 1000) - 31 }), 'The token has expired. Sign in again.'],
    ['that never expires', () => provider.token({ exp: undefined }), 'A claim of the token is missing or has a wrong type.'],
    [
      'that is not valid yet',
      () => provider.token({ nbf: Math.floor(Date.now() / 1000) + 60 }),
      'The token is not valid yet. Compare the clocks of the provider and this server.',
    ],
    [
      'of a kind that lets nobody in',
      () => provider.token({}, { typ: 'logout+jwt' }),
      'This kind of token is not accepted. Send an access token or an ID token.',
    ],
    ['with a critical header that nobody knows', () => criticalToken(provider), 'This is no token of the provider.'],
    [
      'signed with a key of somebody else',
      async () => provider.token({}, { kid: provider.currentKey.kid }, await newSigningKey()),
      'The signature of the token is wrong.',
    ],
    [
      'signed with a key that is not on offer',
      async () => provider.token({}, {}, await newSigningKey()),
      'The token was signed with a key that the provider does not offer.',
    ],
    [
      'with a key in its own header',
      async () => {
        const key = await newSigningKey();
        return provider.token({}, { kid: key.kid, jwk: key.jwk }, key);
      },
      'The token was signed with a key that the provider does not offer.',
    ],
  ])('%s are refused [D8.1]', async (_what, make, sentence) => {
    expect(await outcome(await make())).toBe(sentence);
  });

  it('without a signature are refused', async () => {
    const claims = (await provider.token()).split('.')[1]!;
    for (const alg of ['none', 'None', 'NONE', '']) {
      for (const signature of ['', base64('x')]) {
        expect(await outcome(`${base64({ alg, typ: 'JWT', kid: provider.currentKey.kid })}.${claims}.${signature}`)).toMatch(
          /not accepted|no token of the provider/,
        );
      }
    }
  });

  it('signed with the public key as an HMAC secret are refused', async () => {
    const claims = (await provider.token()).split('.')[1]!;
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const head = `${base64({ alg, typ: 'JWT', kid: provider.currentKey.kid })}.${claims}`;
      const signature = createHmac(alg.replace('HS', 'sha'), await provider.publicKeyPem())
        .update(head)
        .digest('base64url');
      expect(await outcome(`${head}.${signature}`)).toBe('Tokens signed in this way are not accepted.');
    }
  });

  it('with changed claims are refused', async () => {
    const [head, claims, signature] = (await provider.token({ groups: ['guests'] })).split('.');
    const changed = base64(Buffer.from(claims!, 'base64url').toString().replace('guests', 'admins'));
    expect(await outcome(`${head}.${changed}.${signature}`)).toBe('The signature of the token is wrong.');
    expect(await outcome(`${head}.${claims}.${signature}`)).toBe('somebody');
  });

  it.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d.e', '..', '\u0000', 'eyJ9.eyJ9.eyJ9'])('that are malformed are refused: %j', async (token) => {
    expect(await outcome(token)).toBe('This is no token of the provider.');
  });

  it('do not appear in the log when they are refused', async () => {
    const token = await provider.token({ aud: 'another', email: 'somebody@plant.example' });
    await outcome(token);
    expect(logged).toContain('audience is another one');
    expect(logged).not.toContain('plant.example');
    expect(logged).not.toContain(token.split('.')[2]!);
  });

  it('expire on time although they are cached', async () => {
    const exp = Math.floor(Date.now() / 1000) + 20;
    const token = await provider.token({ exp });
    expect(await outcome(token)).toBe('somebody');
    nowMs = (exp + 29) * 1000;
    expect(await outcome(token)).toBe('somebody');
    nowMs = (exp + 31) * 1000;
    expect(await outcome(token)).toBe('The token has expired. Sign in again.');
    expect(bearer.hasEnded(new Date(exp * 1000))).toBe(true);
  });

  describe('after a change of the keys', () => {
    it('with any number of unknown keys cause one request to the provider', async () => {
      bearer = bearerWith({ cooldownMs: 10_000 });
      expect(await outcome(await provider.token())).toBe('somebody');
      const systemTime = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => systemTime() + 10_000);
      const key = await newSigningKey();
      const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => provider.token({}, { kid: `unknown ${i}` }, key)));
      for (const token of tokens) expect(await outcome(token)).toMatch(/does not offer/);
      expect(provider.asked.keys).toBe(2);
    });

    it('are accepted without key id when one of several keys matches', async () => {
      await provider.rotate();
      expect(await outcome(await provider.token({}, { kid: undefined }))).toBe('somebody');
      expect(await outcome(await provider.token({}, { kid: undefined }, await newSigningKey()))).toBe(
        'The signature of the token is wrong.',
      );
    });
  });

  describe('while the provider does not answer', () => {
    const unavailable = { status: 503, retryAfterSeconds: 5 };

    it('are answered with 503, and accepted when it answers again', async () => {
      const token = await provider.token();
      await provider.suspend();
      await expect(bearer.signIn(token, '192.0.2.1')).rejects.toMatchObject(unavailable);
      await provider.resume();
      provider.isDown = true;
      await expect(bearer.signIn(token, '192.0.2.1')).rejects.toMatchObject(unavailable);
      provider.isDown = false;
      expect(await outcome(token)).toBe('somebody');
    });

    it('are accepted while their key is known', async () => {
      expect(await outcome(await provider.token())).toBe('somebody');
      const known = await provider.token({ sub: 'known' });
      const unknown = await provider.token({}, {}, await newSigningKey());
      await provider.suspend();
      expect(await outcome(known)).toBe('known');
      await expect(bearer.signIn(unknown, '192.0.2.1')).rejects.toMatchObject(unavailable);
    });

    it('do not cause repeated requests', async () => {
      bearer = bearerWith({ pauseMs: 60_000 });
      provider.isDown = true;
      const token = await provider.token();
      for (let i = 0; i < 5; i += 1) await expect(bearer.signIn(token, '192.0.2.1')).rejects.toMatchObject(unavailable);
      expect(provider.asked).toMatchObject({ discovery: 1, keys: 0 });
    });

    it('are refused from a provider with another issuer', async () => {
      const token = await provider.token();
      const issuer = provider.issuer;
      provider.issuer = 'https://another.example';
      bearer = bearerWith({ issuer });
      await expect(bearer.signIn(token, '192.0.2.1')).rejects.toMatchObject(unavailable);
      expect(logged).toContain('names another issuer');
      provider.issuer = issuer;
    });
  });
});
