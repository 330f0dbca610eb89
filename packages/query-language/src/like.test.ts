import { describe, expect, it } from '@jest/globals';
import { likeToPostgres } from './like.js';

describe('Like', () => {
  it('is written for PostgreSQL with everything but % escaped', () => {
    expect(likeToPostgres('50%_x\\')).toBe('50%\\_x\\\\');
    expect(likeToPostgres('%%')).toBe('%%');
  });
});
