import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, reportFigures } from '@sinebar/testing';
import { runAcceptance } from '../support/acceptance.ts';
import { ComposeStack } from '../support/compose-stack.ts';
import { describeWithDocker } from '../support/engines.ts';
import { Load, send } from '../support/load.ts';
import { raiseAlarm } from '../support/alerts/raise-alarm.ts';

const MINUTES = 60_000;
const COMMAND_TIMEOUT_MS = 5 * MINUTES;
/** Acceptance tests that leave rows. */
const SPECS = ['slice', 'file-targets'];
/** The restored position is empty on purpose: the raw-data service reads all parts again. */
const NOT_RESTORED = ['raw_data.follow_position'];
/** Positions, times, counts and queues that the services keep by themselves (docs/backup.md). */
const KEPT_BY_SERVICES = [
  ...NOT_RESTORED,
  'inspection.assessment_change_id_seq',
  'inspection.assessment_lease',
  'inspection.figure_state',
  'inspection.statistics',
  'raw_data.part',
];
const WRITERS = ['proxy', 'inspection', 'raw-data', 'events'];

interface Manifest {
  tables: { schema: string; name: string; rows: number; sha256: string }[];
  sequences: { schema: string; name: string; lastValue: string; isCalled: boolean }[];
  files: { count: number; bytes: number; sha256: string };
  missing: string[];
}

describeWithDocker('a scheduled backup of the compose file', () => {
  let backups: string;
  let stack: ComposeStack;
  let scheduled: string;

  const names = () => readdirSync(backups).filter((name) => /^\d{4}-\d\d-\d\dT\d{4}Z$/.test(name));
  const manifest = (name: string) => JSON.parse(readFileSync(join(backups, name, 'manifest.json'), 'utf8')) as Manifest;
  const tools = (...args: string[]) => stack.compose(['run', '--rm', '--no-TTY', 'tools', ...args], COMMAND_TIMEOUT_MS);
  async function post(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await send(stack.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
  }
  /** Returns the tables and sequences whose contents differ between two backups. */
  function differences(first: string, second: string): string[] {
    const contents = (name: string) => {
      const { tables, sequences } = manifest(name);
      return new Map([
        ...tables.map((table) => [`${table.schema}.${table.name}`, `${table.rows} rows ${table.sha256}`] as const),
        ...sequences.map((found) => [`${found.schema}.${found.name}`, `${found.lastValue} ${found.isCalled}`] as const),
      ]);
    };
    const [before, after] = [contents(first), contents(second)];
    return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).sort();
  }

  beforeAll(async () => {
    backups = mkdtempSync(join(tmpdir(), 'sinebar-backups-'));
    // The user of the container is another one than that of this test.
    chmodSync(backups, 0o777);
    stack = await ComposeStack.up({ env: { COMPOSE_PROFILES: 'backup', SINEBAR_BACKUP_DIR: backups } });
    for (const spec of SPECS) expect((await runAcceptance(spec, stack.url)).failures).toEqual([]);
    await raiseAlarm(post);
    await eventually(async () => ((await (await fetch(`${stack.url}/alarmServiceRest/alarms`)).json()) as unknown[]).length > 0, {
      timeoutMs: MINUTES,
      describe: 'an alarm',
    });
    const load = await Load.start(stack.url);
    await load.acknowledges(150);
    expect((await load.stop()).failures).toEqual([]);
  }, 15 * MINUTES);
  afterAll(async () => {
    await stack?.down({ volumes: true });
    rmSync(backups, { recursive: true, force: true });
  }, 4 * MINUTES);

  it(
    'is made without a command',
    async () => {
      await stack.compose(['stop', ...WRITERS, 'backup']);
      for (const name of names()) rmSync(join(backups, name), { recursive: true });
      await stack.compose(['start', 'backup']);
      await eventually(() => names().length === 1, { timeoutMs: 3 * MINUTES, intervalMs: 500, describe: 'a backup' });
      [scheduled = ''] = names();
      const { tables, files, missing } = manifest(scheduled);
      reportFigures(`scheduled backup: ${tables.filter(({ rows }) => rows > 0).length} of ${tables.length} tables have rows`);
      expect(files.count).toBeGreaterThanOrEqual(50);
      expect(missing).toEqual([]);
    },
    6 * MINUTES,
  );

  it(
    'is restored into new volumes with every row and every object',
    async () => {
      await stack.down({ volumes: true });
      await tools('restore', scheduled, '--replace-event-stream');
      await tools('backup', 'restored');
      expect(differences(scheduled, 'restored')).toEqual(NOT_RESTORED);
      expect(manifest('restored').files).toEqual(manifest(scheduled).files);
    },
    12 * MINUTES,
  );

  it(
    'differs after the start of the services only in what they do by themselves',
    async () => {
      await stack.start();
      await stack.compose(['stop', ...WRITERS]);
      await tools('backup', 'started');
      expect(differences(scheduled, 'started').filter((name) => !KEPT_BY_SERVICES.includes(name))).toEqual([]);
      expect(manifest('started').files).toEqual(manifest(scheduled).files);
    },
    10 * MINUTES,
  );
});
