import { describe, expect, it } from '@jest/globals';
import { columnsOf, joinSql, NO_SQL, rawSql, sql } from './sql.ts';

describe('composed SQL', () => {
  it('numbers the values of nested fragments in the order of the text', () => {
    const named = sql`name = ${'a'}`;
    const either = joinSql([named, sql`id = ANY(${[1, 2]}::int[])`], ' OR ');
    const statement = sql`SELECT ${rawSql('id')} FROM part WHERE (${either}) AND ${named} ${NO_SQL} LIMIT ${5}`;
    expect(statement.text).toBe('SELECT id FROM part WHERE (name = $1 OR id = ANY($2::int[])) AND name = $3  LIMIT $4');
    expect(statement.values).toEqual(['a', [1, 2], 'a', 5]);
  });

  it('joins nothing to an empty text', () => {
    expect(sql`ARRAY[${joinSql([], ', ')}]`.text).toBe('ARRAY[]');
  });

  it('gives rows as columns', () => {
    expect(
      columnsOf(
        [
          { id: 1, name: 'a', x: 0 },
          { id: 2, name: 'b', x: 0 },
        ],
        'id',
        'name',
      ),
    ).toEqual([
      [1, 2],
      ['a', 'b'],
    ]);
  });
});
