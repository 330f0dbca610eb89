import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { installationStatement, openDatabase, type Database } from '@sinebar/database';
import { connectNatsBus, removeNatsStream } from '@sinebar/message-bus';
import { backing, createTestDatabase, describeWith, queryOnce, testSubjects, type TestDatabase } from '@sinebar/testing';
import { refuseForeignStream } from './stream-owner.ts';

const [OURS, THEIRS] = ['inspection_ours', 'inspection_theirs'];

describeWith(['postgres', 'nats'], 'the event stream of a plant', () => {
  const { stream: name, prefix } = testSubjects();
  let testDatabase: TestDatabase;
  let database: Database;
  const refuse = (schema: string, plant = 'north', servers = backing().natsUrl) =>
    refuseForeignStream({ plant, schema, database, stream: { servers, name } });

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    for (const schema of [OURS, THEIRS, 'inspection_older'] as const) await queryOnce(testDatabase.url, `CREATE SCHEMA ${schema}`);
    for (const schema of [OURS, THEIRS] as const) await queryOnce(testDatabase.url, installationStatement(schema, randomUUID()));
    database = await openDatabase({ url: testDatabase.url, schema: OURS, applicationName: 'test' });
    const bus = await connectNatsBus({
      servers: backing().natsUrl,
      name: 'test',
      streamName: name,
      subjectPrefix: prefix,
      stream: { maxBytes: 2 ** 20 },
    });
    await bus.close();
  });
  afterAll(async () => {
    await removeNatsStream({ servers: backing().natsUrl, name }).catch(() => undefined);
    await database?.close();
    await testDatabase?.drop();
  });

  it('belongs to the first installation that uses it, at every start', async () => {
    await expect(refuse(OURS)).resolves.toBeUndefined();
    await expect(refuse(OURS)).resolves.toBeUndefined();
  });

  it('is refused by an installation with a plant of the same name, with what to do', async () => {
    await expect(refuse(THEIRS)).rejects.toThrow(
      `The event stream ${name} belongs to a plant "north" of another installation. Give this installation a message broker of its own`,
    );
  });

  it('is taken by the only plant, and by a plant that no command of this release created', async () => {
    await expect(refuse(THEIRS, '')).resolves.toBeUndefined();
    await expect(refuse('inspection_older')).resolves.toBeUndefined();
  });

  it('does not keep a service from starting without a broker', async () => {
    await expect(refuse(THEIRS, 'north', 'nats://127.0.0.1:1')).resolves.toBeUndefined();
  });
});
