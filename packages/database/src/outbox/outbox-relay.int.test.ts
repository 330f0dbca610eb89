import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { connected, cuttableProxy, eventually, startProcess } from '@sinebar/testing';
import type { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { openDatabase } from '../open-database.ts';
import { outboxMigration } from './outbox.ts';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';
import {
  change,
  createTestDatabase,
  describeWithPostgres,
  limits,
  rememberingLog,
  startProxy,
  type TestDatabase,
} from '../test-database.fixture.ts';

class PartlyStored extends Error {
  readonly storedCount: number;
  constructor(storedCount: number) {
    super('the broker went away');
    this.storedCount = storedCount;
  }
}

/** A process that holds the outbox of the given database and never publishes successfully. */
const HOLDER = `
  import { OutboxRelay } from ${JSON.stringify(new URL('./outbox-relay.ts', import.meta.url).href)};
  const relay = new OutboxRelay({ url: process.argv[1], schema: 'unit', publish: () => new Promise(() => undefined) });
  relay.start();
  setInterval(() => relay.status().active && process.stdout.write('holds the outbox\\n'), 50);
`;

/** A stream that drops duplicates, like the real one. */
class Stream {
  readonly subjects: string[] = [];
  private readonly ids = new Set<string>();

  store(envelope: ChangeEnvelope): void {
    if (this.ids.has(envelope.id)) return;
    this.ids.add(envelope.id);
    this.subjects.push(envelope.subject);
  }
}

describeWithPostgres('OutboxRelay', () => {
  let test: TestDatabase;
  let database: Database;
  const relays: OutboxRelay[] = [];

  function relay(options: Partial<OutboxRelayOptions> & Pick<OutboxRelayOptions, 'publish'>): OutboxRelay {
    const made = new OutboxRelay({ url: test.url, schema: 'unit', pollIntervalMs: 50, ...options });
    relays.push(made);
    made.start();
    return made;
  }

  beforeAll(async () => {
    test = await createTestDatabase();
    await migrate(test.url, 'unit', [outboxMigration('0001-outbox')]);
    database = await openDatabase({ url: test.url, schema: 'unit', applicationName: 'sinebar-unit', eventSource: '/inspection' });
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((running) => running.stop()));
    // A server process ends a moment after its client.
    await eventually(async () => {
      const locks = await test.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return locks.length === 0;
    }, 'the lock is free');
    await test.query('TRUNCATE unit.outbox');
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const announce = (...subjects: string[]) =>
    database.write(limits(), (session) => {
      session.announce(subjects.map((subject) => change(subject)));
      return Promise.resolve();
    });
  const left = async () => (await test.query<{ n: number }>('SELECT count(*)::int AS n FROM unit.outbox'))[0]?.n;
  /** Waits until a relay has run a statement several times, counted from now. @param text a part of the statement */
  const repeats = async (applicationName: string, text: string, times: number) => {
    const starts = new Set<string>();
    await eventually(async () => {
      const found = await test.query<{ start: string }>(
        `SELECT query_start::text AS start FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1 AND state = 'idle' AND strpos(query, $2) > 0`,
        [applicationName, text],
      );
      for (const { start } of found) starts.add(start);
      return starts.size >= times;
    }, `${applicationName} ran ${text} ${times} times`);
  };
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

  it('publishes and removes existing and new rows in order', async () => {
    await announce(...numbered('early', 1200));
    const stream = new Stream();
    const batches: number[] = [];
    const running = relay({
      publish: (envelopes) => {
        batches.push(envelopes.length);
        envelopes.forEach((envelope) => stream.store(envelope));
        return Promise.resolve();
      },
    });
    await eventually(async () => (await left()) === 0, 'published');
    expect(batches.slice(0, 3)).toEqual([500, 500, 200]);
    await announce('late');
    await eventually(() => stream.subjects.length === 1201, 'published');
    expect(stream.subjects).toEqual([...numbered('early', 1200), 'late']);
    await eventually(() => running.status().backlog === 0, 'status');
    expect(running.status()).toEqual({
      active: true,
      backlog: 0,
      oldestAgeMs: 0,
      lastError: undefined,
      lagMs: expect.any(Number),
      published: 1201,
      failureCount: 0,
    });
  });

  it('reads few large messages at a time, each once', async () => {
    const large = { ...change('large'), path: 'x'.repeat(900_000) };
    await database.write(limits(), (session) => {
      session.announce([change('first'), ...numbered('large', 40).map((subject) => ({ ...large, subject })), change('last')]);
      return Promise.resolve();
    });
    const batches: ChangeEnvelope[][] = [];
    relay({
      publish: (envelopes) => {
        batches.push(envelopes);
        return Promise.resolve();
      },
    });
    await eventually(async () => (await left()) === 0, { describe: 'published', timeoutMs: 60_000 });
    expect(batches.flat().map(({ subject }) => subject)).toEqual(['first', ...numbered('large', 40), 'last']);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(12);
    await announce('late');
    await eventually(() => batches.flat().at(-1)?.subject === 'late', 'published');
  }, 90_000);

  it('reads at once when it is woken', async () => {
    const stream = new Stream();
    const running = relay({
      applicationName: 'relay-woken',
      pollIntervalMs: 20_000,
      publish: (envelopes) => {
        envelopes.forEach((envelope) => stream.store(envelope));
        return Promise.resolve();
      },
    });
    await repeats('relay-woken', 'pg_current_snapshot', 1);
    for (let i = 0; i < 5; i++) {
      await announce(`e${i}`);
      running.wake();
      await eventually(() => stream.subjects.length === i + 1, { describe: 'published', timeoutMs: 10_000 });
    }
  });

  it('loses nothing and keeps the order when publishing fails at random, fails in part, or hangs [D7.4]', async () => {
    const stream = new Stream();
    let calls = 0;
    let failing = true;
    relay({
      batchSize: 20,
      publishTimeoutMs: 300,
      storedCountOf: (error) => (error instanceof PartlyStored ? error.storedCount : 0),
      publish: async (envelopes) => {
        const call = ++calls;
        await Promise.resolve();
        const fate = failing ? call % 4 : 0;
        const stored = fate === 0 ? envelopes.length : Math.floor(Math.random() * envelopes.length);
        envelopes.slice(0, stored).forEach((envelope) => stream.store(envelope));
        if (fate === 1) throw new PartlyStored(stored);
        if (fate === 2) throw new Error('the broker refuses');
        if (fate === 3 && call === 3) await new Promise(() => undefined);
      },
    });
    for (let i = 0; i < 10; i++) await announce(...numbered(`${i}-`, 30));
    await eventually(() => calls > 5, { describe: 'some failures', timeoutMs: 20_000 });
    failing = false;
    await eventually(async () => (await left()) === 0, { describe: 'published', timeoutMs: 20_000 });
    expect(stream.subjects).toEqual(numbered('', 10).flatMap((i) => numbered(`${i}-`, 30)));
  });

  it('reports the number of waiting rows, their age and the reason, and recovers', async () => {
    const log = rememberingLog();
    let broken = true;
    const running = relay({
      batchSize: 10,
      log,
      publish: () => (broken ? Promise.reject(new Error('no stream')) : Promise.resolve()),
    });
    await announce(...numbered('e', 25));
    await eventually(() => running.status().lastError === 'no stream', 'failing');
    await eventually(() => running.status().oldestAgeMs > 150, 'ageing');
    expect(running.status()).toMatchObject({ backlog: 25 });
    broken = false;
    await eventually(async () => (await left()) === 0, 'published');
    await eventually(() => running.status().lastError === undefined && running.status().backlog === 0, 'recovered');
    expect(log.sentences.join('\n')).toContain('publishing events failed');
  });

  it('has one active relay, and another becomes active when its connection is cut', async () => {
    const stream = new Stream();
    const by: string[] = [];
    const publisher = (name: string) => (envelopes: ChangeEnvelope[]) => {
      by.push(name);
      envelopes.forEach((envelope) => stream.store(envelope));
      return Promise.resolve();
    };
    const first = relay({ applicationName: 'relay-first', publish: publisher('first') });
    await eventually(() => first.status().active, 'first active');
    const second = relay({ applicationName: 'relay-second', publish: publisher('second') });
    await announce('a');
    await eventually(async () => (await left()) === 0, 'published');
    await repeats('relay-second', 'pg_try_advisory_lock', 2);
    expect(first.status().active).toBe(true);
    expect(second.status().active).toBe(false);
    expect(by).toEqual(['first']);

    await test.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'relay-first' AND datname = current_database()`,
    );
    // The first connects again, at once: either may get the lock, but never both.
    await eventually(() => first.status().active !== second.status().active, 'one active');
    await first.stop();
    await eventually(() => second.status().active, 'second active');
    await announce('b', 'c');
    await eventually(async () => (await left()) === 0, 'published');
    expect(stream.subjects).toEqual(['a', 'b', 'c']);
    expect(by.at(-1)).toBe('second');
    expect(first.status().active).toBe(false);
  });

  it('becomes active within seconds after the active process was killed [D7.4]', async () => {
    const holder = await startProcess(process.execPath, ['--input-type=module', '-e', HOLDER, test.url], {
      cwd: join(import.meta.dirname, '../..'),
      ready: /holds the outbox/,
    });
    try {
      const stream = new Stream();
      const second = relay({
        applicationName: 'relay-second',
        publish: (envelopes) => {
          envelopes.forEach((envelope) => stream.store(envelope));
          return Promise.resolve();
        },
      });
      await announce('a', 'b');
      await repeats('relay-second', 'pg_try_advisory_lock', 2);
      expect(second.status()).toMatchObject({ active: false });
      await holder.kill9();
      const killedAt = Date.now();
      await eventually(() => stream.subjects.length === 2, 'published by the other');
      expect(Date.now() - killedAt).toBeLessThan(5000);
      expect(stream.subjects).toEqual(['a', 'b']);
    } finally {
      await holder.kill9();
    }
  });

  it('becomes active when the network of the active relay is cut, which then stops publishing [D7.4]', async () => {
    const { hostname, port } = new URL(test.url);
    const proxy = await cuttableProxy(hostname, Number(port || 5432));
    const through = new URL(test.url);
    through.host = `127.0.0.1:${proxy.port}`;
    const stream = new Stream();
    const by: string[] = [];
    const publisher = (name: string) => (envelopes: ChangeEnvelope[]) => {
      by.push(name);
      envelopes.forEach((envelope) => stream.store(envelope));
      return Promise.resolve();
    };
    const cutOff = relay({ url: through.href, silenceTimeoutMs: 2000, publish: publisher('cut off') });
    await eventually(() => cutOff.status().active, 'active');
    const other = relay({ publish: publisher('other') });
    await announce('a');
    await eventually(() => stream.subjects.length === 1, 'published');
    proxy.stall();
    const cutAt = Date.now();
    await announce('b', 'c');
    await eventually(() => stream.subjects.length === 3, { describe: 'published by the other', timeoutMs: 15_000 });
    expect(Date.now() - cutAt).toBeLessThan(10_000);
    expect(other.status().active).toBe(true);
    expect(stream.subjects).toEqual(['a', 'b', 'c']);
    expect(by).toEqual(['cut off', 'other']);
    proxy.restore();
    await eventually(() => !cutOff.status().active, { describe: 'the other one has noticed', timeoutMs: 20_000 });
    await announce('d');
    await eventually(() => stream.subjects.length === 4, 'published');
    expect(by).toEqual(['cut off', 'other', 'other']);
    await cutOff.stop();
    await proxy.close();
  });

  it('stays active while publishing takes longer than its time-out of silence', async () => {
    const by: string[] = [];
    let finish = () => undefined as void;
    const slow = relay({
      silenceTimeoutMs: 3_000,
      publish: () => {
        by.push('slow');
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    await eventually(() => slow.status().active, 'active');
    relay({ applicationName: 'relay-other', publish: () => Promise.resolve(void by.push('other')) });
    await announce('a');
    await eventually(() => by.length === 1, 'publishing');
    // It asks every 0.8 to 1.2 s, so the seventh time is later than the time-out.
    await repeats('relay-other', 'pg_try_advisory_lock', 7);
    finish();
    await eventually(async () => (await left()) === 0, 'published');
    expect(by).toEqual(['slow']);
    expect(slow.status()).toMatchObject({ active: true, lastError: undefined });
  });

  it('gives the outbox to a relay that can reach the stream', async () => {
    const stream = new Stream();
    const blind = relay({ publish: () => Promise.reject(new Error('no stream from here')) });
    await eventually(() => blind.status().active, 'active');
    const seeing = relay({
      publish: (envelopes) => {
        envelopes.forEach((envelope) => stream.store(envelope));
        return Promise.resolve();
      },
    });
    await announce('a');
    await eventually(() => stream.subjects.length === 1, { describe: 'published by the other', timeoutMs: 20_000 });
    expect(seeing.status().active).toBe(true);
  });

  it('reconnects without limit while the server is unavailable', async () => {
    const proxy = await startProxy(test.url);
    const stream = new Stream();
    const running = relay({
      url: proxy.url,
      publish: (envelopes) => {
        envelopes.forEach((envelope) => stream.store(envelope));
        return Promise.resolve();
      },
    });
    await eventually(() => running.status().active, 'active');
    for (let i = 0; i < 3; i++) {
      await proxy.goDown();
      await eventually(() => running.status().lastError !== undefined && !running.status().active, 'noticed');
      await announce(`e${i}`);
      await proxy.comeBack();
      await eventually(() => stream.subjects.length === i + 1, { describe: 'published', timeoutMs: 15_000 });
    }
    expect(stream.subjects).toEqual(numbered('e', 3));
    await running.stop();
    await proxy.close();
  });

  it('does not skip a row whose transaction commits late', async () => {
    const stream = new Stream();
    relay({
      applicationName: 'relay-quick',
      pollIntervalMs: 5,
      publish: (envelopes) => {
        envelopes.forEach((envelope) => stream.store(envelope));
        return Promise.resolve();
      },
    });
    const insert = (subject: string) =>
      `INSERT INTO unit.outbox (event_id, envelope) VALUES (gen_random_uuid(), '${JSON.stringify({ id: subject, subject })}')`;
    await connected(test.url, async (slow) => {
      for (let round = 0; round < 5; round++) {
        await slow.query(`BEGIN; SELECT pg_current_xact_id(); ${insert(`slow${round}`)}`);
        await announce(...numbered(`quick${round}-`, 3));
        await eventually(() => stream.subjects.includes(`quick${round}-2`), 'the quick ones');
        await repeats('relay-quick', 'pg_current_snapshot', 3);
        await announce(`more${round}`);
        await eventually(() => stream.subjects.includes(`more${round}`), 'one more');
        await slow.query('COMMIT');
        // Below the ten seconds after which everything is read again anyway.
        await eventually(() => stream.subjects.includes(`slow${round}`), { describe: 'the slow one', timeoutMs: 5000 });
      }
    });
  });

  it('stops while publishing hangs, and starts only once', async () => {
    const running = relay({ publish: () => new Promise(() => undefined), publishTimeoutMs: 1000 });
    running.start();
    await announce('a');
    await eventually(() => running.status().backlog === 1, 'publishing');
    const started = Date.now();
    await running.stop();
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(await left()).toBe(1);
    const never = new OutboxRelay({ url: test.url, schema: 'unit', publish: () => Promise.resolve() });
    await never.stop();
  });
});
