import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { run } from '../command.mjs';
import { isNewEnough, nodePackage } from './runtime.mjs';

const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const lock = readJson('scripts/runtime/package-lock.json');
const NAME = nodePackage();
const NODE = `node-${lock.packages[`node_modules/${NAME}`].version}`;
const PROGRAM = `${NODE}/node_modules/${NAME}/bin/node`;
const PNPM = `pnpm-${lock.packages['node_modules/pnpm'].version}`;

/** An npm that writes its arguments and installs programs that print their names. */
const NPM = `#!/bin/sh
echo "$@" >>"$CALLS"
for name in ${NAME}/bin/node pnpm/bin/pnpm.cjs; do
  mkdir -p node_modules/$(dirname $name)
  printf '#!/bin/sh\\necho %s\\n' $name >node_modules/$name
  chmod +x node_modules/$name
done
`;

let root;
let cache;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sinebar-runtime-'));
  cache = join(root, 'user/sinebar');
  for (const file of ['package.json', 'package-lock.json']) {
    mkdirSync(join(root, 'scripts/runtime'), { recursive: true });
    copyFileSync(join(ROOT, 'scripts/runtime', file), join(root, 'scripts/runtime', file));
  }
  mkdirSync(join(root, 'bin'));
  putNpm(NPM);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function putNpm(text) {
  writeFileSync(join(root, 'bin/npm'), text);
  chmodSync(join(root, 'bin/npm'), 0o755);
}

const calls = () => (existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : []);

/** Returns the command line and options of a process that fetches, and prints the program or the reason. */
function fetching({ fetch = 'fetchNode', env = {}, before = '' } = {}) {
  const script = `const m = await import(${JSON.stringify(new URL('./runtime.mjs', import.meta.url).href)}); ${before}
    await m.${fetch}({ root: ${JSON.stringify(root)} }).then(console.log, (error) => { console.log(error.message); process.exitCode = 1; });`;
  const variables = {
    HOME: root,
    PATH: `${join(root, 'bin')}:/usr/bin:/bin`,
    CALLS: join(root, 'calls'),
    SINEBAR_CACHE_DIR: cache,
    ...env,
  };
  return [[process.execPath, '--input-type=module', '-e', script], { env: variables, stdio: ['ignore', 'pipe', 'ignore'] }];
}

async function fetchIn(options) {
  const { code, output } = await run(...fetching(options));
  return { code, output: output.trim() };
}

