import { describe, expect, it } from '@jest/globals';
import { defineSettings, describeSettings, loadSettings, pickSettings, settingType, type SettingsError } from './settings.ts';

const definitions = defineSettings({
  SINEBAR_PORT: { schema: settingType.integer({ min: 1, max: 65535 }, 8080), description: 'port' },
  DATABASE_URL: { schema: settingType.url(['postgres', 'postgresql']), description: 'database' },
  S3_SECRET_KEY: { schema: settingType.text(), description: 'secret', secret: true },
  SINEBAR_POLLING: { schema: settingType.flag(true), description: 'polling' },
});
const good = { DATABASE_URL: 'postgres://me:hidden@localhost/db', S3_SECRET_KEY: 'top' };
const noFiles = (path: string): string => {
  throw Object.assign(new Error(path), { code: 'ENOENT' });
};

describe('settings', () => {
  it('have defaults, and an empty variable counts as not set', () => {
    const { values } = loadSettings(definitions, { ...good, SINEBAR_PORT: '' });
    expect(values).toEqual({ SINEBAR_PORT: 8080, DATABASE_URL: good.DATABASE_URL, S3_SECRET_KEY: 'top', SINEBAR_POLLING: true });
  });

  it('list every problem with the name of its variable', () => {
    const problems = (() => {
      try {
        loadSettings(definitions, { SINEBAR_PORT: '70000', DATABASE_URL: 'mysql://x', SINEBAR_POLLING: 'maybe' });
        return [];
      } catch (error) {
        return (error as SettingsError).problems;
      }
    })();
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['SINEBAR_PORT', 'DATABASE_URL', 'S3_SECRET_KEY', 'SINEBAR_POLLING']);
    expect(problems[1]).toContain('postgres:// or postgresql://');
  });

  it('accept the addresses of a cluster and check each', () => {
    const cluster = defineSettings({ NATS_URL: { schema: settingType.urls(['nats', 'tls']), description: 'broker' } });
    const NATS_URL = 'nats://a:4222,tls://me:hidden@b:4222';
    expect(loadSettings(cluster, { NATS_URL }).values).toEqual({ NATS_URL });
    for (const wrong of ['nats://a:4222,', 'nats://a:4222,b:4222', 'nats://a:4222,http://b', ','])
      expect(() => loadSettings(cluster, { NATS_URL: wrong })).toThrow('NATS_URL: must be an address that begins with nats:// or tls://');
  });

  it('read secrets from files, without the line end', () => {
    const { values } = loadSettings(
      definitions,
      { DATABASE_URL: good.DATABASE_URL, S3_SECRET_KEY_FILE: '/run/key' },
      (path) => `from ${path}\n`,
    );
    expect(values.S3_SECRET_KEY).toBe('from /run/key');
  });

  it('refuse a variable given twice, and a missing file', () => {
    expect(() => loadSettings(definitions, { ...good, S3_SECRET_KEY_FILE: '/run/key' })).toThrow('not both');
    expect(() => loadSettings(definitions, { DATABASE_URL: good.DATABASE_URL, S3_SECRET_KEY_FILE: '/nowhere' }, noFiles)).toThrow(
      /S3_SECRET_KEY_FILE cannot be read \(ENOENT\)/,
    );
  });

  it('are picked for a part of a process, unset ones too, and never silently missing', () => {
    const optional = defineSettings({ SINEBAR_NAME: { schema: settingType.optionalText(), description: 'name' } });
    const { values } = loadSettings({ ...definitions, ...optional }, good);
    expect(pickSettings(values, { SINEBAR_PORT: definitions.SINEBAR_PORT, ...optional })).toEqual({
      SINEBAR_PORT: 8080,
      SINEBAR_NAME: undefined,
    });
    expect(() => pickSettings(loadSettings(definitions, good).values, optional)).toThrow('This process has no settings SINEBAR_NAME.');
  });

  it('report unknown variables', () => {
    expect(loadSettings(definitions, { ...good, SINEBAR_PROT: '1', OTHER: '2', SINEBAR_PORT_FILE: '' }).unknown).toEqual(['SINEBAR_PROT']);
  });

  it('include the credentials of commands, which servers do not read', () => {
    const signIn = { SINEBAR_USER: 'anna', SINEBAR_PASSWORD_FILE: '/run/password', SINEBAR_TOKEN: 't', SINEBAR_PASSWROD: 'p' };
    expect(loadSettings(definitions, { ...good, ...signIn }).unknown).toEqual(['SINEBAR_PASSWROD']);
  });

  it('are described with secrets and passwords masked', () => {
    const rows = describeSettings(definitions, { ...good, SINEBAR_PORT: 'x' });
    expect(rows.map(({ name, value, source }) => [name, value, source])).toEqual([
      ['SINEBAR_PORT', 'PROBLEM: must be a whole number', 'environment'],
      ['DATABASE_URL', 'postgres://me:********@localhost/db', 'environment'],
      ['S3_SECRET_KEY', '********', 'environment'],
      ['SINEBAR_POLLING', 'true', 'default'],
    ]);
  });
});
