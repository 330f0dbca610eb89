import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { migrate, MigrationError, type Migration } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { startEmbeddedPostgres } from '@sinebar/local-servers';
import { describeUnless, queryOnce } from '@sinebar/testing';
import { extract, openRoot, readAnswers, refusal, RELEASES, start, type Answers } from './kept-data.fixture.ts';

const run = promisify(execFile);
const RELEASE = join(RELEASES, '0.1.0');
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const LIMIT_MS = 180_000;

const mount = ['--types', 'tmpfs', '--options', 'size=160m,mode=755', 'tmpfs'];
const whyNoDisk = process.getuid?.() === 0 ? undefined : 'only root can make a small disk';

describeUnless(process.platform === 'linux' ? undefined : 'the kept data folder is of Linux', 'a data folder', () => {
  let root: string;
  let dataDir: string;
  beforeEach(async () => {
    root = await openRoot();
    dataDir = join(root, 'data');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Works on its database while no product runs. */
  async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
    const postgres = await startEmbeddedPostgres({ dataDir, log: SILENT, onGaveUp: () => undefined });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  }

  /** Upgrades it to a release with one more migration, as the start of that release would. */
  const upgrade = (migration: Migration) => withDatabase((url) => migrate(url, INSPECTION_SCHEMA, [...inspectionMigrations, migration]));

  async function expectOldAnswers(): Promise<void> {
    const { url, running } = await start({ SINEBAR_DATA_DIR: dataDir });
    const expected: Answers = (await readAnswers(RELEASE)).filter(([address]) => address.startsWith('/dataServiceRest/'));
    for (const [address, answer] of expected)
      expect({ address, answer: await (await fetch(`${url}${address}`)).json() }).toMatchObject({ address, answer });
    expect(await running.stop(20_000)).toEqual({ code: 0, signal: null });
  }

  it(
    'is as it was after a migration that failed in the middle: the old version starts',
    async () => {
      await extract(join(RELEASE, 'data-folder.tar.zst'), dataDir);
      const failing: Migration = {
        name: '9000-fails',
        up: async (session) => {
          await session.query('ALTER TABLE plan_item ADD COLUMN half_done text');
          await session.query('DELETE FROM measurement');
          await session.query(`DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$`);
        },
      };
      const failure = await upgrade(failing).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(MigrationError);
      expect((failure as Error).message).toContain('The migration "9000-fails" of the schema "inspection" failed: no space');
      const columns = await withDatabase((url) =>
        queryOnce(url, `SELECT 1 FROM information_schema.columns WHERE table_name = 'plan_item' AND column_name = 'half_done'`),
      );
      expect(columns).toEqual([]);
      await expectOldAnswers();
    },
    LIMIT_MS,
  );

  it(
    'of a newer release is refused in one sentence, and is as it was',
    async () => {
      await extract(join(RELEASE, 'data-folder.tar.zst'), dataDir);
      const allow = (oldest: number) =>
        withDatabase((url) => queryOnce(url, `UPDATE inspection.schema_version SET oldest_code = ${oldest}`));
      await allow(9000);
      const { code, output } = await refusal({ SINEBAR_DATA_DIR: dataDir });
      await allow(0);
      expect(code).toBe(1);
      expect(output).toMatch(
        /^Sinebar does not start: The schema "inspection" is at version \d+ and works only with code of version 9000 or newer; [^\n]*\n$/,
      );
      await expectOldAnswers();
    },
    LIMIT_MS,
  );

  describeUnless(whyNoDisk, 'on a disk that gets full during an upgrade', () => {
    beforeEach(async () => {
      await mkdir(join(root, 'disk'));
      await run('mount', [...mount, join(root, 'disk')]);
      dataDir = join(root, 'disk/data');
    });
    afterEach(() => run('umount', [join(root, 'disk')]));

    it(
      'is as it was once there is space again: the old version starts',
      async () => {
        await extract(join(RELEASE, 'data-folder.tar.zst'), dataDir);
        const filler = join(root, 'disk/filler');
        const { bavail, bsize } = await statfs(join(root, 'disk'));
        const KEPT_FREE = 24 * 2 ** 20;
        await writeFile(filler, Buffer.alloc(bavail * bsize - KEPT_FREE));
        const large: Migration = {
          name: '9000-large',
          up: async (session) => {
            await session.query('ALTER TABLE plan_item ADD COLUMN half_done text');
            await session.query(`CREATE TABLE copy AS SELECT repeat('x', 1000) FROM generate_series(1, 200000)`);
          },
        };
        const failure = await upgrade(large).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(MigrationError);
        await rm(filler);
        await expectOldAnswers();
      },
      LIMIT_MS,
    );
  });
});
