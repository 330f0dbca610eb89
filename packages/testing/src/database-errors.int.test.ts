import { expect, it } from '@jest/globals';
import { backing } from './backing.ts';
import { recordDatabaseErrors } from './database-errors.ts';
import { describeWith } from './describe-with.ts';
import { queryOnce } from './databases/query-once.ts';

describeWith(['postgres'], 'recordDatabaseErrors', () => {
  it('notes errors among large answers, and nothing else', async () => {
    const database = await recordDatabaseErrors(backing().databaseUrl);
    try {
      const rows = await queryOnce(database.url, `SELECT repeat('E', 1000) AS text FROM generate_series(1, 500)`);
      expect(rows).toHaveLength(500);
      expect(database.errors).toEqual([]);
      await expect(queryOnce(database.url, 'SELECT 1 / 0')).rejects.toThrow('division by zero');
      expect(database.errors).toEqual(['22012 division by zero']);
    } finally {
      await database.close();
    }
  });
});
