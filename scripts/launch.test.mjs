import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { nodePackage } from './runtime/runtime.mjs';

const LAUNCHER = join(ROOT, 'scripts/launch.mjs');
const LOCK = join(ROOT, 'scripts/runtime/package-lock.json');
/** Makes a Node call itself 20, which the launcher finds too old. */
const OLD = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });";

let folder;
let running;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinebar-launch-'));
  writeFileSync(join(folder, 'old.mjs'), OLD);
  prepareNode();
  running = undefined;
});
afterEach(() => {
  running?.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a Node into the cache, which is this one. */
function prepareNode() {
  const name = nodePackage();
  const { version } = JSON.parse(readFileSync(LOCK, 'utf8')).packages[`node_modules/${name}`];
  const program = join(folder, `node-${version}`, 'node_modules', name, 'bin/node');
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(LOCK, join(folder, `node-${version}`, 'package-lock.json'));
  writeFileSync(program, `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Starts the launcher on an older Node with a script of this text. */
function launch(text, { isOld = true, flags = [], args = [] } = {}) {
  const script = join(folder, 'script.mjs');
  writeFileSync(script, text);
  const child = spawn(process.execPath, [...flags, LAUNCHER, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SINEBAR_CACHE_DIR: folder, NODE_OPTIONS: isOld ? `--import ${join(folder, 'old.mjs')}` : '' },
  });
  running = { child, output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (printed) => (running.output += printed));
  child.stderr.setEncoding('utf8').on('data', (printed) => (running.errors += printed));
  running.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return running;
}

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const WAITS = 'setInterval(() => undefined, 1_000); console.log("waits");';

describe('on an older Node', () => {
  it('the script runs on the fetched one, with flags and arguments', async () => {
    const { ended } = launch('console.log(JSON.stringify([process.execArgv, process.argv.slice(2), process.versions.node]));', {
      flags: ['--heap-growing-percent=100'],
      args: ['--one', 'two words'],
    });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(JSON.parse(running.output)).toEqual([['--heap-growing-percent=100'], ['--one', 'two words'], process.versions.node]);
  });

  it('the PATH of the script begins with the fetched one', async () => {
    const program = prepareNode();
    await launch('console.log(process.env.PATH);').ended;
    expect(running.output.split(':')[0]).toBe(dirname(program));
  });

  it('the exit code of the script is that of the launcher', async () => {
    expect(await launch('process.exitCode = 7;').ended).toEqual({ code: 7, signal: null });
  });

  it('a script that a signal ends has the exit code of shells', async () => {
    expect(await launch("process.kill(process.pid, 'SIGKILL');").ended).toEqual({ code: 137, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s reaches the script', async (signal) => {
    const { child, ended } = launch(`process.on('${signal}', () => process.exit(3)); ${WAITS}`);
    await until(() => running.output.includes('waits'));
    child.kill(signal);
    expect(await ended).toEqual({ code: 3, signal: null });
  });

  it('the script stops in order when the launcher is killed', async () => {
    const file = join(folder, 'stopped');
    const stop = `import { writeFileSync } from 'node:fs';
      process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(file)}, ''); process.exit(); });`;
    const { child } = launch(`${stop} ${WAITS}`);
    await until(() => running.output.includes('waits'));
    child.kill('SIGKILL');
    await until(() => existsSync(file));
  });

  it('the channel to the launcher keeps no script alive', async () => {
    expect(await launch('setTimeout(() => console.log("done"), 50);').ended).toEqual({ code: 0, signal: null });
    expect(running.output).toBe('done\n');
  });
});

describe('on a new enough Node', () => {
  it('the script runs in the same process', async () => {
    const { child, ended } = launch('console.log(process.pid, process.env.SINEBAR_LAUNCHED);', { isOld: false });
    await ended;
    expect(running.output).toBe(`${child.pid} undefined\n`);
  });

  it('a missing script is reported in a sentence', async () => {
    const { ended } = launch('', { isOld: false });
    rmSync(join(folder, 'script.mjs'));
    expect(await ended).toMatchObject({ code: 1 });
    expect(running.errors).toContain('script.mjs does not exist.');
  });
});