describe('Node', () => {
  it('is installed once, by the lock file', async () => {
    const first = await fetchIn();
    expect(first).toEqual({ code: 0, output: join(cache, PROGRAM) });
    expect(await fetchIn()).toEqual(first);
    expect(calls()).toEqual(['ci --ignore-scripts --prefer-offline --no-audit --no-fund --include=optional']);
    expect(readdirSync(cache)).toEqual([NODE]);
  });

  it('is installed again for another lock file', async () => {
    await fetchIn();
    writeFileSync(join(root, 'scripts/runtime/package-lock.json'), '{}');
    expect(await fetchIn()).toMatchObject({ code: 0 });
    expect(calls()).toHaveLength(2);
    expect(readdirSync(join(cache, NODE)).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
    expect(readdirSync(cache)).toEqual([NODE]);
  });

  it('lies in the folder that the environment names', async () => {
    const env = { SINEBAR_CACHE_DIR: undefined };
    expect((await fetchIn({ env: { ...env, XDG_CACHE_HOME: join(root, 'xdg') } })).output).toBe(join(root, 'xdg/sinebar', PROGRAM));
    expect((await fetchIn({ env })).output).toBe(join(root, '.cache/sinebar', PROGRAM));
  });

  it('that cannot be fetched is explained after what npm says, and a later start fetches it', async () => {
    putNpm('#!/bin/sh\necho npm error code ENOTFOUND >&2\nexit 1\n');
    const { code, output } = await fetchIn();
    expect(code).toBe(1);
    expect(output).toContain('npm error code ENOTFOUND');
    expect(output).toMatch(
      /could not be fetched\. Check that npm reaches its registry \(npm ping\), and start again\. Or: Install Node 24\.9/,
    );
    expect(readdirSync(cache)).toEqual([]);
    putNpm(NPM);
    expect(await fetchIn()).toMatchObject({ code: 0 });
  });

  it('without npm is explained', async () => {
    rmSync(join(root, 'bin/npm'));
    const { output } = await fetchIn({ env: { PATH: join(root, 'bin') } });
    expect(output).toMatch(/npm cannot be started[\s\S]*Install Node 24\.9 or newer yourself/);
  });

  it('that does not start here is not kept', async () => {
    putNpm(NPM.replace('chmod +x', 'chmod -x'));
    const { code, output } = await fetchIn();
    expect(code).toBe(1);
    expect(output).toMatch(/could not be fetched/);
    expect(readdirSync(cache)).toEqual([]);
  });

  it('that needs a library is kept by nobody, and the message names the package', async () => {
    putNpm(
      NPM.replace(
        /chmod \+x (\S+)/,
        'printf "#!/bin/sh\\necho libatomic.so.1: cannot open shared object file >&2\\nexit 127\\n" >$1\nchmod +x $1',
      ),
    );
    const { code, output } = await fetchIn();
    expect(code).toBe(1);
    expect(output).toMatch(/cannot open shared object file[\s\S]*apt-get install libatomic1/);
    expect(output).not.toContain('npm ping');
    expect(readdirSync(cache)).toEqual([]);
  });

  it('is complete when two processes fetch it at once', async () => {
    // Each npm waits until both have begun.
    putNpm(NPM.replace('for name', 'while [ "$(wc -l <"$CALLS")" -lt 2 ]; do sleep 0.05; done\nfor name'));
    const both = await Promise.all([fetchIn(), fetchIn()]);
    expect(both).toEqual([0, 1].map(() => ({ code: 0, output: join(cache, PROGRAM) })));
    expect(calls()).toHaveLength(2);
    expect(readdirSync(cache)).toEqual([NODE]);
  });

  it('is fetched after a killed installation, whose files are removed an hour later', async () => {
    putNpm(`${NPM}\nkill -KILL $PPID\n`);
    const [[program, ...args], options] = fetching();
    const killed = spawn(program, args, options);
    await new Promise((resolve) => killed.once('exit', resolve));
    const [unfinished] = readdirSync(cache);
    expect(unfinished).toMatch(new RegExp(`^${NODE}-`));

    putNpm(NPM);
    expect(await fetchIn()).toMatchObject({ code: 0 });
    expect(readdirSync(cache).sort()).toEqual([NODE, unfinished]);
    rmSync(join(cache, NODE), { recursive: true });
    const past = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(cache, unfinished), past, past);
    await fetchIn();
    expect(readdirSync(cache)).toEqual([NODE]);
  });
});

