import { Writable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readPolicy, type AccessPolicy } from '@sinebar/access-control';
import { createLogger } from '@sinebar/runtime';
import { BasicAuthentication, WrongCredentials } from './basic-authentication.ts';
import { parseBasicCredentials } from './basic-credentials.ts';
import { hashOfNothing, hashPassword, PasswordVerifier } from './password-hash.ts';

const encoded = (name: string, password: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(`${name}:${password}`, encoding).toString('base64');

describe('Basic credentials', () => {
  it.each<[string, string, [string, string] | undefined]>([
    ['name and password', encoded('ada', 'pass'), ['ada', 'pass']],
    ['a password with colons', encoded('ada', 'a:b:'), ['ada', 'a:b:']],
    ['an empty password', encoded('ada', ''), ['ada', '']],
    ['letters in UTF-8', encoded('José', 'pâté'), ['José', 'pâté']],
    ['letters in ISO 8859-1, of older clients', encoded('José', 'pâté', 'latin1'), ['José', 'pâté']],
    ['letters in two code points', encoded('Jose\u0301', 'x'), ['Jos\u00e9', 'x']],
    ['no colon', Buffer.from('ada').toString('base64'), undefined],
    ['no name', encoded('', 'x'), undefined],
    ['no Base64', 'ada:pass', undefined],
    ['nothing', '', undefined],
    ['a line break in the name', encoded('a\nb', 'x'), undefined],
    ['a name that is too long', encoded('a'.repeat(256), 'x'), undefined],
    ['a password that is too long', encoded('ada', 'x'.repeat(1025)), undefined],
  ])('are read with %s', (_what, text, expected) => {
    const credentials = parseBasicCredentials(text);
    expect(credentials && [credentials.name, credentials.password]).toEqual(expected);
  });
});

describe('password hashes', () => {
  it('are argon2id with random salts', async () => {
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const verifier = new PasswordVerifier();
    expect(await verifier.verify(one, 'secret')).toBe(true);
    expect(await verifier.verify(one, 'Secret')).toBe(false);
  });

  it('of missing users take the same time and match no password', async () => {
    const like = '$argon2id$v=19$m=8192,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$2YpVSh3pWL2JsCIbDHsmrqx5pnMHuRJDyvKSnr5yF7w';
    expect(hashOfNothing(like)).toMatch(/^\$argon2id\$v=19\$m=8192,t=3,p=2\$/);
    expect(hashOfNothing(undefined)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await new PasswordVerifier().verify(hashOfNothing(like), '')).toBe(false);
  });

  it('are checked with limited concurrency and a limited queue', async () => {
    const verifier = new PasswordVerifier({ atOnce: 1, maxWaiting: 2 });
    const hash = hashOfNothing(undefined);
    const running = [verifier.verify(hash, 'a'), verifier.verify(hash, 'b')];
    await expect(verifier.verify(hash, 'c')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 3 });
    expect(await Promise.all(running)).toEqual([false, false]);
    expect(await verifier.verify(hash, 'd')).toBe(false);
  });
});

