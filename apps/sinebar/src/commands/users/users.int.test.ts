import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { schemaOfPlant } from '@sinebar/contracts';
import { migrate } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { createTestDatabase, describeWith, queryOnce, type TestDatabase } from '@sinebar/testing';
import { typed } from '../../running-sinebar.fixture.ts';
import { COMMENT_TABLES, USER_COLUMNS } from './forget-user.ts';
import { usersCommand } from './users-command.ts';

const PLANTS = ['north', 'south'];
const S3 = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'none', S3_ACCESS_KEY: 'none', S3_SECRET_KEY: 'none-at-all' };

const OF_COMMENTS =
  ', 2 alarms, 1 steps of alarms, 1 planned stops, 1 kept reports, which are deleted, 1 owners of subscriptions and schedules, which are deleted, 1 comments of parts and characteristics, 1 comments of earlier versions, 1 comments of measurements';

/** Changes of ada and bob, each with exclusions of both, and their notes. */
const contentOf = (schema: string) => `
  SET search_path = "${schema}";
  INSERT INTO evaluation_history (item_id, revision, changed_at, changed_by, reason, state)
  VALUES (1, 1, now(), 'ada', 'x', '{"exclusions":[{"user":"ada","reason":"b"},{"user":"bob","reason":"a"},{"reason":"c"}]}'),
    (1, 2, now(), 'bob', 'x', '{"model":"gamma"}'), (1, 3, now(), 'Ada', 'x', NULL);
  INSERT INTO evaluation_exclusion (item_id, measurement_id, reason, excluded_by, excluded_at)
  VALUES (1, 1, 'x', 'ada', now()), (1, 2, 'x', 'bob', now());
  INSERT INTO saved_view (uuid, owner, saved_by, saved_at, name, address, shared)
  VALUES (gen_random_uuid(), 'basic:ada', 'ada', now(), 'own', '/console', false), (gen_random_uuid(), 'basic:ada', 'ada', now(), 'shared', '/console', true);
  INSERT INTO table_mapping (name, mapping, saved_by, saved_at) VALUES ('gauge', '{}', 'ada', now());
  INSERT INTO plant_settings (revision, changed_at, changed_by, reason, state) VALUES (1, now(), 'ada', 'x', '{}');
  INSERT INTO note (uuid, item_id, text, created_by, created_at, modified_by)
  VALUES (gen_random_uuid(), 1, 'of ada', 'ada', now(), 'bob'), (gen_random_uuid(), 1, 'of bob', 'bob', now(), 'ada');
  INSERT INTO alarm (uuid, part_id, kind, rule, chart, state, revision, raised_at, point_count, detail, owner, reaction, is_muted, is_old,
    acknowledged_by, closed_by)
  VALUES (gen_random_uuid(), 1, 'silence', '', '', 'closed', 3, now(), 1, '{}', '', '', false, false, 'ada', 'bob'),
    (gen_random_uuid(), 1, 'silence', '', '', 'closed', 3, now(), 1, '{}', '', '', false, false, 'bob', 'ada');
  INSERT INTO alarm_step (alarm_id, state, at, made_by, note) VALUES (1, 'acknowledged', now(), 'ada', ''), (1, 'closed', now(), 'bob', '');
  INSERT INTO alarm_mute (uuid, part_id, from_at, until_at, reason, created_by) VALUES (gen_random_uuid(), 1, now(), now(), 'x', 'ada');
  INSERT INTO report (uuid, owner, made_by, template, title, part_uuid, path, marked_path, created_at, to_at, language, state, reason, is_whole, expires_at)
  SELECT uuid, 'basic:' || name, name, 'part', 'x', uuid, 'p', '/', now(), now(), 'en', 'done', '', true, now()
  FROM (VALUES (gen_random_uuid(), 'ada'), (gen_random_uuid(), 'bob')) AS made (uuid, name);
  INSERT INTO report_content SELECT uuid, 0, 'x' FROM report;
  INSERT INTO alarm_owner (user_key, name, claims, seen_at) VALUES ('oidc:sub:1', 'ada', '{"email":"ada@plant.example"}', now()), ('basic:bob', 'bob', NULL, now());
  INSERT INTO alarm_subscription (uuid, owner, part_uuid, kinds, receiver, language, created_at)
  SELECT uuid, owner, uuid, '{rule}', '{"kind":"email","address":"x@plant.example"}', 'en', now()
  FROM (VALUES (gen_random_uuid(), 'oidc:sub:1'), (gen_random_uuid(), 'basic:bob')) AS made (uuid, owner);
  INSERT INTO alarm_subscription_secret SELECT uuid, 'x' FROM alarm_subscription;
  INSERT INTO report_schedule (uuid, owner, name, part_uuid, content, created_at)
  SELECT uuid, owner, 'weekly', uuid, '{}', now() FROM (VALUES (gen_random_uuid(), 'oidc:sub:1'), (gen_random_uuid(), 'basic:bob')) AS made (uuid, owner);
  INSERT INTO report_schedule_secret SELECT uuid, 'x' FROM report_schedule;
  INSERT INTO report_run (uuid, schedule_uuid, due_at, state, reason, report_uuid, tries, started_at, until_at)
  SELECT uuid, uuid, now(), 'done', '', uuid, 1, now(), now() FROM report_schedule;
  INSERT INTO report_sending (uuid, run_uuid, receiver, state, tries, next_at, answer)
  SELECT uuid, uuid, '{"kind":"email","address":"x@plant.example"}', 'delivered', 1, now(), '' FROM report_run;
  UPDATE plan_item SET comment = '[ada]: moved by bob';
  INSERT INTO plan_item_history (item_id, version, marked_path, attributes, comment, modified_at, characteristics_modified_at)
  SELECT 1, 1, '/', '{}', text, now(), now() FROM unnest(ARRAY['[ada]:', '[bob]: ask [ada]: no', '[adab]: x', NULL]) AS text;
  INSERT INTO measurement (uuid, part_id, last_modified, created, aggregation, attributes, comment)
  VALUES (gen_random_uuid(), 1, now(), now(), false, '{}', ' [ada] : worn');`;

