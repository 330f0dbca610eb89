import { describe, expect, it } from '@jest/globals';
import { readDistributedSettings, serviceEnvironments } from './distributed-settings.ts';

describe('readDistributedSettings', () => {
  it('has defaults, also for variables that are set but empty', () => {
    const replicas = { inspection: 1, 'raw-data': 1, events: 1 };
    const defaults = { port: 8080, host: '127.0.0.1', restart: false, replicas, stateFile: undefined, backingFile: undefined };
    expect(readDistributedSettings({})).toEqual(defaults);
    expect(readDistributedSettings({ SINEBAR_PORT: '', SINEBAR_RESTART: '', SINEBAR_STATE_FILE: '' })).toEqual(defaults);
  });

  it.each([
    ['SINEBAR_PORT', '80a'],
    ['SINEBAR_PORT', '-1'],
    ['SINEBAR_PORT', '65536'],
    ['SINEBAR_RESTART', 'yes'],
    ['SINEBAR_EVENTS_REPLICAS', '0'],
    ['SINEBAR_REPLICAS', 'two'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readDistributedSettings({ [name]: value })).toThrow(name);
  });

  it('reads the given values', () => {
    expect(
      readDistributedSettings({
        SINEBAR_PORT: '0',
        SINEBAR_HOST: '0.0.0.0',
        SINEBAR_RESTART: 'ON',
        SINEBAR_REPLICAS: '2',
        SINEBAR_EVENTS_REPLICAS: '3',
        SINEBAR_STATE_FILE: '/x',
        SINEBAR_BACKING_FILE: '/y',
      }),
    ).toEqual({
      port: 0,
      host: '0.0.0.0',
      restart: true,
      replicas: { inspection: 2, 'raw-data': 2, events: 3 },
      stateFile: '/x',
      backingFile: '/y',
    });
  });
});

/** The proxy in front of the services runs on the same machine, and so do the others. */
const PROXIED = { SINEBAR_TRUSTED_PROXIES: 'loopback', SINEBAR_MANAGEMENT_PORT: '0' };

describe('serviceEnvironments', () => {
  const backing = { DATABASE_URL: 'postgres://d', NATS_URL: 'nats://n', S3_ENDPOINT: 'http://s', S3_ACCESS_KEY: 'k', S3_SECRET_KEY: 'w' };

  it('gives each service only the addresses and secrets that it uses', () => {
    const given = serviceEnvironments(
      { PATH: '/bin', SINEBAR_PORT: '1', SINEBAR_RESTART: 'on', SINEBAR_LOG_LEVEL: 'warn' },
      backing,
      '/spool',
    );
    expect(given.events).toEqual({ ...PROXIED, PATH: '/bin', SINEBAR_LOG_LEVEL: 'warn', NATS_URL: 'nats://n' });
    expect(given.inspection).toEqual({ ...given.events, DATABASE_URL: 'postgres://d', SINEBAR_SPOOL_DIR: '/spool' });
    expect(given['raw-data']).toEqual({
      ...given.events,
      ...backing,
      S3_BUCKET: 'sinebar',
      S3_REGION: 'us-east-1',
      SINEBAR_SPOOL_DIR: '/spool',
    });
  });

  it('gives the password of an address to the services that use the address', () => {
    const caller = { DATABASE_URL: 'postgres://d', DATABASE_PASSWORD: 'a/b', NATS_PASSWORD: 'of a broker that is started here' };
    const given = serviceEnvironments(caller, backing, '/spool');
    expect(given.inspection).toEqual({
      ...PROXIED,
      DATABASE_URL: 'postgres://d',
      NATS_URL: 'nats://n',
      DATABASE_PASSWORD: 'a/b',
      SINEBAR_SPOOL_DIR: '/spool',
    });
    expect(given.events).toEqual({ ...PROXIED, NATS_URL: 'nats://n' });
  });

  it('gives each service its own port for metrics, and none on request', () => {
    const portOf = (SINEBAR_MANAGEMENT_PORT: string) =>
      serviceEnvironments({ SINEBAR_MANAGEMENT_PORT }, backing, '/spool').inspection['SINEBAR_MANAGEMENT_PORT'];
    expect(portOf('9464')).toBe('0');
    expect(portOf('0')).toBe('0');
    expect(portOf('off')).toBe('off');
  });

  it('removes secrets of the caller from services that do not use them', () => {
    const caller = {
      DATABASE_URL: 'postgres://other',
      S3_SECRET_KEY: 'other',
      S3_SECRET_KEY_FILE: '/secret',
      SINEBAR_HEALTH_PEERS: 'http://x',
    };
    const given = serviceEnvironments(caller, backing, '/spool');
    expect(given.events).toEqual({ ...PROXIED, NATS_URL: 'nats://n' });
    expect(given['raw-data']).toMatchObject({ S3_SECRET_KEY: 'w', DATABASE_URL: 'postgres://d' });
    expect(given['raw-data']).not.toHaveProperty('S3_SECRET_KEY_FILE');
  });
});
