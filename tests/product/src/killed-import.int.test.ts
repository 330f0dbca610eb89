import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { migrate } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import {
  backing,
  connected,
  createTestDatabase,
  describeWith,
  eventually,
  freePort,
  queryOnce,
  sinebarCommand,
  startProcess,
  type RunningProcess,
  type TestDatabase,
} from '@sinebar/testing';

const FILE = ['K0100 1', 'K1001/1 A-100', 'K2001/1 1', 'K2002/1 Bore', 'K2101/1 12', 'K2110/1 11.9', '12.01', '12.02', ''].join('\n');
const MD5 = createHash('md5').update(FILE).digest('hex');
const START_LIMIT_MS = 60_000;
/** Statements of the import that wait for a lock; background jobs wait too. */
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND query ~ '(DELETE FROM|INSERT INTO) file_import|INSERT INTO measurement'`;
const CLAIM = `INSERT INTO ${INSPECTION_SCHEMA}.file_import (md5, place, answer, imported_at) VALUES ('${MD5}', '', '{}', now())`;

describeWith(['postgres', 'nats'], 'an import whose server is killed', () => {
  let database: TestDatabase;
  let running: RunningProcess;
  let url: string;

  const start = async () => {
    const [port, managementPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}`;
    running = await startProcess(process.execPath, sinebarCommand('start', '--services', 'inspection'), {
      env: {
        NODE_OPTIONS: undefined,
        DATABASE_URL: database.url,
        NATS_URL: backing().natsUrl,
        SINEBAR_PORT: String(port),
        SINEBAR_MANAGEMENT_PORT: String(managementPort),
      },
    });
    await eventually(async () => expect((await fetch(`${url}/exchangeServiceRest/`)).status).toBe(200), { timeoutMs: START_LIMIT_MS });
  };
  const send = () => fetch(`${url}/exchangeServiceRest/imports?format=aqdef`, { method: 'POST', body: FILE });
  const count = async (table: string) =>
    Number((await queryOnce(database.url, `SELECT count(*) AS count FROM ${INSPECTION_SCHEMA}.${table}`))[0]?.['count']);

  /** Kills the server when the import waits for what a statement locks. */
  const killWaiting = (lock: string) =>
    connected(database.url, async (holder) => {
      await holder.query('BEGIN');
      await holder.query(lock);
      const outcome = send().then(
        () => 'answered',
        () => 'broken off',
      );
      await eventually(async () => expect(await queryOnce(database.url, WAITING)).toHaveLength(1));
      await running.kill9();
      expect(await outcome).toBe('broken off');
      await holder.query('ROLLBACK');
      // The server ends a session whose client is gone when its statement returns.
      await eventually(async () => expect(await queryOnce(database.url, WAITING)).toEqual([]));
    });

  beforeEach(async () => {
    database = await createTestDatabase();
    await migrate(database.url, INSPECTION_SCHEMA, inspectionMigrations);
    await start();
  }, 2 * START_LIMIT_MS);
  afterEach(async () => {
    await running.kill9();
    await database.drop();
  });

  it.each([
    ['before its second transaction', CLAIM],
    ['in its second transaction', `LOCK TABLE ${INSPECTION_SCHEMA}.measurement IN SHARE MODE`],
  ])(
    'keeps its plan and no measurement %s, and goes on when the file comes again [D11.4]',
    async (_, lock) => {
      await killWaiting(lock);
      expect(await count(`plan_item WHERE kind = 'characteristic'`)).toBe(1);
      expect(await count(`file_import WHERE state = 'planned'`)).toBe(1);
      expect(await count('measurement')).toBe(0);
      await start();
      const answer = await send();
      expect(answer.status).toBe(201);
      expect(await answer.json()).toMatchObject({
        attributes: { created: [1001, 2001, 2002, 2101, 2110] },
        parts: { created: 1, found: 0 },
        characteristics: { created: 1, found: 0 },
        measurements: { created: 2, found: 0 },
      });
      expect(await count('measurement')).toBe(2);
      expect(await count('file_import')).toBe(1);
      expect((await send()).status).toBe(200);
    },
    4 * START_LIMIT_MS,
  );

  it(
    'has stored nothing in its first transaction',
    async () => {
      await killWaiting(`LOCK TABLE ${INSPECTION_SCHEMA}.file_import IN SHARE MODE`);
      expect(await count('attribute_definition')).toBe(0);
      expect(await count(`plan_item WHERE kind = 'characteristic'`)).toBe(0);
      await start();
      expect((await send()).status).toBe(201);
    },
    4 * START_LIMIT_MS,
  );
});
