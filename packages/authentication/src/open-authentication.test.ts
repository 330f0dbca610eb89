import { PathScope, type Principal } from '@sinebar/access-control';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { createLogger, SettingsError } from '@sinebar/runtime';
import { eventually } from '@sinebar/testing';
import { TestOidcProvider } from '@sinebar/testing/providers';
import type { Authentication } from './authentication.ts';
import type { Authenticator, SignIn } from './authenticator.ts';
import { hashPassword } from './basic/password-hash.ts';
import { openAuthentication } from './open-authentication.ts';
import { basicHeader, FAST, PolicyFile, settingsFrom } from './policy-files.fixture.ts';

const ADDRESS = '192.0.2.1';
const BASIC = 'Basic realm="Sinebar", charset="UTF-8"';
const BEARER = 'Bearer realm="Sinebar"';

describe('authentication', () => {
  let hash: string;
  let otherHash: string;
  let provider: TestOidcProvider;
  let file: PolicyFile;
  let opened: Authentication | undefined;
  let authenticator: Authenticator;
  let logged: string;

  const policy = (options: { right?: string; password?: string; withoutAda?: boolean; claims?: object[] } = {}) => ({
    roles: { reader: { grants: [{ path: '/A', rights: [options.right ?? 'plan:read'] }] } },
    users: options.withoutAda ? {} : { ada: { password: options.password ?? hash, roles: ['reader'] } },
    claims: options.claims ?? [{ claim: 'groups', value: 'qa', roles: ['reader'] }],
  });
  const oidc = () => ({ SINEBAR_OIDC_ISSUER: provider.issuer, SINEBAR_OIDC_AUDIENCE: 'sinebar', SINEBAR_OIDC_CLIENT_ID: 'native' });
  const open = async (env: Record<string, string>) => {
    logged = '';
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logged += chunk.toString();
        done();
      },
    });
    const log = createLogger({ service: 'test', level: 'debug', destination });
    opened = await openAuthentication(settingsFrom({ SINEBAR_ACCESS_POLICY: file.path, ...env }), log, FAST);
    authenticator = opened.authenticator;
  };
  const signIn = (authorization: string | undefined) => authenticator.authenticate({ authorization, address: ADDRESS });
  const bearer = async (claims = {}) => `Bearer ${await provider.token({ groups: ['qa'], ...claims })}`;
  const challengeOf = (error: unknown) => (error as { headers: Record<string, string> }).headers['WWW-Authenticate'];
  const refusal = async (authorization: string | undefined) => {
    try {
      await signIn(authorization);
    } catch (error) {
      return error as Error & { status: number };
    }
    throw new Error('was let in');
  };
  const changed = (content: object | string) => {
    const called = new Promise<void>((resolve) => {
      const listening = authenticator.onPolicyChange(() => {
        listening.stop();
        resolve();
      });
    });
    file.write(content);
    return called;
  };

  beforeAll(async () => {
    [hash, otherHash, provider] = await Promise.all([hashPassword('correct horse'), hashPassword('second'), TestOidcProvider.start()]);
  });
  afterAll(() => provider.stop());
  beforeEach(() => {
    file = new PolicyFile(policy());
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    file.remove();
  });

  describe('in mode basic', () => {
    beforeEach(() => open({ SINEBAR_AUTHENTICATION: 'basic' }));

    it('accepts the right password with the rights of the policy, without end', async () => {
      expect(authenticator.securityEnabled).toBe(true);
      for (const scheme of ['Basic', 'basic', 'BASIC']) {
        const { principal, expiresAt } = await signIn(basicHeader('ada', 'correct horse').replace('Basic', scheme));
        expect(principal.name).toBe('ada');
        expect(principal.scopeOf('plan:read')).toEqual(PathScope.below('pa/'));
        expect(principal.scopeOf('plan:write')).toEqual(PathScope.NOTHING);
        expect(expiresAt).toBeUndefined();
      }
    });

    it.each<[string, string | undefined, RegExp]>([
      ['nothing', undefined, /^Sign in to use this address\. The server accepts user name and password\.$/],
      ['an empty header', '', /^Sign in to use this address/],
      ['a wrong password', basicHeader('ada', 'x'), /^User name or password is wrong\.$/],
      ['a scheme that is not known', 'Digest username="ada"', /is not valid here/],
      ['a token', 'Bearer abc', /is not valid here\. The server accepts user name and password\.$/],
      ['a scheme alone', 'Basic', /is not valid here/],
      ['no Base64', 'Basic ada:x', /no user name and password in Base64/],
      ['credentials twice', `${basicHeader('ada', 'correct horse')}, ${basicHeader('ada', 'correct horse')}`, /is not valid here/],
      ['a line break', `${basicHeader('ada', 'correct horse')}\r\nX-Role: admin`, /is not valid here/],
      ['far too much', `Basic ${'A'.repeat(40_000)}`, /is longer than 32768 characters/],
    ])('refuses %s with a challenge', async (_what, authorization, sentence) => {
      const error = await refusal(authorization);
      expect(error).toMatchObject({ status: 401, code: 'Unauthenticated' });
      expect(error.message).toMatch(sentence);
      expect(challengeOf(error)).toBe(BASIC);
    });

    it('refuses a removed user at once, also on open connections', async () => {
      const before = await signIn(basicHeader('ada', 'correct horse'));
      await changed(policy({ withoutAda: true }));
      await expect(signIn(basicHeader('ada', 'correct horse'))).rejects.toMatchObject({ status: 401 });
      expect(() => authenticator.renew(before)).toThrow('This user does not exist any more. Ask an administrator.');
    });

    it('ends connections that were opened with a changed password', async () => {
      const before = await signIn(basicHeader('ada', 'correct horse'));
      await changed(policy({ password: otherHash }));
      expect(() => authenticator.renew(before)).toThrow('The password was changed');
      await expect(signIn(basicHeader('ada', 'correct horse'))).rejects.toMatchObject({ status: 401 });
      expect((await signIn(basicHeader('ada', 'second'))).principal.name).toBe('ada');
    });

    it('renews a sign-in with the current rights, repeatedly', async () => {
      let now: SignIn = await signIn(basicHeader('ada', 'correct horse'));
      const keys = [now.principal.rightsKey];
      for (const right of ['plan:write', 'rawData:read']) {
        await changed(policy({ right }));
        now = authenticator.renew(now);
        expect(now.principal.scopeOf(right as 'plan:write')).toEqual(PathScope.below('pa/'));
        expect(now.principal.scopeOf('plan:read')).toEqual(PathScope.NOTHING);
        keys.push(now.principal.rightsKey);
      }
      expect(new Set(keys).size).toBe(3);
      expect((await signIn(basicHeader('ada', 'correct horse'))).principal.rightsKey).toBe(keys.at(-1));
    });

    it('keeps the policy when its file is broken, logs it, and stays healthy', async () => {
      expect(await opened!.health()).toEqual([
        { name: 'authentication', healthy: true, detail: expect.stringMatching(/^basic; access policy \w{16} is in force$/) },
      ]);
      file.write('roles: [');
      await eventually(async () => (await opened!.health())[0]!.detail.includes('stays in force'));
      expect((await opened!.health())[0]).toMatchObject({
        healthy: true,
        detail: expect.stringMatching(/changed and cannot be used \(see the log\)$/),
      });
      expect(logged).toMatch(/policy\.yaml, line 1: is not YAML/);
      expect((await signIn(basicHeader('ada', 'correct horse'))).principal.name).toBe('ada');
      await changed(policy({ right: 'plan:write' }));
      expect((await opened!.health())[0]?.detail).toMatch(/is in force$/);
    });

    it('says that the changed file cannot be read', async () => {
      rmSync(file.path);
      await eventually(async () => (await opened!.health())[0]!.detail.includes('stays in force'));
      expect((await opened!.health())[0]?.detail).toMatch(/stays in force, because its file cannot be read \(ENOENT\)$/);
      await changed(policy({ right: 'plan:write' }));
      expect((await opened!.health())[0]?.detail).toMatch(/is in force$/);
    });

    it('limits failures by the client address that a trusted proxy sends, and ignores other senders', async () => {
      const attempt = async (trusted: string, name: string) => {
        await opened?.close();
        await open({ SINEBAR_AUTHENTICATION: 'basic', SINEBAR_TRUSTED_PROXIES: trusted });
        const headers = { authorization: basicHeader(name, 'wrong'), 'x-forwarded-for': '198.51.100.9' };
        const request = { headers, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage;
        await expect(opened!.authenticate!(request)).rejects.toMatchObject({ status: 401 });
        return /"address":"([^"]*)"/.exec(logged)?.[1];
      };
      expect(await attempt('loopback', 'ada')).toBe('198.51.100.9');
      expect(await attempt('10.0.0.0/8', 'ada')).toBe('127.0.0.1');
      await expect(attempt('everybody', 'ada')).rejects.toThrow('SINEBAR_TRUSTED_PROXIES: must be addresses');
    });

    it('logs no secret', async () => {
      await signIn(basicHeader('ada', 'correct horse'));
      await refusal(basicHeader('ada', 'another secret'));
      expect(logged).toContain('wrong user name or password');
      expect(logged).not.toMatch(/correct horse|another secret|argon2/);
      expect(logged).not.toContain(basicHeader('ada', 'another secret').slice(6));
    });
  });

  describe('in mode oidc', () => {
    beforeEach(() => open({ SINEBAR_AUTHENTICATION: 'oidc', ...oidc() }));

    it('accepts a token with the rights of its claims until it expires', async () => {
      const exp = Math.floor(Date.now() / 1000) + 100;
      const { principal, expiresAt } = await signIn(await bearer({ exp, preferred_username: 'ada' }));
      expect(principal.name).toBe('ada');
      expect(principal.scopeOf('plan:read')).toEqual(PathScope.below('pa/'));
      expect(expiresAt).toEqual(new Date(exp * 1000));
      const unlisted = (await signIn(await bearer({ groups: ['x'] }))).principal;
      expect(unlisted.scopeOf('plan:read')).toEqual(PathScope.NOTHING);
      const named = (await signIn(await bearer({ groups: [], preferred_username: 'ada' }))).principal;
      expect(named.scopeOf('plan:read')).toEqual(PathScope.NOTHING);
    });

    it('refuses invalid tokens with a challenge that names the error', async () => {
      expect(challengeOf(await refusal(undefined))).toBe(BEARER);
      expect(challengeOf(await refusal(basicHeader('ada', 'correct horse')))).toBe(BEARER);
      const error = await refusal(await bearer({ aud: 'x' }));
      expect(error).toMatchObject({ status: 401, message: 'The token was made for somebody else: its audience is another one.' });
      expect(challengeOf(error)).toBe(`${BEARER}, error="invalid_token", error_description="${error.message}"`);
      expect(challengeOf(await refusal('Bearer x"\u00e9'))).toBe(
        `${BEARER}, error="invalid_token", error_description="This is no token of the provider."`,
      );
    });

    it('tells the rights of a user who is absent by the claims of the last token and the current policy', async () => {
      const seen: Principal[] = [];
      opened!.absentUsers.onToken((principal) => seen.push(principal));
      const authorization = await bearer({ sub: '7', preferred_username: 'ada', email: 'ada@plant.example' });
      await opened!.authenticate!({ headers: { authorization }, socket: { remoteAddress: ADDRESS } } as IncomingMessage);
      const [{ name, userKey = '', claims }] = seen as [Principal];
      expect(claims).toMatchObject({ sub: '7', email: 'ada@plant.example' });
      const stored = { name, userKey, claims: { ...claims } };
      expect(opened!.absentUsers.principalOf(stored)?.scopeOf('plan:read')).toEqual(PathScope.below('pa/'));
      expect(opened!.absentUsers.principalOf({ ...stored, userKey: 'oidc:sub:8' })).toBeUndefined();
      // A user with a password cannot sign in here.
      expect(opened!.absentUsers.principalOf({ name: 'ada', userKey: 'basic:ada' })).toBeUndefined();
      await changed(policy({ claims: [] }));
      expect(opened!.absentUsers.principalOf(stored)?.scopeOf('plan:read')).toEqual(PathScope.NOTHING);
    });

    it('renews with the claims of the token and the current policy, but not after it expires', async () => {
      const now = Math.floor(Date.now() / 1000);
      const lasting = await signIn(await bearer());
      const ending = await signIn(await bearer({ exp: now - 28 }));
      await changed(policy({ claims: [] }));
      expect(authenticator.renew(lasting).principal.scopeOf('plan:read')).toEqual(PathScope.NOTHING);
      await eventually(() => {
        expect(() => authenticator.renew(ending)).toThrow('The token has expired. Sign in again.');
      });
    });

    it('reports in its health that the provider does not answer', async () => {
      provider.isDown = true;
      await expect(signIn(await bearer())).rejects.toMatchObject({ status: 503 });
      provider.isDown = false;
      expect(await opened!.health()).toContainEqual({
        name: 'sign-in provider',
        healthy: true,
        detail: expect.stringContaining('could not be asked'),
      });
      await signIn(await bearer());
      expect(await opened!.health()).toContainEqual({ name: 'sign-in provider', healthy: true, detail: 'no problem' });
    });
  });

  it('accepts both in mode basic+oidc, and offers both [D8.1]', async () => {
    await open({ SINEBAR_AUTHENTICATION: 'basic+oidc', ...oidc() });
    expect((await signIn(basicHeader('ada', 'correct horse'))).principal.name).toBe('ada');
    expect((await signIn(await bearer())).principal.name).toBe('somebody');
    expect(challengeOf(await refusal(undefined))).toBe(`${BASIC}, ${BEARER}`);
    expect(challengeOf(await refusal('Bearer x'))).toContain(`${BASIC}, ${BEARER}, error="invalid_token"`);
    const byPassword = (await signIn(basicHeader('ada', 'correct horse'))).principal;
    expect((await signIn(await bearer())).principal.rightsKey).toBe(byPassword.rightsKey);
  });

  it('accepts everybody in mode none, and reports that a policy is not used', async () => {
    await open({ SINEBAR_AUTHENTICATION: 'none' });
    expect(opened!.authenticate).toBeUndefined();
    expect(authenticator.securityEnabled).toBe(false);
    expect(logged).toContain('SINEBAR_ACCESS_POLICY is set but not used');
    expect((await opened!.health())[0]?.detail).toBe('none; only this computer can connect');
    await open({ SINEBAR_AUTHENTICATION: 'none', SINEBAR_HOST: '0.0.0.0' });
    expect((await opened!.health())[0]?.detail).toBe('none; whoever reaches this address can read and change everything');
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'basic without a policy',
      { SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: '' },
      /SINEBAR_ACCESS_POLICY: is required with SINEBAR_AUTHENTICATION=basic/,
    ],
    [
      'a policy that is not there',
      { SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: '/nowhere/policy.yaml' },
      /SINEBAR_ACCESS_POLICY: \/nowhere\/policy\.yaml cannot be read \(ENOENT\)/,
    ],
    [
      'oidc without its provider',
      { SINEBAR_AUTHENTICATION: 'oidc' },
      /SINEBAR_OIDC_ISSUER: is required.*\n.*SINEBAR_OIDC_CLIENT_ID: is required.*\n.*SINEBAR_OIDC_AUDIENCE: is required/,
    ],
  ])('does not start with %s', async (_what, env, sentence) => {
    await expect(open(env)).rejects.toThrow(SettingsError);
    await expect(open(env)).rejects.toThrow(sentence);
  });

  it('does not start with a broken policy, and names the lines', async () => {
    file.write('roles:\n  r:\n    grants:\n      - rights: [plan:read]\n        path: A\n');
    await expect(open({ SINEBAR_AUTHENTICATION: 'basic' })).rejects.toThrow(
      /SINEBAR_ACCESS_POLICY: .*policy\.yaml, line 5: roles\.r\.grants\[0\]\.path: "A" does not begin with "\/"/,
    );
  });
});