describe('where the home folder is not writable', () => {
  const isRoot = process.getuid?.() === 0;
  const nobody = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  let home;
  let before = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'sinebar-home-'));
    chmodSync(home, 0o555);
    if (!isRoot) return;
    // Root may write everywhere, so the process goes on as another user.
    chownSync(root, nobody('-u'), nobody('-g'));
    before = `process.setgid(${nobody('-g')}); process.setuid(${nobody('-u')});`;
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('Node lies in the cache of the checkout', async () => {
    const result = await fetchIn({ env: { HOME: home, SINEBAR_CACHE_DIR: undefined }, before });
    expect(result).toEqual({ code: 0, output: join(root, '.cache', PROGRAM) });
  });

  it('a Node that was prepared there is used', async () => {
    chmodSync(home, 0o755);
    const prepared = join(home, '.cache/sinebar', NODE);
    mkdirSync(dirname(join(home, '.cache/sinebar', PROGRAM)), { recursive: true });
    copyFileSync(join(ROOT, 'scripts/runtime/package-lock.json'), join(prepared, 'package-lock.json'));
    writeFileSync(join(home, '.cache/sinebar', PROGRAM), '');
    chmodSync(home, 0o555);
    const result = await fetchIn({ env: { HOME: home, SINEBAR_CACHE_DIR: undefined }, before });
    expect(result).toEqual({ code: 0, output: join(home, '.cache/sinebar', PROGRAM) });
    expect(calls()).toEqual([]);
  });

  it('and neither is the checkout, the message says what to do', async () => {
    chmodSync(root, 0o555);
    chownSync(root, process.getuid(), process.getgid());
    const { code, output } = await fetchIn({ env: { HOME: home, SINEBAR_CACHE_DIR: undefined }, before });
    chmodSync(root, 0o755);
    expect(code).toBe(1);
    expect(output).toMatch(/cannot be written by .*: it belongs to user id \d+\. Run this as that user/);
  });
});

describe('pnpm', () => {
  it('is installed without Node', async () => {
    expect(await fetchIn({ fetch: 'fetchPnpm' })).toEqual({ code: 0, output: join(cache, PNPM, 'node_modules/pnpm/bin/pnpm.cjs') });
    expect(calls()).toEqual(['ci --ignore-scripts --prefer-offline --no-audit --no-fund --omit=optional']);
  });

  it('that cannot be fetched is explained', async () => {
    putNpm('#!/bin/sh\nexit 1\n');
    expect((await fetchIn({ fetch: 'fetchPnpm' })).output).toMatch(/pnpm \S+ could not be fetched\. Check that npm reaches its registry/);
  });
});

describe('a platform', () => {
  it.each(Object.keys(lock.packages[''].optionalDependencies))('of %s gets this package', (name) => {
    const { os, cpu } = lock.packages[`node_modules/${name}`];
    const one = (words) => (typeof words === 'string' ? words : words[0]);
    expect(nodePackage({ platform: one(os), arch: one(cpu), isMusl: false })).toBe(name);
  });

  it('without a package is told to install Node', () => {
    expect(() => nodePackage({ platform: 'freebsd', arch: 'x64', isMusl: false })).toThrow(
      /needs Node 24\.9 or newer; this is .*, and no newer one can be fetched for freebsd-x64\. Install Node 24\.9 or newer yourself/,
    );
  });

  it('with musl is told how to install Node', () => {
    expect(() => nodePackage({ platform: 'linux', arch: 'x64', isMusl: true })).toThrow(/musl \(Alpine\).*apk add nodejs npm/s);
  });
});

describe('versions', () => {
  it.each(['24.9.0', '24.20.0', '25.0.0', '26.10.0', '100.0.0'])('Node %s is new enough', (version) => {
    expect(isNewEnough(version)).toBe(true);
  });

  it.each(['24.8.0', '23.11.1', '20.20.2', '18.0.0', '8.17.0'])('Node %s is too old', (version) => {
    expect(isNewEnough(version)).toBe(false);
  });

  it('of package.json begin with the oldest that is new enough', () => {
    const { engines } = readJson('package.json');
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node);
    expect(isNewEnough(`${major}.${minor}.0`)).toBe(true);
    expect(isNewEnough(`${major}.${minor - 1}.9`)).toBe(false);
  });

  it('of all platforms are the same', () => {
    expect(new Set(Object.values(lock.packages[''].optionalDependencies)).size).toBe(1);
  });

  it('of pnpm are that of the workspace', () => {
    expect(`pnpm@${lock.packages['node_modules/pnpm'].version}`).toBe(readJson('package.json').packageManager);
  });

  it('of the lock file are fixed by hashes, and name no registry', () => {
    const [, ...packages] = Object.values(lock.packages);
    expect(packages.filter(({ integrity, resolved }) => !/^sha512-/.test(integrity) || resolved !== undefined)).toEqual([]);
  });
});
