import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { knex, sql, type Sql } from './sql.ts';
import { createTestDatabase, describeWithPostgres, limits, type TestDatabase } from './test-database.fixture.ts';

describeWithPostgres('composed SQL on PostgreSQL', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.query('CREATE SCHEMA unit; CREATE TABLE unit.part (id int PRIMARY KEY, name text)');
    database = await openDatabase({ url: test.url, schema: 'unit', applicationName: 'sinebar-unit' });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const result = async (expression: Sql) => {
    const [row] = await database.read(limits(), (session) => session.query<{ result: unknown }>(sql`SELECT ${expression} AS result`));
    return row?.result;
  };
  const JSON_TEXT = '{"a": 1, "?": {"isRawInstance": true}}';

  it.each([
    ['a question mark in a text', sql`'?' || ${'?'}::text`, '??'],
    ['the operator ?', sql`${JSON_TEXT}::jsonb ? ${'?'}`, true],
    ['the operator ?|', sql`${JSON_TEXT}::jsonb ?|${['x', 'a']}::text[]`, true],
    ['the operator ?&', sql`${JSON_TEXT}::jsonb ?& ${['x', 'a']}::text[]`, false],
    ['a jsonpath with two question marks', sql`${JSON_TEXT}::jsonb @? ${'$."?" ? (@.isRawInstance == true)'}::jsonpath`, true],
    ['an object', sql`${{ isRawInstance: true }}::jsonb -> 'isRawInstance'`, true],
    ['a line feed in an array', sql`${[`a\nb'\\"`, null]}::text[]`, [`a\nb'\\"`, null]],
    ['nested fragments', sql`(${sql`${1}::int + ${sql`${2}::int`}`}) * ${3}::int`, 9],
    ['nothing', sql`coalesce(${undefined}::text, 'none')`, 'none'],
  ])('takes %s', async (_, expression, expected) => {
    expect(await result(expression)).toEqual(expected);
  });

  it('runs builders', async () => {
    const rows = await database.write(limits(), async (session) => {
      await session.query(
        sql`${knex('part').insert([
          { id: 1, name: 'a?' },
          { id: 2, name: 'b' },
        ])}`,
      );
      const renamed = knex('part').where('name', 'a?').update({ name: 'c' }).returning('id');
      await session.query(sql`WITH renamed AS (${renamed}) SELECT FROM renamed WHERE id = ${1}`);
      return session.query(sql`${knex('part').select('id', 'name').whereIn('name', ['b', 'c']).orderBy('id')}`);
    });
    expect(rows).toEqual([
      { id: 1, name: 'c' },
      { id: 2, name: 'b' },
    ]);
  });
});
