import { describe, expect, it } from '@jest/globals';
import { refusalOf, UnsuitableDatabaseError } from './server-check.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('a refused connection', () => {
  it('names the user, and what to do after a change of POSTGRES_PASSWORD', () => {
    const cause = failure('28P01', 'password authentication failed for user "sinebar"');
    const refusal = refusalOf(cause);
    expect(refusal).toBeInstanceOf(UnsuitableDatabaseError);
    expect(refusal).toMatchObject({
      cause,
      message:
        'The database refuses the password (password authentication failed for user "sinebar"). ' +
        'Give the password that this user has in the database, or change it there: POSTGRES_PASSWORD of a container is read only when its database is created (docs/containers.md).',
    });
  });

  it.each([
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1"', 'Correct the database URL.'],
    ['3D000', 'database "sinebar" does not exist', 'Create it, or correct the database URL.'],
  ])('with %s says what to correct', (code, sentence, remedy) => {
    const refusal = refusalOf(failure(code, sentence)) as Error;
    expect(refusal).toBeInstanceOf(UnsuitableDatabaseError);
    expect(refusal.message).toContain(sentence);
    expect(refusal.message).toContain(remedy);
  });

  it('does not change other errors', () => {
    const other = failure('42501', 'permission denied');
    expect(refusalOf(other)).toBe(other);
  });
});
