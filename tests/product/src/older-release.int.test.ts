import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate, type Migration } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { RAW_DATA_SCHEMA, rawDataMigrations } from '@sinebar/raw-data';
import { backing, createTestDatabase, describeWith, queryOnce, sinebarCommand, startProcess, type TestDatabase } from '@sinebar/testing';

const NEWER = 9000;

/** A line of the log of a service. */
interface LogLine {
  level: string | number;
  msg: string;
  err?: unknown;
}

const SERVICES: readonly (readonly [service: string, schema: string, migrations: readonly Migration[]])[] = [
  ['inspection', INSPECTION_SCHEMA, inspectionMigrations],
  ['raw-data', RAW_DATA_SCHEMA, rawDataMigrations],
];

describeWith(['postgres', 'nats', 's3'], 'a release that is older than its database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const [, schema, migrations] of SERVICES) {
      await migrate(database.url, schema, migrations);
      await queryOnce(database.url, `UPDATE "${schema}".schema_version SET current = ${NEWER}, oldest_code = ${NEWER}`);
    }
  });
  afterAll(() => database?.drop());

  it.each(
    SERVICES.flatMap(([service, schema, migrations]) =>
      (['start', 'migrate'] as const).map((program) => ({
        service,
        schema,
        program,
        version: Number(migrations.at(-1)?.name.slice(0, 4)),
      })),
    ),
  )('is refused by $program of $service in one sentence with both versions', async ({ service, schema, program, version }) => {
    const { accessKey, secretKey, endpoint } = backing().s3;
    const running = await startProcess(process.execPath, sinebarCommand(program, '--services', service), {
      env: {
        NODE_OPTIONS: undefined,
        DATABASE_URL: database.url,
        NATS_URL: backing().natsUrl,
        SINEBAR_PORT: '0',
        ...(service === 'raw-data' && program === 'start' && { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey }),
      },
    });
    const { code } = await running.exited;
    expect(code).toBe(1);
    const lines = running
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    const last = lines.at(-1);
    expect(last?.msg).toBe(
      `The schema "${schema}" is at version ${NEWER} and works only with code of version ${NEWER} or newer; this code is version ${version}. ` +
        'Start the release that migrated the schema or a newer one, or restore a backup of this release.',
    );
    expect(last?.err).toBeUndefined();
    expect(running.output()).not.toContain('node_modules');
  });
});
