import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { authenticationSettings, openAuthentication, type Authentication } from '@sinebar/authentication';
import { runAccessCommand } from '@sinebar/authentication/access-command';
import { loadSettings, serverSettings } from '@sinebar/runtime';
import { eventually } from '@sinebar/testing';
import { TestOidcProvider } from '@sinebar/testing/providers';
import { TestBench } from './bench.fixture.ts';
import { partCreated, silentLog } from './test-changes.fixture.ts';

const FAST = { pollMs: 30, settleMs: 5, failureMs: 0, keysCooldownMs: 0, providerPauseMs: 0 };

/** Uses the policy file, passwords and tokens of the product. */
describe('sockets under an access policy', () => {
  let hash: string;
  let provider: TestOidcProvider;
  let folder: string;
  let authentication: Authentication;
  let bench: TestBench;

  beforeAll(async () => {
    const streams = { input: Readable.from(['correct horse\n']), output: (line: string) => (hash = line), errors: process.stderr };
    expect(await runAccessCommand(['hash'], {}, streams)).toBe(0);
    provider = await TestOidcProvider.start();
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    bench = new TestBench();
    folder = mkdtempSync(join(tmpdir(), 'sinebar-policy-'));
    write('/A');
    const { values } = loadSettings(
      { ...serverSettings, ...authenticationSettings },
      {
        SINEBAR_AUTHENTICATION: 'basic+oidc',
        SINEBAR_ACCESS_POLICY: join(folder, 'policy.yaml'),
        SINEBAR_OIDC_ISSUER: provider.issuer,
        SINEBAR_OIDC_AUDIENCE: 'sinebar',
        SINEBAR_OIDC_CLIENT_ID: 'native',
      },
    );
    authentication = await openAuthentication(values, silentLog, FAST);
  });
  afterEach(async () => {
    await bench.end();
    await authentication.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes JSON, which is valid YAML. */
  function write(path: string, users: readonly string[] = ['ada']): void {
    const policy = {
      roles: { reader: { grants: [{ path, rights: ['plan:read'] }] } },
      users: Object.fromEntries(users.map((user) => [user, { password: hash, roles: ['reader'] }])),
      claims: [{ claim: 'groups', value: 'qa', roles: ['reader'] }],
    };
    writeFileSync(join(folder, 'next'), JSON.stringify(policy));
    renameSync(join(folder, 'next'), join(folder, 'policy.yaml'));
  }
  const changed = (...policy: Parameters<typeof write>) =>
    new Promise<void>((resolve) => {
      const listening = authentication.authenticator.onPolicyChange(() => {
        listening.stop();
        resolve();
      });
      write(...policy);
    });
  const start = () => bench.start({ authenticator: authentication.authenticator });
  const token = (claims = {}) => provider.token({ preferred_username: 'tom', groups: ['qa'], ...claims });
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  it('apply a change of the policy file, however the client signed in [I169, D8.4]', async () => {
    const { url } = await start();
    const clients = [
      await bench.open(url, { auth: { username: 'ada', password: 'correct horse' } }),
      await bench.open(url, { auth: { token: await token() } }),
    ];
    await bench.bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/')]);
    for (const client of clients) await client.has(1);
    await changed('/B');
    await bench.bus.publish([partCreated('3', 'pa/'), partCreated('4', 'pb/')]);
    for (const client of clients) await client.has(2);
    for (const client of clients) expect(client.uuids).toEqual(['1', '4']);
    await changed('/B', []);
    const [ada, tom] = clients;
    expect((await ada?.event('ConnectionEnded'))?.data).toEqual({
      code: 'Unauthenticated',
      message: 'This user does not exist any more. Ask an administrator.',
    });
    expect(await bench.refusal(url, { auth: { username: 'ada', password: 'correct horse' } })).toMatchObject({
      data: { code: 'Unauthenticated' },
    });
    await bench.bus.publish([partCreated('5', 'pb/')]);
    await tom?.has(3);
    expect(ada?.names).toEqual(['PartCreated', 'PartCreated', 'ConnectionEnded']);
    expect(tom?.uuids).toEqual(['1', '4', '5']);
  });

  it('end when their token expires, unless the same user reauthenticates before [D8.4]', async () => {
    const { url } = await start();
    const exp = inSeconds(3);
    const [ending, renewed] = [
      await bench.open(url, { auth: { token: await token({ exp }) } }),
      await bench.open(url, { auth: { token: await token({ exp }) } }),
    ];
    expect((await renewed.event('TokenExpiring')).data).toEqual({ expiresAt: new Date(exp * 1000).toISOString() });
    for (const [bad, reason] of [
      [await token({ sub: 'somebody-else' }), 'another user'],
      [await token({ exp: inSeconds(-5) }), 'expired'],
      [await token({ aud: 'other' }), 'audience'],
      [await token({ iss: 'https://other.example' }), 'issuer'],
      [
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"tom"}').toString('base64url')}.`,
        'no token|not accepted',
      ],
    ] as const) {
      expect(await renewed.ask('reauthenticate', { token: bad })).toEqual({ error: expect.stringMatching(reason) });
    }
    expect(await renewed.ask('reauthenticate', { token: await token() })).toEqual({ ok: true });
    await ending.event('ConnectionEnded');
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
    await bench.bus.publish([partCreated('1', 'pa/')]);
    await renewed.event('PartCreated');
    await eventually(() => !ending.socket.connected);
    expect(ending.names).toEqual(['TokenExpiring', 'ConnectionEnded']);
    // Within the allowed clock skew a request is answered, but a connection is refused.
    expect(await bench.refusal(url, { auth: { token: await token({ exp }) } })).toMatchObject({
      message: expect.stringContaining('token has expired'),
    });
  });

  it('refuse wrong and missing credentials', async () => {
    const { url } = await start();
    for (const auth of [{ username: 'ada', password: 'wrong' }, { username: 'eve', password: 'correct horse' }, {}, { token: 'x.y.z' }]) {
      expect([auth, await bench.refusal(url, { auth })]).toEqual([auth, expect.objectContaining({ data: { code: 'Unauthenticated' } })]);
    }
  });
});
