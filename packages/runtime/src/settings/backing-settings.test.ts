import { describe, expect, it } from '@jest/globals';
import { busOptions, busSettings, databaseSettings, databaseUrl } from './backing-settings.ts';
import { describeSettings, loadSettings } from './settings.ts';

const PASSWORD = `p@s/s:w%41o#r?d' \\&+ü`;

function urlOf(env: Record<string, string>): URL {
  return new URL(databaseUrl(loadSettings(databaseSettings, env).values));
}

describe('DATABASE_PASSWORD', () => {
  it('is used unchanged', () => {
    const url = urlOf({ DATABASE_URL: 'postgres://anna@db/sinebar', DATABASE_PASSWORD: PASSWORD });
    expect(url.searchParams.get('password')).toBe(PASSWORD);
  });

  it('keeps the other parameters', () => {
    const url = urlOf({ DATABASE_URL: 'postgres://anna@db/sinebar?sslmode=require&password=old', DATABASE_PASSWORD: PASSWORD });
    expect([...url.searchParams]).toEqual([
      ['sslmode', 'require'],
      ['password', PASSWORD],
    ]);
  });

  it('reaches a server on a Unix socket', () => {
    const url = urlOf({ DATABASE_URL: 'postgres:///sinebar?host=/run/postgresql&user=anna', DATABASE_PASSWORD: PASSWORD });
    expect(url.searchParams.get('password')).toBe(PASSWORD);
  });

  it('is never printed', () => {
    const rows = describeSettings(databaseSettings, { DATABASE_URL: 'postgres://anna@db/sinebar', DATABASE_PASSWORD: PASSWORD });
    expect(rows.find(({ name }) => name === 'DATABASE_PASSWORD')?.value).toBe('********');
  });
});

describe('DATABASE_URL', () => {
  it.each(['postgres://anna:12/w@db/sinebar', 'postgres://anna:12?w@db/sinebar', 'postgres://anna:12#w@db/sinebar'])(
    'refuses the unencoded password in %s',
    (DATABASE_URL) => {
      expect(() => loadSettings(databaseSettings, { DATABASE_URL })).toThrow('percent-encode the reserved characters of the password');
    },
  );

  it('explains how to write an address that cannot be read', () => {
    expect(() => loadSettings(databaseSettings, { DATABASE_URL: 'postgres://anna:a/b@db/sinebar' })).toThrow('@ is %40, / is %2F');
  });

  it('accepts a parameter with an @ after a user', () => {
    const DATABASE_URL = 'postgres://anna:word@db/sinebar?application_name=a@b';
    expect(databaseUrl(loadSettings(databaseSettings, { DATABASE_URL }).values)).toBe(DATABASE_URL);
  });
});

it('NATS_USER and NATS_PASSWORD are used unchanged', () => {
  const { values } = loadSettings(busSettings, { NATS_URL: 'nats://bus:4222', NATS_USER: 'anna', NATS_PASSWORD: PASSWORD });
  expect(busOptions(values).credentials).toEqual({ user: 'anna', password: PASSWORD });
});
