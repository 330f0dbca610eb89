import { describe, expect, it } from '@jest/globals';
import { connectNatsBus } from './nats-bus.ts';
import { isSupported } from './nats-link.ts';
import { connectionOptions } from './nats-servers.ts';
import { epochOf, streamConfiguration } from './nats-stream.ts';

describe('addresses of NATS servers', () => {
  it.each([
    ['nats://host:4222', { servers: ['host:4222'] }],
    ['host', { servers: ['host'] }],
    ['10.0.0.1:4223', { servers: ['10.0.0.1:4223'] }],
    ['nats://[::1]:4222', { servers: ['[::1]:4222'] }],
    ['nats://ann:s%40cret@host:4222', { servers: ['host:4222'], user: 'ann', pass: 's@cret' }],
    ['nats://token123@host:4222', { servers: ['host:4222'], token: 'token123' }],
    ['tls://host:4222', { servers: ['host:4222'], tls: {} }],
    ['nats://a:b@one:4222, nats://a:b@two:4222', { servers: ['one:4222', 'two:4222'], user: 'a', pass: 'b' }],
    [['one:4222', 'two:4222'], { servers: ['one:4222', 'two:4222'] }],
  ])('%j', (servers, expected) => {
    expect(connectionOptions(servers)).toEqual(expected);
  });

  it.each([
    ['nats://host:4222', { servers: ['host:4222'], user: 'ann', pass: 's@c/r%41et' }],
    ['nats://bob:old@host:4222', { servers: ['host:4222'], user: 'ann', pass: 's@c/r%41et' }],
  ])('take user and password unchanged: %s', (servers, expected) => {
    expect(connectionOptions(servers, { user: 'ann', password: 's@c/r%41et' })).toEqual(expected);
  });

  it('take the user of the address when only the password is set', () => {
    expect(connectionOptions('nats://ann@host:4222', { password: 'a/b' })).toEqual({ servers: ['host:4222'], user: 'ann', pass: 'a/b' });
  });

  it('need a user with the password', () => {
    expect(() => connectionOptions('nats://host:4222', { password: 'a/b' })).toThrow('Set NATS_USER');
  });

  it.each([
    'http://host:4222',
    'nats://',
    'nats://ann:secret@host:port',
    '',
    ',',
    'nats://ann:secret@host:4222,nats://bob:secret@host:4223',
  ])('refuses %j without repeating it', (servers) => {
    let error: unknown;
    try {
      connectionOptions(servers);
    } catch (failure) {
      error = failure;
    }
    expect(error).toBeInstanceOf(TypeError);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/secret/);
  });
});

describe('the version of the broker', () => {
  it.each(['2.10.0', '2.10.29', '2.11.1', '2.15.2-beta.1', '3.0.0'])('%s is supported', (version) =>
    expect(isSupported(version)).toBe(true),
  );
  it.each(['2.9.10', '2.9.99', '1.12.0', '0.8.0', '', 'two'])('%j is not', (version) => expect(isSupported(version)).toBe(false));
});

describe('epoch of a stream', () => {
  it('distinguishes two streams that were created a nanosecond apart', () => {
    expect(epochOf('2026-03-01T10:00:00.123456789Z')).not.toBe(epochOf('2026-03-01T10:00:00.12345679Z'));
    expect(epochOf('2026-03-01T10:00:00Z')).not.toBe(epochOf('2026-03-01T10:00:00.000000001Z'));
  });

  it('does not depend on the time format of the broker', () => {
    expect(epochOf('2026-03-01T10:00:00.12Z')).toBe(epochOf('2026-03-01T11:00:00.120000000+01:00'));
  });

  it('fits into a client sequence', () => expect(epochOf('2026-03-01T10:00:00.123456789Z')).toMatch(/^[a-z0-9]{1,64}$/));
  it('refuses anything else', () => expect(() => epochOf('yesterday')).toThrow(/unreadable/));
});

describe('settings of the stream', () => {
  it('have a duplicate window within the age', () => {
    expect(streamConfiguration('S', '', { maxAgeMs: 60_000 })).toMatchObject({ max_age: 60_000_000_000, duplicate_window: 60_000_000_000 });
    expect(streamConfiguration('S', '', { maxAgeMs: 0, duplicateWindowMs: 1_000 })).toMatchObject({
      max_age: 0,
      duplicate_window: 1_000_000_000,
    });
    expect(streamConfiguration('S', 'x.', {})).toMatchObject({ subjects: ['x.sinebar.events.>'], duplicate_window: 3_600_000_000_000 });
  });

  it.each([{ maxAgeMs: -1 }, { maxAgeMs: 1.5 }, { maxBytes: 0 }, { replicas: 0 }, { replicas: 6 }, { duplicateWindowMs: 10 }])(
    'refuse %j',
    (settings) => {
      expect(() => streamConfiguration('S', '', settings)).toThrow(TypeError);
    },
  );
});

describe('connecting', () => {
  it('refuses malformed options at once', async () => {
    const servers = 'nats://127.0.0.1:1';
    await expect(connectNatsBus({ servers, name: 'x', streamName: 'A.B' })).rejects.toThrow(TypeError);
    await expect(connectNatsBus({ servers, name: 'x', subjectPrefix: 'a.>' })).rejects.toThrow(TypeError);
    await expect(connectNatsBus({ servers: 'ftp://x', name: 'x' })).rejects.toThrow(TypeError);
  });
});
