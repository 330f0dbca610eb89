import { describe, expect, it } from '@jest/globals';
import { columnsOf, joinSql, knex, NO_SQL, rawSql, sql } from './sql.ts';

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

  it.each([
    [sql`a ? ${1}`, 'a ? $1'],
    [sql`a ?${1}`, 'a ? $1'],
    [sql`a ?| ${1}`, 'a ?| $1'],
    [sql`a ?? ${1}`, 'a ?? $1'],
    [sql`a ??${1}`, 'a ?? $1'],
    [sql`${1}?& b`, '$1?& b'],
    [sql`a ~ '^b?' AND ${1} @? c`, `a ~ '^b?' AND $1 @? c`],
    [sql`${1}::text::int`, '$1::text::int'],
    [sql`a[${1}:2], :b, ':c'`, `a[$1:2], :b, ':c'`],
    [sql`a = '\\' OR b = ${1}`, `a = '\\' OR b = $1`],
    [sql`${rawSql('a ?')}${sql`${1}`}`, 'a ? $1'],
    [sql`'$1', '?'`, `'$1', '?'`],
  ])('keeps question marks and colons of texts: %#', ({ text }, expected) => {
    expect(text).toBe(expected);
  });

  it('keeps values beside each other apart', () => {
    const statement = sql`${1}${2}`;
    expect(statement.text).toBe('$1 $2');
    expect(statement.values).toEqual([1, 2]);
  });

  it('refuses a question mark that knex cannot write', () => {
    expect(() => sql`a ~ '\\?' AND b = ${1}`.text).toThrow('write "[?]" in a pattern');
  });

  it.each([
    [undefined],
    [null],
    [[]],
    [[undefined, null]],
    [new Date(0)],
    [Buffer.from('?')],
    [{ isRawInstance: true }],
    ['? :a $1'],
    [() => 1],
  ])('passes %p as it is', (value) => {
    const statement = sql`SELECT ${value}, ${sql`${value}`}`;
    expect(statement.text).toBe('SELECT $1, $2');
    expect(statement.values).toEqual([value, value]);
  });

  it('takes builders as fragments', () => {
    const chosen = knex('part')
      .select('id')
      .where({ name: 'a' })
      .whereRaw('tags @> ?', [['b']]);
    const statement = sql`SELECT ${0} FROM (${chosen}) AS chosen WHERE id = ${1} AND ${knex.raw('?? = ?', ['x.y', 2])}`;
    expect(statement.text).toBe(
      'SELECT $1 FROM ((select "id" from "part" where "name" = $2 and tags @> $3)) AS chosen WHERE id = $4 AND "x"."y" = $5',
    );
    expect(statement.values).toEqual([0, 'a', ['b'], 1, 2]);
  });

  it('takes builders that change rows', () => {
    const statement = sql`WITH changed AS (${knex('part').where({ id: 1 }).update({ name: 'a' })}) SELECT ${2}`;
    expect(statement.text).toBe('WITH changed AS (update "part" set "name" = $1 where "id" = $2) SELECT $3');
    expect(statement.values).toEqual(['a', 1, 2]);
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

// docs/decisions/dependencies.md: the reasons for our own migrations and for constant texts.
describe('knex', () => {
  it('takes a question mark in a constant text for a placeholder', () => {
    expect(knex.raw(`SELECT '?'`).toSQL().toNative().sql).toBe(`SELECT '$1'`);
  });

  it('writes a line feed in an array as the letter n, so that COPY needs literals of our own', () => {
    expect(knex.raw('?', [['a\nb']]).toQuery()).toBe(String.raw`E'{"a\\nb"}'`);
  });
});
