import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { CertifiedProvider, signInWithPage, tokenForProgram } from '@sinebar/testing/providers';
import { BearerAuthentication } from './bearer-authentication.ts';
import { OidcProvider, type OidcProviderOptions } from './oidc-provider.ts';

const ADA = { name: 'ada', password: 'correct horse', groups: ['qa'] };
const JOB = { id: 'import-job', secret: 'a secret' };
const UNKNOWN_KEY = 'The token was signed with a key that the provider does not offer.';
const log = createLogger({ service: 'test', level: 'silent' });

describe('tokens of a certified provider', () => {
  let provider: CertifiedProvider;
  let bearer: BearerAuthentication;

  beforeAll(async () => {
    provider = await CertifiedProvider.start({ accounts: [ADA], programs: [JOB] });
  });
  afterAll(() => provider.stop());
  beforeEach(() => {
    bearer = bearerWith({ cooldownMs: 0 });
  });
  afterEach(() => provider.setClock(0));

  function bearerWith(options: Partial<OidcProviderOptions>): BearerAuthentication {
    return new BearerAuthentication({
      provider: new OidcProvider({ issuer: provider.issuer, log, ...options }),
      audiences: [provider.audience],
      clockSkewMs: 30_000,
      nameClaim: 'preferred_username',
      log,
    });
  }
  const signIn = (token: string) => bearer.signIn(token, '192.0.2.1');
  const outcome = (token: string) =>
    signIn(token).then(
      ({ name }) => name,
      (error: Error) => error.message,
    );
  const newToken = async () => (await signInWithPage(provider.issuer, ADA)).accessToken;
  const keyRequests = async () => (await provider.counts()).keys;

  it('sign in a person with the claims of the account', async () => {
    expect(await signIn(await newToken())).toMatchObject({ name: 'ada', claims: { groups: ['qa'] } });
  });

  it('sign in a program with its account', async () => {
    expect(await outcome(await tokenForProgram(provider.issuer, JOB.id, JOB.secret))).toBe('import-job');
  });

  it('are accepted with a new key at once [D8.1]', async () => {
    await outcome(await newToken());
    await provider.rotate();
    expect(await outcome(await newToken())).toBe('ada');
  });

  it('are accepted with the old key as long as the provider publishes it [D8.1]', async () => {
    const old = await newToken();
    await provider.rotate();
    expect(await outcome(old)).toBe('ada');
  });

  it('are refused when the provider no longer publishes their key', async () => {
    const withdrawn = await newToken();
    await provider.rotate(true);
    expect(await outcome(withdrawn)).toBe(UNKNOWN_KEY);
  });

  it('cause one request for the keys when the key is new', async () => {
    await outcome(await newToken());
    await provider.rotate();
    const token = await newToken();
    const before = await keyRequests();
    await outcome(token);
    expect((await keyRequests()) - before).toBe(1);
  });

  describe('of another provider', () => {
    let other: CertifiedProvider;
    let tokens: string[];
    beforeAll(async () => {
      other = await CertifiedProvider.start({ programs: [JOB] });
      tokens = await Promise.all(Array.from({ length: 20 }, () => tokenForProgram(other.issuer, JOB.id, JOB.secret)));
    });
    afterAll(() => other.stop());

    it('are refused', async () => {
      expect(await outcome(tokens[0] ?? '')).toBe(UNKNOWN_KEY);
    });

    it('cause no requests to the provider', async () => {
      bearer = bearerWith({});
      await outcome(await newToken());
      const before = await keyRequests();
      for (const token of tokens) await outcome(token);
      expect(await keyRequests()).toBe(before);
    });
  });
});
