import { describe, expect, it } from '@jest/globals';
import { likeToPostgres } from './like.ts';

describe('Like', () => {
  it('is translated for PostgreSQL with everything but % escaped', () => {
    expect(likeToPostgres('50%_x\\')).toBe('50%\\_x\\\\');
    expect(likeToPostgres('%%')).toBe('%%');
  });
});
