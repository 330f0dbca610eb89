import { describe, expect, it } from '@jest/globals';
import { backing, missingVariables, MissingBackingError } from './backing.ts';

describe('backing services of tests', () => {
  const complete = {
    DATABASE_URL: 'postgres://h/d',
    NATS_URL: 'nats://h',
    S3_ENDPOINT: 'http://h:9000',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 's',
  };

  it('names every missing variable of a need, and empty ones', () => {
    expect(missingVariables(['nats', 's3'], { S3_ENDPOINT: 'http://h', S3_ACCESS_KEY: '' })).toEqual([
      'NATS_URL',
      'S3_ACCESS_KEY',
      'S3_SECRET_KEY',
    ]);
    expect(missingVariables(['postgres', 'nats', 's3'], complete)).toEqual([]);
  });

  it('splits the S3 endpoint as the client wants it', () => {
    expect(backing(complete).s3).toEqual({
      endpoint: 'http://h:9000',
      host: 'h',
      port: 9000,
      useTls: false,
      accessKey: 'a',
      secretKey: 's',
    });
    expect(backing({ ...complete, S3_ENDPOINT: 'https://s3.example' }).s3).toMatchObject({ host: 's3.example', port: 443, useTls: true });
    expect(backing({ ...complete, S3_ENDPOINT: 'http://s3.example' }).s3.port).toBe(80);
  });

  it('throws only when the missing setting is read', () => {
    const settings = backing({ NATS_URL: 'nats://h' });
    expect(settings.natsUrl).toBe('nats://h');
    expect(() => settings.databaseUrl).toThrow(MissingBackingError);
    expect(() => settings.s3).toThrow('S3_ENDPOINT is not set');
  });
});
