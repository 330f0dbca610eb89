import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { Database, WriteSession } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { openDatabase } from '../open-database.ts';
import { outboxMigration } from '../outbox/outbox.ts';
import { eventually } from '@sinebar/testing';
import { sql } from '../sql.ts';
import {
  change,
  createTestDatabase,
  describeWithPostgres,
  limits,
  rejectionOf,
  startProxy,
  type CommitFate,
  type Proxy,
  type TestDatabase,
} from '../test-database.fixture.ts';

const MIGRATIONS = [
  outboxMigration('0001-outbox'),
  {
    name: '0002-counter',
    up: async (session: { query: (text: string) => Promise<unknown> }) => {
      await session.query('CREATE TABLE counter (id int PRIMARY KEY, value int NOT NULL)');
      await session.query('CREATE TABLE history (counter int, value int, subject text UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    },
  },
];

describeWithPostgres('write', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    await migrate(test.url, 'unit', MIGRATIONS);
    database = await openDatabase({
      url: test.url,
      schema: 'unit',
      applicationName: 'sinebar-unit',
      eventSource: '/inspection',
      poolSizes: { requests: 16 },
      now: () => new Date('2024-02-29T12:00:00.123Z'),
    });
  });
  afterEach(async () => {
    expect(database.poolUsage().requests).toMatchObject({ used: 0, waiting: 0 });
    await test.query('TRUNCATE unit.outbox, unit.counter, unit.history');
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const outbox = () => test.query<{ id: string; event_id: string; envelope: string }>('SELECT * FROM unit.outbox ORDER BY id');
  const subjects = async () => (await outbox()).map((row) => (JSON.parse(row.envelope) as ChangeEnvelope).subject);
  const count = async () => (await test.query<{ n: number }>('SELECT count(*)::int AS n FROM unit.history'))[0]?.n;
  const note = (session: WriteSession, subject: string) => session.query('INSERT INTO history (subject) VALUES ($1)', [subject]);

  it('sends the trace of a request to the server and in messages, but not in prepared statements', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const comment = `/*traceparent='${traceparent}'*/`;
    const running = 'SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid()';
    const options = { ...limits(), traceparent };
    const texts = await database.write(options, async (session) => {
      session.announce([change('announced')]);
      await session.query('INSERT INTO counter VALUES (1, 1)');
      const messages = sql`SELECT id AS place, 'PartDeleted' AS type, 'kept' AS subject, 'p/' AS path,
        ${'05040c4c-f0af-46b8-810e-30c0c00a379e'}::uuid AS part_uuid, '[{}]'::json AS events, 1 AS count FROM changed`;
      await session.announceFrom({ change: sql`DELETE FROM counter RETURNING *`, messages });
      return session.query<{ query: string }>(running);
    });
    expect(texts.map(({ query }) => query)).toEqual([`${running} ${comment}`]);
    const prepared = await database.read(options, (session) => session.query(running, [], { name: 'running' }));
    expect(prepared).toEqual([{ query: running }]);
    const read = await database.read(options, (session) => session.query<{ query: string }>(running));
    expect(read[0]?.query).toContain(comment);
    const envelopes = (await outbox()).map(({ envelope }) => JSON.parse(envelope) as ChangeEnvelope);
    expect(envelopes.map((envelope) => [envelope.subject, envelope.traceparent])).toEqual([
      ['announced', traceparent],
      ['kept', traceparent],
    ]);
    const foreign = { ...limits(), traceparent: "*/; DROP TABLE counter; --'" };
    await expect(database.read(foreign, (session) => session.query('SELECT 1'))).rejects.toThrow('not a trace context');
  });

  it('runs last statements after the work, and rolls back when one fails', async () => {
    const before = (await count()) ?? NaN;
    await database.write(limits(), async (session) => {
      const subjects: string[] = [];
      session.runLast(() => `INSERT INTO history (subject) VALUES ('${subjects[0]}')`);
      session.runLast(() => undefined);
      await note(session, 'work');
      subjects.push('last');
    });
    expect(await test.query("SELECT subject FROM unit.history WHERE subject IN ('last', 'undefined')")).toEqual([{ subject: 'last' }]);
    const failing = database.write(limits(), async (session) => {
      session.runLast(() => 'SELECT 1/0');
      await note(session, 'further work');
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await count()).toBe(before + 2);
  });

  it('runs statements with BEGIN and returns their rows, before the work and in each attempt', async () => {
    const opening = ['SELECT pg_advisory_xact_lock_shared(42)', "SELECT 'first' AS text UNION ALL SELECT 'second'", 'SELECT 1 WHERE false'];
    const rows = await database.write({ ...limits(), opening, statementTimeoutMs: 1234 }, async (session) => {
      const [locked] = await session.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND pid = pg_backend_pid()",
      );
      expect(locked?.count).toBe(1);
      return session.opening.slice(1);
    });
    expect(rows).toEqual([[{ text: 'first' }, { text: 'second' }], []]);
    await expect(database.write({ ...limits(), opening: ['SELECT 1/0'] }, () => Promise.resolve('done'))).rejects.toThrow(
      'division by zero',
    );
  });

  it('announces rows changed by statements in order, without loading them', async () => {
    await test.query('INSERT INTO unit.counter SELECT n, n % 3 FROM generate_series(1, 2500) AS n');
    const path = `p'it''s \\ "q" ä😀 \n $1 {} ,/`;
    const messages = sql`SELECT value AS place, 'MeasurementDeleted' AS type, 's' || value AS subject, ${path}::text AS path,
      md5(value::text)::uuid AS part_uuid, json_agg(json_build_object('MeasurementUuid', id) ORDER BY id) AS events, count(*) AS count
      FROM changed GROUP BY value`;
    const affected = await database.write(limits(), async (session) => {
      session.announce([change('before')]);
      const parts = await session.announceFrom({ change: sql`DELETE FROM counter WHERE id <= ${1000}::int RETURNING *`, messages });
      session.announce([change('between')]);
      await session.announceFrom({ change: sql`DELETE FROM counter WHERE id > ${1000}::int RETURNING *`, messages });
      expect(await session.announceFrom({ change: sql`DELETE FROM counter WHERE id = ${1}::int RETURNING *`, messages })).toEqual([]);
      expect(await session.query('SELECT FROM outbox')).toEqual([]);
      session.announce([change('after')]);
      return parts;
    });
    expect(affected.map(({ count: events, path: of }) => [events, of]).sort()).toEqual([
      [333, path],
      [333, path],
      [334, path],
    ]);
    expect(await subjects()).toEqual(['before', 's0', 's1', 's2', 'between', 's0', 's1', 's2', 'after']);
    const [, row] = await outbox();
    const envelope = JSON.parse(row?.envelope ?? '') as ChangeEnvelope;
    expect(envelope).toEqual({
      specversion: '1.0',
      id: row?.event_id,
      source: '/inspection',
      type: 'MeasurementDeleted',
      time: '2024-02-29T12:00:00.123Z',
      subject: 's0',
      datacontenttype: 'application/json',
      sinebarpath: path,
      sinebarpart: envelope.sinebarpart,
      data: { events: Array.from({ length: 333 }, (_, i) => ({ MeasurementUuid: 3 * (i + 1) })) },
    });
    expect(affected.map(({ partUuid }) => partUuid)).toContain(envelope.sinebarpart);
  });

  it('drops such messages before the next transaction of the connection, whatever the outcome of the first', async () => {
    await test.query('INSERT INTO unit.counter VALUES (1, 1), (2, 2)');
    const remove = (session: WriteSession, id: number) =>
      session.announceFrom({
        change: sql`DELETE FROM counter WHERE id = ${id}::int RETURNING *`,
        messages: sql`SELECT 1 AS place, 'PartDeleted' AS type, 's' || id AS subject, '' AS path,
          md5('')::uuid AS part_uuid, '[{}]'::json AS events, 1 AS count FROM changed`,
      });
    for (let i = 0; i < 20; i += 1) {
      const failed = database.write(limits(), async (session) => {
        await remove(session, 1);
        throw new Error('no');
      });
      expect(await rejectionOf(failed)).toMatchObject({ message: 'no' });
    }
    await database.write(limits(), (session) => remove(session, 1));
    await database.write(limits(), (session) => remove(session, 2));
    expect(await subjects()).toEqual(['s1', 's2']);
  });

  it('stores a change and its events in order and unchanged [D7.4]', async () => {
    let notified = 0;
    database.onAnnounced(() => notified++);
    database.onAnnounced(() => {
      throw new Error('a listener that fails');
    });
    const path = `p'it''s \\ "q" ä😀 \n\u0000 \ud800 $1 {} ,/`;
    await database.write(limits(), (session) => {
      session.announce([change('a', path), { ...change('nothing'), events: [] }]);
      session.announce(Array.from({ length: 1500 }, (_, i) => change(`s${i}`)));
      return Promise.resolve();
    });
    const rows = await outbox();
    expect(rows).toHaveLength(1501);
    expect(JSON.parse(rows[0]?.envelope ?? '')).toEqual({
      specversion: '1.0',
      id: rows[0]?.event_id,
      source: '/inspection',
      type: 'PartModified',
      time: '2024-02-29T12:00:00.123Z',
      subject: 'a',
      datacontenttype: 'application/json',
      sinebarpath: path,
      sinebarpart: 'a',
      data: { events: [{ PartUuid: 'a' }] },
    });
    expect(await subjects()).toEqual(['a', ...Array.from({ length: 1500 }, (_, i) => `s${i}`)]);
    expect(notified).toBe(1);
    await database.write(limits(), (session) => note(session, 'quiet'));
    expect(notified).toBe(1);
  });

  it('stores many events in their order, by several statements after the last ones [D7.4]', async () => {
    const wanted = Array.from({ length: 6000 }, (_, i) => `many ${i}`);
    await database.write(limits(), async (session) => {
      session.runLast(() => "INSERT INTO history (subject) SELECT 'last' WHERE NOT EXISTS (SELECT FROM outbox)");
      session.announce(wanted.slice(0, 4000).map((subject) => change(subject)));
      session.announce([{ ...change('empty'), events: [] }, ...wanted.slice(4000).map((subject) => change(subject))]);
      await note(session, 'work');
    });
    expect(await subjects()).toEqual(wanted);
    expect(await count()).toBe(2);
    const [statements] = await test.query<{ n: number }>('SELECT count(DISTINCT cmin::text)::int AS n FROM unit.outbox');
    expect(statements?.n).toBeGreaterThan(5);
  });

  it('stores nothing when the work fails [D2.3]', async () => {
    const failed = database.write(limits(), async (session) => {
      session.announce([change('a')]);
      await note(session, 'a');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await count()).toBe(0);
    expect(await outbox()).toEqual([]);
  });

  it.each([true, false])('never reports success when the work ignored an error (with events: %s)', async (withEvents) => {
    let notified = 0;
    database.onAnnounced(() => notified++);
    const swallowed = database.write(limits(), async (session) => {
      if (withEvents) session.announce([change('a')]);
      await note(session, 'a');
      await session.query('INSERT INTO counter VALUES (1, 1), (1, 1)').catch(() => undefined);
      await note(session, 'b').catch(() => undefined);
      return 'stored';
    });
    expect(await rejectionOf(swallowed)).toMatchObject({ code: 'AlreadyExists', constraint: 'counter_pkey' });
    const onClient = database.write(limits(), async (session) => {
      if (withEvents) session.announce([change('a')]);
      await session.client.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(onClient).rejects.toThrow(/aborted|did not pass it on/);
    expect(await count()).toBe(0);
    expect(await outbox()).toEqual([]);
    expect(notified).toBe(0);
  });

  it('allows the work to recover with its own savepoint', async () => {
    await database.write(limits(), async (session) => {
      await session.query('SAVEPOINT attempt');
      await session.query('SELECT 1 / 0').catch(() => session.query('ROLLBACK TO attempt'));
      await note(session, 'a');
    });
    expect(await count()).toBe(1);
  });

  it('keeps statements that were not awaited in the transaction', async () => {
    const unawaited = database.write(limits(), (session) => {
      for (const subject of ['a', 'b', 'c']) void note(session, subject);
      void session.query('SELECT 1 / 0').catch(() => undefined);
      return Promise.resolve();
    });
    await expect(unawaited).rejects.toThrow(/division by zero/);
    expect(await count()).toBe(0);
  });

  it('refuses work that ends the transaction, and reports constraints that fail at COMMIT', async () => {
    await expect(database.write(limits(), (session) => session.query('ROLLBACK'))).rejects.toThrow(/ended the transaction/);
    const late = database.write(limits(), async (session) => {
      session.announce([change('a')]);
      await note(session, 'a');
      await note(session, 'a');
    });
    expect(await rejectionOf(late)).toMatchObject({ code: 'AlreadyExists', constraint: 'history_subject_key' });
    expect(await outbox()).toEqual([]);
  });

  it('retries deadlocks and serialisation failures, also as a cause, up to a limit', async () => {
    await test.query('INSERT INTO unit.counter VALUES (1, 0), (2, 0)');
    const add = (first: number, second: number) =>
      database.write(limits(), async (session) => {
        session.announce([change(`${first}`)]);
        await session.query('UPDATE counter SET value = value + 1 WHERE id = $1', [first]);
        await session.query('SELECT pg_sleep(0.1)');
        await session.query('UPDATE counter SET value = value + 1 WHERE id = $1', [second]).catch((error: unknown) => {
          throw new Error('the store failed', { cause: error });
        });
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(await test.query('SELECT value FROM unit.counter')).toEqual([{ value: 2 }, { value: 2 }]);
    expect((await subjects()).sort()).toEqual(['1', '2']);

    let attempts = 0;
    const failing = (times: number) =>
      database.write(limits(), async (session) => {
        session.announce([change('r')]);
        if (++attempts <= times) await session.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
        return attempts;
      });
    expect(await failing(5)).toBe(6);
    attempts = 0;
    expect(await rejectionOf(failing(6))).toMatchObject({ code: 'Unavailable', retryAfterSeconds: 1 });
    expect(attempts).toBe(6);
    // An ignored error appears only at COMMIT.
    attempts = 0;
    await database.write(limits(), async (session) => {
      if (++attempts < 3) await session.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`).catch(() => undefined);
    });
    expect(attempts).toBe(3);
  });

  it('numbers events of conflicting changes in the order of commits, with 32 writers [D7.4]', async () => {
    const wide = await openDatabase({
      url: test.url,
      schema: 'unit',
      applicationName: 'sinebar-unit',
      eventSource: '/inspection',
      poolSizes: { requests: 32 },
      acquireTimeoutMs: 20_000,
    });
    await test.query('INSERT INTO unit.counter SELECT id, 0 FROM generate_series(1, 3) AS id');
    let kept = 0;
    const answered: { before: string[]; subject: string }[] = [];
    const done: string[] = [];
    await Promise.all(
      Array.from({ length: 32 }, async (_, writer) => {
        for (let i = 0; i < 40; i++) {
          const id = (writer % 3) + 1;
          const rollBack = Math.random() < 0.2;
          const before = done.slice(-3);
          const result = await wide
            .write(limits(), async (session) => {
              const [row] = await session.query<{ value: number }>('UPDATE counter SET value = value + 1 WHERE id = $1 RETURNING value', [
                id,
              ]);
              session.announce([change(`${id}:${row?.value}`)]);
              if (rollBack) throw new Error('rolled back');
              return `${id}:${row?.value}`;
            })
            .catch((error: Error) => expect(error.message).toBe('rolled back'));
          if (typeof result !== 'string') continue;
          kept++;
          answered.push({ before, subject: result });
          done.push(result);
        }
      }),
    );
    const order = await subjects();
    expect(order).toHaveLength(kept);
    for (const id of [1, 2, 3]) {
      const values = order.filter((subject) => subject.startsWith(`${id}:`)).map((subject) => Number(subject.split(':')[1]));
      // Each value once, ascending without a gap: nothing lost, nothing of what was rolled back, in the order of the row's changes.
      expect(values).toEqual(values.map((_, index) => index + 1));
    }
    const indexOf = new Map(order.map((subject, index) => [subject, index]));
    for (const { before, subject } of answered) {
      for (const earlier of before) expect(indexOf.get(earlier)).toBeLessThan(indexOf.get(subject) as number);
    }
    await wide.close();
  });

  describeWithPostgres('a connection lost during COMMIT', () => {
    let proxy: Proxy;
    let behind: Database;
    beforeAll(async () => {
      proxy = await startProxy(test.url);
      behind = await openDatabase({
        url: proxy.url,
        schema: 'unit',
        applicationName: 'sinebar-unit',
        eventSource: '/inspection',
        commitOutcomeTimeoutMs: 8000,
      });
    });
    afterAll(async () => {
      expect(behind.poolUsage().requests.used).toBe(0);
      await behind.close();
      await proxy.close();
    });

    it.each<[CommitFate, number]>([
      ['lost-before', 2],
      ['lost-after', 1],
      ['lost-silently', 2],
    ])('%s: is stored once, with its event', async (fate, expectedAttempts) => {
      let attempts = 0;
      let notified = 0;
      behind.onAnnounced(() => notified++);
      proxy.onNextCommit(fate);
      await behind.write(limits(), async (session) => {
        attempts++;
        session.announce([change('a')]);
        await note(session, 'a');
      });
      expect(attempts).toBe(expectedAttempts);
      expect(notified).toBe(1);
      expect(await count()).toBe(1);
      expect(await subjects()).toEqual(['a']);
    });

    it('reports an unknown outcome when the server stays unavailable', async () => {
      const impatient = await openDatabase({
        url: proxy.url,
        schema: 'unit',
        applicationName: 'sinebar-unit',
        commitOutcomeTimeoutMs: 300,
      });
      proxy.onNextCommit('lost-after');
      const work = rejectionOf(
        impatient.write(limits(), async (session) => {
          await note(session, 'a');
          proxy.refuseNew();
        }),
      );
      expect(await work).toMatchObject({ code: 'Unavailable', message: expect.stringContaining('may have been stored') });
      await eventually(async () => (await count()) === 1, 'it was stored');
      await impatient.close();
    });
  });
});
