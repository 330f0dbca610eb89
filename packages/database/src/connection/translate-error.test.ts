import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@sinebar/contracts';
import { DatabaseConflict, isCollision, isConnectionFailure, translateError } from './translate-error.ts';

function failure(code: string | undefined, message = 'detail: Key (name)=(secret)', more: object = {}): Error {
  return Object.assign(new Error(message), code === undefined ? more : { code, ...more });
}

describe('translateError', () => {
  it('leaves the error unchanged when parameters do not match a statement', () => {
    const original = failure('08P01');
    expect(translateError(original)).toBe(original);
    expect(isConnectionFailure(original)).toBe(false);
  });

  it.each([
    ['57014', 'DeadlineExceeded', 503],
    ['55P03', 'Unavailable', 503],
    ['40001', 'Unavailable', 503],
    ['40P01', 'Unavailable', 503],
    ['57P01', 'Unavailable', 503],
    ['53300', 'Unavailable', 503],
    ['28P01', 'Unavailable', 503],
    ['08006', 'Unavailable', 503],
    ['ECONNREFUSED', 'Unavailable', 503],
    ['ECONNRESET', 'Unavailable', 503],
    ['53100', 'OutOfStorage', 503],
    ['22P05', 'InvalidRequest', 400],
    ['22021', 'InvalidRequest', 400],
    ['22003', 'InvalidRequest', 400],
    ['23503', 'Conflict', 409],
    ['23505', 'AlreadyExists', 409],
  ])('%s becomes %s', (code, expected, status) => {
    const original = failure(code);
    const translated = translateError(original) as ServiceError;
    expect(translated).toBeInstanceOf(ServiceError);
    expect(translated.code).toBe(expected);
    expect(translated.status).toBe(status);
    expect(translated.cause).toBe(original);
    expect(translated.message).not.toContain('secret');
    expect(translated.retryAfterSeconds !== undefined).toBe(status === 503);
  });

  it.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable', 'timeout expired'])(
    'recognises the driver message "%s"',
    (sentence) => {
      expect(translateError(failure(undefined, sentence))).toMatchObject({ code: 'Unavailable', retryAfterSeconds: 5 });
    },
  );

  it('keeps the name of the violated constraint', () => {
    const translated = translateError(failure('23505', 'x', { constraint: 'part_uuid_key', table: 'part' }));
    expect(translated).toBeInstanceOf(DatabaseConflict);
    expect(translated).toMatchObject({ kind: 'unique', constraint: 'part_uuid_key', table: 'part' });
  });

  it.each(['23505', 'XX000'])('recognises a unique violation on a node of a cluster by its message, with the code %s', (code) => {
    const translated = translateError(failure(code, 'duplicate key value violates unique constraint "plan_item_uuid_102034"'));
    expect(translated).toBeInstanceOf(DatabaseConflict);
    expect(translated).toMatchObject({ kind: 'unique', code: 'AlreadyExists', constraint: 'plan_item_uuid_102034' });
  });

  it.each([
    'failed to COPY to shard 102034 on 10.0.0.2:5432',
    'connection to the remote node postgres@10.0.0.2:5432 failed',
    'failure on connection marked as essential: 10.0.0.2:5432',
  ])('answers that the database cannot be reached when a node of a cluster does not: %s', (message) => {
    expect(translateError(failure('XX000', message))).toMatchObject({ code: 'Unavailable', retryAfterSeconds: 5 });
  });

  it('leaves other internal errors unchanged', () => {
    const defect = failure('XX000', 'cache lookup failed for type 0');
    expect(translateError(defect)).toBe(defect);
  });

  it.each(['42601', '42P01', '25P02', 'ERR_INVALID_ARG_TYPE'])('leaves the error %s unchanged', (code) => {
    const defect = failure(code);
    expect(translateError(defect)).toBe(defect);
  });

  it('leaves translated errors, missing files and values that are no errors unchanged', () => {
    const known = new ServiceError('NotFound', 'There is no such part.');
    const missingFile = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
    expect(translateError(known)).toBe(known);
    expect(translateError(missingFile)).toBe(missingFile);
    expect(translateError('text')).toBe('text');
  });
});

describe('isCollision', () => {
  it('finds the code in causes, and stops at a circle of causes', () => {
    const circle = new Error('a');
    circle.cause = circle;
    expect(isCollision(new Error('store', { cause: translateError(failure('40P01')) }))).toBe(true);
    expect(isCollision(failure('40001'))).toBe(true);
    expect(isCollision(failure('23505'))).toBe(false);
    expect(isCollision(circle)).toBe(false);
  });
});

describe('isConnectionFailure', () => {
  it('is false for a failed statement', () => {
    expect(isConnectionFailure(failure('57014'))).toBe(false);
    expect(isConnectionFailure(failure('57P01'))).toBe(true);
  });
});
