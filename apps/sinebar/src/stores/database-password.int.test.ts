import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate, openDatabase } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { databaseSettings, databaseUrl, loadSettings } from '@sinebar/runtime';
import { backing, createTestDatabase, describeWith, uniqueId, type TestDatabase } from '@sinebar/testing';
import { backupCommand } from '../commands/backup/backup-command.ts';
import { typed } from '../running-sinebar.fixture.ts';

const PASSWORD = `p@s/s:w%41o#r?d' \\&+ü$"`;

describeWith(['postgres'], 'a password with reserved characters', () => {
  let root: string;
  let database: TestDatabase;
  const role = `sinebar_test_${uniqueId()}`;
  const asAdmin = async (url: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const withUser = (user: string, password: string): string => {
    const url = new URL(database.url);
    url.username = user;
    url.password = password;
    return url.href;
  };
  const WAYS: [string, () => Record<string, string>][] = [
    ['percent-encoded in DATABASE_URL', () => ({ DATABASE_URL: withUser(role, encodeURIComponent(PASSWORD)) })],
    ['in DATABASE_PASSWORD', () => ({ DATABASE_URL: withUser(role, ''), DATABASE_PASSWORD: PASSWORD })],
    ['in DATABASE_PASSWORD, not the one in DATABASE_URL', () => ({ DATABASE_URL: withUser(role, 'wrong'), DATABASE_PASSWORD: PASSWORD })],
  ];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-password-'));
    database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await asAdmin(
      backing().databaseUrl,
      `CREATE ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(PASSWORD)}`,
      `GRANT ALL ON DATABASE ${pg.escapeIdentifier(name)} TO ${role}`,
    );
  });
  afterAll(async () => {
    await database.drop();
    await asAdmin(backing().databaseUrl, `DROP ROLE ${role}`);
    await rm(root, { recursive: true, force: true });
  });

  it.each(WAYS)('works for the services: %s', async (_way, env) => {
    const url = databaseUrl(loadSettings(databaseSettings, env()).values);
    await migrate(url, INSPECTION_SCHEMA, inspectionMigrations);
    const opened = await openDatabase({ url, schema: INSPECTION_SCHEMA, applicationName: 'test', startTimeoutMs: 0 });
    const limits = { signal: new AbortController().signal, statementTimeoutMs: 5_000 };
    const rows = await opened.read(limits, (session) => session.query<{ name: string }>('SELECT current_user AS name'));
    await opened.close();
    expect(rows).toEqual([{ name: role }]);
  });

  it.each(WAYS)('works for the maintenance commands: %s', async (_way, env) => {
    const folder = await mkdtemp(join(root, 'backup-'));
    const made = await typed(backupCommand, [join(folder, 'made')], { ...env(), SINEBAR_FILE_DIR: join(root, 'files') });
    expect(made.code).toBe(0);
  });

  it('is required', async () => {
    const DATABASE_URL = withUser(role, 'wrong');
    const made = await typed(backupCommand, [join(root, 'refused')], { DATABASE_URL, SINEBAR_FILE_DIR: join(root, 'files') });
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('password authentication failed') });
  });
});