describeWith(['postgres'], 'npm run sinebar -- users', () => {
  let database: TestDatabase;
  const schemas = PLANTS.map((plant) => schemaOfPlant(INSPECTION_SCHEMA, plant));
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const schema of schemas) {
      await migrate(database.url, schema, inspectionMigrations);
      await queryOnce(database.url, contentOf(schema));
    }
  });
  afterAll(() => database.drop());

  const forget = (words: string[], env: Record<string, string> = {}) =>
    typed(usersCommand, words, { DATABASE_URL: database.url, ...S3, ...env });
  /** Returns the content of all tables with names of users as text. */
  const stored = async (schema = schemas[0]) => {
    const texts = await Promise.all(
      [...Object.keys(USER_COLUMNS), ...COMMENT_TABLES].map((table) =>
        queryOnce(database.url, `SELECT x::text AS row FROM "${schema}".${table} AS x ORDER BY 1`),
      ),
    );
    return texts.flat().map(({ row }) => row as string);
  };

  it('knows every column with the name of a user, but for the states of imports, which expire', async () => {
    const columns = await queryOnce(
      database.url,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = '${schemas[0]}' AND column_name ~ '_by$' AND table_name <> 'import_operation' ORDER BY 1`,
    );
    const known = Object.entries(USER_COLUMNS).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
    expect(columns.map(({ name }) => name)).toEqual(known.sort());
  });

  it('counts in a dry run, and changes nothing', async () => {
    const before = await stored();
    const { code, stdout } = await forget(['forget', 'ada', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      PLANTS.map(
        (plant) =>
          `Plant ${plant}: Would remove the name from 2 changes of evaluations, 1 exclusions, 1 changes of settings, 2 notes, 2 saved views, 1 mappings of tables${OF_COMMENTS}.\n`,
      ).join(''),
    );
    expect(await stored()).toEqual(before);
  });

  it('forgets a name in the plant of the environment, and leaves everything else', async () => {
    const before = await stored();
    const { stdout } = await forget(['forget', 'ada'], { SINEBAR_PLANT: 'north' });
    expect(stdout).toBe(
      `Plant north: Removed the name from 2 changes of evaluations, 1 exclusions, 1 changes of settings, 2 notes, 2 saved views, 1 mappings of tables${OF_COMMENTS}.\n`,
    );
    const after = await stored();
    expect(after.filter((text) => /\bada\b(?<!of ada|ask .ada)/.test(text))).toEqual([]);
    expect(after.join('\n').match(/bob/g)).toEqual(before.join('\n').match(/bob/g));
    // An own view and a report are gone.
    expect(after).toHaveLength(before.length - 2);
    expect(await queryOnce(database.url, `SELECT count(*)::int AS pieces FROM "${schemas[0]}".report_content`)).toEqual([{ pieces: 1 }]);
    for (const table of ['report_schedule', 'report_schedule_secret', 'report_run', 'report_sending'])
      expect([table, await queryOnce(database.url, `SELECT count(*)::int AS rows FROM "${schemas[0]}".${table}`)]).toEqual([
        table,
        [{ rows: 1 }],
      ]);
    expect(after.some((text) => text.includes('Ada'))).toBe(true);
    const comments = await queryOnce(
      database.url,
      `SELECT comment FROM "${schemas[0]}".plan_item UNION ALL SELECT comment FROM "${schemas[0]}".measurement
       UNION ALL (SELECT comment FROM "${schemas[0]}".plan_item_history ORDER BY sequence)`,
    );
    expect(comments.map(({ comment }) => comment)).toEqual(['moved by bob', 'worn', null, '[bob]: ask [ada]: no', '[adab]: x', null]);
    const [state] = await queryOnce(database.url, `SELECT state FROM "${schemas[0]}".evaluation_history WHERE revision = 1`);
    expect(state).toEqual({ state: { exclusions: [{ reason: 'b' }, { user: 'bob', reason: 'a' }, { reason: 'c' }] } });
    const subscribed = await queryOnce(
      database.url,
      `SELECT owner.name, subscription.owner AS key, secret.secret FROM "${schemas[0]}".alarm_owner owner
       FULL JOIN "${schemas[0]}".alarm_subscription subscription ON subscription.owner = owner.user_key
       FULL JOIN "${schemas[0]}".alarm_subscription_secret secret ON secret.subscription_uuid = subscription.uuid`,
    );
    expect(subscribed).toEqual([{ name: 'bob', key: 'basic:bob', secret: 'x' }]);
    expect((await stored(schemas[1])).some((text) => /\bada\b(?<!of ada|ask .ada)/.test(text))).toBe(true);
  });

  it('forgets a name in all plants, and says where nothing is left', async () => {
    expect(await forget(['forget', 'ada'])).toMatchObject({
      code: 0,
      stdout: `Plant north: Removed the name from nothing.\nPlant south: Removed the name from 2 changes of evaluations, 1 exclusions, 1 changes of settings, 2 notes, 2 saved views, 1 mappings of tables${OF_COMMENTS}.\n`,
    });
  });

  it('needs a name and a plant that exists', async () => {
    expect((await forget(['forget'])).code).toBe(2);
    expect(await forget(['forget', 'ada'], { SINEBAR_PLANT: 'west' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no plant'),
    });
  });
});