describe('sign-in with a password', () => {
  const hashes = new Map<string, string>();
  let policy: AccessPolicy;
  let clock: number;
  let logged: string;
  let basic: BasicAuthentication;

  const setPolicy = (users: Record<string, string>) => {
    policy = readPolicy({
      roles: { r: { grants: [] } },
      users: Object.fromEntries(Object.entries(users).map(([name, password]) => [name, { password: hashes.get(password), roles: ['r'] }])),
    });
  };
  const signIn = async (name: string, password: string, address = '192.0.2.1') =>
    (await basic.signIn(encoded(name, password), address)).name;
  const outcome = async (name: string, password: string, address?: string) => {
    try {
      return await signIn(name, password, address);
    } catch (error) {
      return error instanceof WrongCredentials ? 'wrong' : (error as { status: number }).status;
    }
  };

  beforeAll(async () => {
    for (const password of ['correct horse', 'second']) hashes.set(password, await hashPassword(password));
  });
  beforeEach(() => {
    setPolicy({ ada: 'correct horse', bob: 'second' });
    clock = 0;
    logged = '';
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logged += chunk.toString();
        done();
      },
    });
    const log = createLogger({ service: 'test', level: 'debug', destination });
    basic = new BasicAuthentication({ policy: () => policy, log, failureMs: 0, nowMs: () => clock });
  });
  afterEach(() => void jest.restoreAllMocks());

  it('accepts the right password only [D8.1]', async () => {
    expect(await signIn('ada', 'correct horse')).toBe('ada');
    expect(await outcome('ada', 'second')).toBe('wrong');
    expect(await outcome('Ada', 'correct horse')).toBe('wrong');
    expect(await outcome('eve', 'correct horse')).toBe('wrong');
    await expect(basic.signIn('not base64!', '192.0.2.1')).rejects.toThrow('no user name and password in Base64');
  });

  it('answers the same for a wrong password and an unknown user', async () => {
    const sentences = await Promise.all(
      [
        ['ada', 'x'],
        ['nobody', 'x'],
      ].map(([name, password]) => signIn(name!, password!).catch((error: Error) => error.message)),
    );
    expect(sentences).toEqual(['User name or password is wrong.', 'User name or password is wrong.']);
  });

  it('takes the same time for an unknown user and a wrong password', async () => {
    const timeOf = async (name: string) => {
      const begun = performance.now();
      await outcome(name, 'wrong', `address of ${name} ${performance.now()}`);
      return performance.now() - begun;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      known.push(await timeOf('ada'));
      unknown.push(await timeOf('nobody at all'));
    }
    // Without a hash to check, the answer would come after a fraction of a millisecond instead of many.
    // Other load makes single attempts slow, so the fastest ones are compared.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
    expect(Math.min(...unknown)).toBeLessThan(Math.min(...known) * 3);
  });

  it('delays the next attempt after a failure', async () => {
    basic = new BasicAuthentication({ policy: () => policy, log: createLogger({ service: 'test', level: 'silent' }), failureMs: 300 });
    const begun = performance.now();
    expect(await outcome('ada', 'wrong')).toBe('wrong');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(290);
  });

  it('caches a right password for one minute', async () => {
    const verify = jest.spyOn(PasswordVerifier.prototype, 'verify');
    for (let i = 0; i < 200; i += 1) await signIn('ada', 'correct horse');
    expect(verify).toHaveBeenCalledTimes(1);
    clock = 59_999;
    await signIn('ada', 'correct horse');
    expect(verify).toHaveBeenCalledTimes(1);
    clock = 60_001;
    await signIn('ada', 'correct horse');
    expect(verify).toHaveBeenCalledTimes(2);
  });

  it('hashes once for many concurrent requests', async () => {
    // One by one they would be more than may wait.
    const names = await Promise.all(Array.from({ length: 1000 }, () => signIn('ada', 'correct horse')));
    expect(new Set(names)).toEqual(new Set(['ada']));
  });

  it('ends at once for a removed user or a changed password, also when cached', async () => {
    await signIn('ada', 'correct horse');
    setPolicy({ bob: 'second' });
    expect(await outcome('ada', 'correct horse')).toBe('wrong');
    setPolicy({ ada: 'second' });
    expect(await outcome('ada', 'correct horse')).toBe('wrong');
    expect(await outcome('ada', 'second')).toBe('ada');
  });

  it('forgets only passwords that a changed policy does not contain', async () => {
    await signIn('ada', 'correct horse');
    await signIn('bob', 'second');
    setPolicy({ bob: 'second' });
    basic.policyChanged();
    setPolicy({ ada: 'correct horse', bob: 'second' });
    const verify = jest.spyOn(PasswordVerifier.prototype, 'verify');
    await signIn('bob', 'second');
    expect(verify).toHaveBeenCalledTimes(0);
    await signIn('ada', 'correct horse');
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('limits failures per user from any addresses', async () => {
    for (let i = 0; i < 10; i += 1) expect(await outcome('ada', `guess ${i}`, `10.0.0.${i}`)).toBe('wrong');
    await expect(signIn('ada', 'guess', '10.0.0.99')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 10 });
    expect(await outcome('bob', 'second', '10.0.0.99')).toBe('bob');
    clock += 10_000;
    expect(await outcome('ada', 'correct horse', '10.0.0.99')).toBe('ada');
  });

  it('limits failures per unknown name in the same way', async () => {
    for (let i = 0; i < 10; i += 1) expect(await outcome('eve', `guess ${i}`, `10.0.0.${i}`)).toBe('wrong');
    expect(await outcome('eve', 'guess', '10.0.0.99')).toBe(429);
  });

  it('does not let other addresses lock out a user at an address of an earlier sign-in', async () => {
    await signIn('ada', 'correct horse', '10.1.1.1');
    for (let i = 0; i < 12; i += 1) await outcome('ada', `guess ${i}`, `10.0.0.${i}`);
    clock += 61_000 - 50_000;
    expect(await outcome('ada', 'guess', '10.0.0.99')).toBe('wrong');
    expect(await outcome('ada', 'guess', '10.0.0.99')).toBe(429);
    clock += 60_000;
    for (let i = 0; i < 12; i += 1) await outcome('ada', `guess ${i}`, `10.0.0.${i}`);
    expect(await outcome('ada', 'correct horse', '10.1.1.1')).toBe('ada');
  });

  it('limits failures per address for any users', async () => {
    const outcomes = await Promise.all(Array.from({ length: 80 }, (_, i) => outcome(`user ${i}`, 'guess', '10.0.0.1')));
    expect(new Set(outcomes)).toEqual(new Set(['wrong']));
    // All were tried at once; so the wait is as long as if they had come one by one.
    await expect(signIn('ada', 'correct horse', '10.0.0.1')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 21 });
    expect(await outcome('ada', 'correct horse', '10.0.0.2')).toBe('ada');
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    for (let i = 0; i < 60; i += 1) await outcome(`user ${i}`, 'guess', `2001:db8:1:2::${i.toString(16)}`);
    expect(await outcome('user', 'guess', '2001:db8:1:2:aaaa::1')).toBe(429);
    expect(await outcome('user', 'guess', '2001:db8:1:3::1')).toBe('wrong');
  });

  it('logs who failed from which address, but neither passwords nor unknown names', async () => {
    await outcome('ada', 'wrong-secret', '10.0.0.7');
    await outcome('typed-my-password-here', 'wrong-secret', '10.0.0.7');
    expect(logged).toContain('"user":"ada"');
    expect(logged).toContain('10.0.0.7');
    expect(logged).not.toMatch(/secret|typed-my-password|argon2/);
  });
});
