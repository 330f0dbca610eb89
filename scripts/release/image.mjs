import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../bootstrap.mjs';
import { main, run, ScriptError } from '../command.mjs';
import { findTool } from './tools.mjs';

const DOCKERFILE = 'infra/docker';
const PLATFORMS = { x64: 'linux/amd64', arm64: 'linux/arm64' };
const START_LIMIT_MS = 30_000;

export const OWN_PLATFORM = PLATFORMS[process.arch];
export const OTHER_PLATFORM = Object.values(PLATFORMS).find((platform) => platform !== OWN_PLATFORM);

/**
 * Starts BuildKit and a registry on the loopback of this machine, for images of a release.
 * @returns {Promise<{ why: string } | Builder>} why they cannot be started, or what builds images
 * @typedef {object} Builder
 * @property {(options: { platform: string, base: string, file: string, isFresh?: boolean }) => Promise<void>} build writes an image file, an
 * OCI layout; `docker load` reads one that is for a single platform
 * @property {string} crane path of the program
 * @property {string} registry its address
 * @property {() => Promise<void>} stop
 */
export async function startBuilder() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return { why: 'BuildKit needs root on Linux' };
  const names = ['buildkitd', 'buildctl', 'crane'];
  const [buildkitd, buildctl, crane] = await Promise.all(names.map(findTool));
  const missing = names.filter((_, i) => [buildkitd, buildctl, crane][i] === undefined);
  if (missing.length > 0) return { why: `no ${missing.join(', ')}; node scripts/launch.mjs scripts/release/tools.mjs builds them` };

  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/buildkit-'));
  const registry = `127.0.0.1:${await freePort()}`;
  const settings = join(folder, 'buildkitd.toml');
  writeFileSync(settings, `[registry."${registry}"]\n  http = true\n`);
  const address = `unix://${join(folder, 'buildkitd.sock')}`;
  const servers = [
    start(crane, ['registry', 'serve', '--address', registry, '--disk', makeFolder(folder, 'registry')]),
    // Steps use the network of this machine, whose resolver may be one of its own.
    start(buildkitd, [
      '--root',
      join(folder, 'root'),
      '--addr',
      address,
      '--config',
      settings,
      '--allow-insecure-entitlement',
      'network.host',
    ]),
  ];
  const stop = async () => {
    await Promise.all(servers.map(({ end }) => end()));
    // Layers hold hundreds of thousands of files, which this program removes faster than Node.
    spawnSync('rm', ['-rf', folder]);
  };
  try {
    await until(async () => (await fetch(`http://${registry}/v2/`)).ok, servers);
    await until(() => spawnSync(buildctl, ['--addr', address, 'debug', 'workers']).status === 0, servers);
  } catch (error) {
    await stop();
    throw error;
  }
  const build = async ({ platform, base, file, isFresh = false }) => {
    const { code, output } = await run(
      [
        ...[buildctl, '--addr', address, 'build', '--progress', 'plain', '--frontend', 'dockerfile.v0'],
        ...['--local', `context=${ROOT}`, '--local', `dockerfile=${join(ROOT, DOCKERFILE)}`],
        ...Object.entries({ platform, ...buildArguments(base), 'force-network-mode': 'host' }).flatMap(([key, value]) => [
          '--opt',
          `${key}=${value}`,
        ]),
        ...[
          '--allow',
          'network.host',
          '--output',
          `type=${platform.includes(',') ? 'oci' : 'docker'},name=sinebar:${version()},dest=${file},rewrite-timestamp=true`,
        ],
        ...(isFresh ? ['--no-cache'] : []),
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    if (code !== 0)
      throw new ScriptError(`The image for ${platform} could not be built:\n${output.trimEnd().split('\n').slice(-40).join('\n')}`);
  };
  return { build, crane, registry, stop };
}

/** Names what an image is made of and from, the same in the workflow of releases. */
function buildArguments(base) {
  const git = (...words) => spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  return {
    'build-arg:NODE_IMAGE': base,
    'build-arg:SOURCE_DATE_EPOCH': git('log', '-1', '--format=%ct'),
    'build-arg:SINEBAR_VERSION': version(),
    'build-arg:SINEBAR_REVISION': git('rev-parse', 'HEAD'),
  };
}

/**
 * Finds an image to build on for a platform: RELEASE_BASE_IMAGE, else, for the platform of this machine, the image of the Dockerfile that
 * docker has.
 * @returns {Promise<string | undefined>} undefined where there is none, and a registry would have to be asked
 */
export async function findBase(platform, { crane, registry }) {
  if (process.env.RELEASE_BASE_IMAGE) return process.env.RELEASE_BASE_IMAGE;
  const name = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(ROOT, DOCKERFILE, 'Dockerfile'), 'utf8'))[1];
  if (platform !== OWN_PLATFORM || spawnSync('docker', ['image', 'inspect', name]).status !== 0) return undefined;
  const folder = mkdtempSync(join(ROOT, '.cache/base-'));
  try {
    const file = join(folder, 'base.tar');
    await runOrFail(['docker', 'save', '--output', file, name]);
    const base = `${registry}/${name}`;
    await runOrFail([crane, 'push', file, base]);
    return base;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the digests and sizes of the layers of an image file. */
export async function readLayers(file) {
  const read = async (path) => JSON.parse(await runOrFail(['tar', '--extract', '--to-stdout', '--file', file, path]));
  const blob = (digest) => `blobs/${digest.replace(':', '/')}`;
  const { manifests } = await read('index.json');
  const { layers } = await read(blob(manifests[0].digest));
  return layers.map(({ digest, size }) => ({ digest, size }));
}

/** @returns {Promise<string>} what the command printed */
export async function runOrFail(command, options = {}) {
  const { code, output } = await run(command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  if (code !== 0) throw new ScriptError(`${command.slice(0, 3).join(' ')} failed:\n${output.trimEnd()}`);
  return output;
}

export function version() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}

function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-4000)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.once('exit', () => child.kill('SIGTERM'));
  const end = () => (child.kill('SIGTERM'), ended);
  return { end, failure: () => (child.exitCode === null ? undefined : `${program} ended:\n${output}`) };
}

async function until(isReady, servers) {
  for (const giveUpAt = Date.now() + START_LIMIT_MS; Date.now() < giveUpAt; await setTimeout(200)) {
    const failure = servers.map((server) => server.failure()).find((text) => text !== undefined);
    if (failure !== undefined) throw new ScriptError(failure);
    if (await Promise.resolve(isReady()).catch(() => false)) return;
  }
  throw new ScriptError('BuildKit or its registry did not start in time.');
}

function makeFolder(...parts) {
  const folder = join(...parts);
  if (!existsSync(folder)) mkdirSync(folder);
  return folder;
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Runs `RELEASE_BASE_IMAGE=… node scripts/launch.mjs scripts/release/image.mjs linux/amd64,linux/arm64 FILE`, as the workflow of releases does. */
if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    const [platform, file] = process.argv.slice(2);
    const base = process.env.RELEASE_BASE_IMAGE;
    if (file === undefined || !base)
      throw new ScriptError('Use: RELEASE_BASE_IMAGE=<image> … scripts/release/image.mjs <platforms> <file>');
    const builder = await startBuilder();
    if (builder.why !== undefined) throw new ScriptError(builder.why);
    await builder.build({ platform, base, file }).finally(builder.stop);
  });
}
