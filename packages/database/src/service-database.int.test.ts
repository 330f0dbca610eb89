import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ChangeEnvelope, PendingChange } from '@sinebar/contracts';
import { SILENT_LOG } from './log.ts';
import { outboxMigration } from './outbox/outbox.ts';
import { openServiceDatabase, type OutboxStream, type ServiceDatabase } from './service-database.ts';
import { eventually } from '@sinebar/testing';
import { createTestDatabase, describeWithPostgres, type TestDatabase } from './test-database.fixture.ts';

const change: PendingChange = {
  type: 'PartCreated',
  subject: 'a',
  path: 'pa/',
  partUuid: 'a',
  events: [{ PartUuid: 'a', ParentPartUuid: 'b' }],
};

describeWithPostgres('service database', () => {
  let server: TestDatabase;
  const open: ServiceDatabase[] = [];
  beforeEach(async () => {
    server = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((service) => service.close()));
    await server.drop();
  });

  /** A stream in memory whose wake-up signal reaches every listener, as on a bus. */
  function memoryStream(failOnWake = false) {
    const published: ChangeEnvelope[] = [];
    const listeners = new Set<() => void>();
    let wakes = 0;
    const stream: OutboxStream = {
      publish: (envelopes) => Promise.resolve(void published.push(...envelopes)),
      storedCountOf: () => 0,
      wake: () => {
        wakes += 1;
        for (const listen of listeners) listen();
      },
      onWake: (listen) => {
        if (failOnWake) return Promise.reject(new Error('no broker'));
        listeners.add(listen);
        return Promise.resolve({ stop: () => Promise.resolve(void listeners.delete(listen)) });
      },
    };
    return { stream, published, wakes: () => wakes };
  }

  const start = (stream: OutboxStream, { migrateAtStart = true, schema = 'test', plant = '', startTimeoutMs = 10_000 } = {}) =>
    openServiceDatabase({
      url: server.url,
      schema,
      plant,
      service: 'test',
      migrations: [outboxMigration('0001-outbox')],
      migrateAtStart,
      poolSizes: { requests: 2, streams: 1 },
      startTimeoutMs,
      stream,
      log: SILENT_LOG,
    });
  const write = (service: ServiceDatabase) =>
    service.database.write({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, (session) =>
      Promise.resolve(session.announce([change])),
    );

  it('migrates, publishes announced events, and closes everything', async () => {
    const { stream, published } = memoryStream();
    const service = await start(stream);
    await write(service);
    await eventually(() => published.length === 1, 'the event is published');
    expect(published[0]).toMatchObject({ type: 'PartCreated', source: '/test' });
    await service.close();
    // A server process ends a moment after its client.
    await eventually(async () => {
      const connections = await server.query(
        `SELECT FROM pg_stat_activity WHERE application_name LIKE 'sinebar%' AND datname = current_database()`,
      );
      expect(connections).toEqual([]);
    });
  });

  it('reports which replica holds the outbox', async () => {
    const { stream, published, wakes } = memoryStream();
    const [first, second] = [await start(stream), await start(stream)];
    open.push(first, second);
    await eventually(() => first.relay.status().active !== second.relay.status().active, 'one relay is active');
    const idle = first.relay.status().active ? second : first;
    await Promise.all([write(idle), write(idle)]);
    await eventually(() => published.length === 2, 'both events are published');
    expect(wakes()).toBeGreaterThan(0);
  });

  it('waits for another process to migrate when configured', async () => {
    const { stream } = memoryStream();
    const waiting = start(stream, { migrateAtStart: false });
    open.push(await start(stream));
    open.push(await waiting);
    await write(open[1] as ServiceDatabase);
  });

  it('never creates the schema of a plant, and says which command does', async () => {
    const { stream } = memoryStream();
    const started = start(stream, { schema: 'test_far_north', plant: 'far-north', startTimeoutMs: 0 });
    await expect(started).rejects.toThrow(/There is no plant "far-north".*"npm run sinebar -- plants create far-north"/);
    expect(await server.query(`SELECT FROM pg_namespace WHERE nspname = 'test_far_north'`)).toEqual([]);
  });

  it('starts as soon as its plant is created', async () => {
    const { stream } = memoryStream();
    const waiting = start(stream, { schema: 'test_south', plant: 'south' });
    await server.query('CREATE SCHEMA test_south');
    open.push(await waiting);
    await write(open[0] as ServiceDatabase);
    const [session] = await server.query<{ application_name: string }>(
      `SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'sinebar test %' AND datname = current_database() LIMIT 1`,
    );
    expect(session?.application_name).toContain('south');
  });

  it('leaves no connection open when the broker refuses', async () => {
    await expect(start(memoryStream(true).stream)).rejects.toThrow('no broker');
    // A server process ends a moment after its client.
    await eventually(async () => {
      const connections = await server.query(
        `SELECT FROM pg_stat_activity WHERE application_name LIKE 'sinebar%' AND datname = current_database()`,
      );
      expect(connections).toEqual([]);
    });
  });
});
