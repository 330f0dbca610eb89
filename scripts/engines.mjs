import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { run, runWithProgress } from './command.mjs';

/**
 * Folder of programs that make a docker engine with base images (containers/) and a cluster (cluster/) where no registry can be reached,
 * and a Citus cluster (citus/).
 */
export const TOOLS = process.env.ENGINE_TOOLS || join(ROOT, '../shared/tools');
const MAKE_IMAGES = join(TOOLS, 'containers/make-base-images');
/** Image of Debian from which that tool makes others. */
const TOOL_DEBIAN = 'stand-in/bookworm';
const KUBE_UP = join(TOOLS, 'cluster/kube-up');
const KUBE_DOWN = join(TOOLS, 'cluster/kube-down');
/** Time that one of the programs may take: the first time it builds much. */
const TOOL_MINUTES = Number(process.env.ENGINE_TOOL_MINUTES || 40);
const FOLDER = join(ROOT, '.cache/engines');
const PREVIOUS = join(FOLDER, 'previous');
const VERSION = process.env.SINEBAR_VERSION || 'engine-tests';
const PREVIOUS_VERSION = `${VERSION}-previous`;
const PROJECT = process.env.ENGINES_PROJECT || 'sinebar-engines';
const MIGRATIONS = ':(glob)services/*/src/migrations/**';

/** Variables of the tests. */
export const VARIABLES = { SINEBAR_VERSION: VERSION, ENGINES_PROJECT: PROJECT };
/** Further variables where images of an earlier version were built. */
export const PREVIOUS_VARIABLES = { SINEBAR_PREVIOUS_VERSION: PREVIOUS_VERSION, SINEBAR_PREVIOUS_FOLDER: PREVIOUS };

const answers = (program, args) => spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 });
export const isRoot = () => process.getuid?.() === 0;

/**
 * Finds a docker engine with compose and the base images, or makes them with the tools.
 * @param folder a checkout, whose files name the images
 * @returns why there are none
 */
export async function prepareDocker(folder = ROOT) {
  const why = whyNoDocker();
  if (why === undefined && missingImages(folder).length === 0) return undefined;
  if (existsSync(MAKE_IMAGES) && isRoot()) {
    console.error(`Making the base images with ${MAKE_IMAGES}`);
    return (await makeBaseImages(folder)) ?? whyNoDocker();
  }
  if (why !== undefined) return existsSync(MAKE_IMAGES) ? `${why}; ${MAKE_IMAGES} needs root` : why;
  for (const image of missingImages(folder)) {
    const { status, stderr } = spawnSync('docker', ['pull', image], { encoding: 'utf8', timeout: 600_000 });
    if (status !== 0) return `the image ${image} cannot be pulled: ${lastLine(stderr)}`;
  }
  return undefined;
}

/** @returns why the tool has failed */
async function makeBaseImages(folder) {
  const { why } = await runTool([MAKE_IMAGES, folder]);
  if (why === undefined || !isPresent(TOOL_DEBIAN)) return why;
  // Node needs a library since version 25 that the Debian of the tool lacks. The tool keeps an image that is there.
  const input = `FROM ${TOOL_DEBIAN}\nRUN apt-get update && apt-get install --yes --no-install-recommends libatomic1\n`;
  const options = { input, encoding: 'utf8', timeout: 600_000, env: { ...process.env, DOCKER_BUILDKIT: '0' } };
  const { status, stderr } = spawnSync('docker', ['build', '--network', 'host', '--tag', TOOL_DEBIAN, '-'], options);
  if (status !== 0) return `${why}; libatomic1 could not be added to ${TOOL_DEBIAN}: ${lastLine(stderr)}`;
  return (await runTool([MAKE_IMAGES, folder])).why;
}

/** Runs a program that may leave servers running. @returns what it prints, and why it failed */
export async function runTool([program, ...args]) {
  mkdirSync(FOLDER, { recursive: true });
  // Not a pipe, which the servers would keep open.
  const file = join(FOLDER, 'tool.out');
  const descriptor = openSync(file, 'w');
  try {
    // Ends the whole group of processes.
    const limited = ['timeout', '--kill-after=10', `${TOOL_MINUTES}m`, program, ...args];
    const { code } = await run(limited, { cwd: ROOT, stdio: ['ignore', descriptor, 2] });
    const why = code === 124 ? `took longer than ${TOOL_MINUTES} minutes` : `ended with code ${code}`;
    return { output: readFileSync(file, 'utf8'), ...(code !== 0 && { why: `${program} ${why}` }) };
  } finally {
    closeSync(descriptor);
  }
}

function whyNoDocker() {
  for (const args of [['info'], ['compose', 'version']]) {
    const { error, status, stderr } = answers('docker', args);
    if (error) return `docker cannot be run: ${error.message}`;
    if (status !== 0) return `docker ${args.join(' ')} failed: ${lastLine(stderr)}`;
  }
  return undefined;
}

const lastLine = (text) => text.trim().split('\n').at(-1);

/** Images that the compose file of a checkout names. */
function namedImages(folder, version) {
  const { stdout } = spawnSync('docker', [...composeArgs(folder), 'config', '--images'], { encoding: 'utf8', env: environment(version) });
  return [...new Set(stdout.split('\n'))].filter((image) => image !== '');
}

/** Images of others that the engine does not have. */
function missingImages(folder) {
  const node = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(folder, 'infra/docker/Dockerfile'), 'utf8'))[1];
  // An earlier version has an image for each service.
  const foreign = namedImages(folder, VERSION).filter((image) => !/^sinebar[/:]/.test(image));
  return [node, ...foreign].filter((image) => !isPresent(image));
}

const isPresent = (image) => answers('docker', ['image', 'inspect', image]).status === 0;

const composeArgs = (folder) => [
  'compose',
  '--project-name',
  PROJECT,
  '--project-directory',
  folder,
  '--file',
  join(folder, 'docker-compose.yml'),
  '--env-file',
  join(ROOT, '.env.example'),
  '--profile',
  '*',
];

/** Settings for commands that start nothing: compose refuses empty secrets. */
function environment(version) {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const secrets = [...example.matchAll(/^([A-Z0-9_]+)=$/gm)].map(([, name]) => [name, 'unused']);
  return { ...process.env, ...Object.fromEntries(secrets), SINEBAR_VERSION: version };
}

/** Builds the image of the checkout. @throws {ScriptError} with the output when the build fails */
export async function buildImages() {
  const command = ['docker', ...composeArgs(ROOT), 'build'];
  await runWithProgress(`Building the image ${VERSION}`, command, { cwd: ROOT, env: environment(VERSION) });
}

/**
 * Builds images of the last tagged version; without a tag, of the commit before the newest migration.
 * @returns why that cannot be done
 */
export async function buildPreviousImages() {
  const commit = previousCommit();
  if (commit === undefined) return 'the repository has neither a tag nor a commit before the newest migration';
  rmSync(PREVIOUS, { recursive: true, force: true });
  mkdirSync(PREVIOUS, { recursive: true });
  const archive = join(FOLDER, 'previous.tar');
  for (const command of [
    ['git', 'archive', '--output', archive, commit],
    ['tar', '--extract', '--file', archive, '--directory', PREVIOUS],
  ]) {
    const { code, output } = await run(command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    if (code !== 0) return `${command.join(' ')} failed: ${output.trim()}`;
  }
  rmSync(archive);
  const why = await prepareDocker(PREVIOUS);
  if (why !== undefined) return why;
  const command = ['docker', ...composeArgs(PREVIOUS), 'build'];
  await runWithProgress(`Building the images of ${commit}`, command, { cwd: ROOT, env: environment(PREVIOUS_VERSION) });
  return undefined;
}

function previousCommit() {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
    return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
  };
  const named = process.env.ENGINES_PREVIOUS || git('describe', '--tags', '--abbrev=0');
  if (named !== undefined) return named;
  const migration = git('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
  return migration && git('rev-parse', '--verify', '--quiet', `${migration}^`);
}

/** Takes down what an interrupted test has left of the projects of the tests. */
export async function removeStacks() {
  const label = 'com.docker.compose.project';
  const list = (kind, id, ...options) =>
    spawnSync('docker', [kind, 'ls', ...options, '--filter', `label=${label}`, '--format', `{{.Label "${label}"}} {{.${id}}}`], {
      encoding: 'utf8',
    })
      .stdout.split('\n')
      .filter((line) => line.startsWith(PROJECT))
      .map((line) => line.split(' ')[1]);
  const remove = (command, ids) => ids.length > 0 && spawnSync('docker', [...command, ...ids], { stdio: 'ignore', timeout: 120_000 });
  remove(['container', 'rm', '--force', '--volumes'], list('container', 'ID', '--all'));
  remove(['volume', 'rm', '--force'], list('volume', 'Name'));
  remove(['network', 'rm'], list('network', 'ID'));
}

/**
 * Finds the cluster of KUBECONFIG, or starts one with the tools and gives it the images.
 * @returns its KUBECONFIG, or why there is none; `stop` takes a started one down
 */
export async function prepareCluster() {
  const given = process.env.KUBECONFIG;
  const none = (why) => ({ why, stop: async () => undefined });
  if (given) {
    const why = whyNoCluster(given);
    return why === undefined ? { kubeconfig: given, stop: async () => undefined } : none(why);
  }
  if (!existsSync(KUBE_UP)) return none('KUBECONFIG names no cluster');
  if (!isRoot()) return none(`KUBECONFIG names no cluster; ${KUBE_UP} needs root`);
  const ranBefore = isAlive(join(process.env.KUBE_RUN || '/tmp/kube-up', 'pids/kubelet'));
  const stop = async () => void (ranBefore || (await run([KUBE_DOWN], { cwd: ROOT, stdio: 'ignore' })));
  console.error(`Starting the cluster and loading the images with ${KUBE_UP}`);
  const { why: failure, output } = await runTool([KUBE_UP, '--images', ...clusterImages()]);
  const kubeconfig = /KUBECONFIG=(\S+)/.exec(output)?.[1];
  const why = failure ?? whyNoCluster(kubeconfig);
  return { kubeconfig, why, stop };
}

function whyNoCluster(kubeconfig) {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const { error, status, stderr } = spawnSync('kubectl', ['get', '--raw', '/readyz'], { encoding: 'utf8', timeout: 20_000, env });
  if (error) return `kubectl cannot be run: ${error.message}`;
  return status === 0 ? undefined : `the cluster of ${kubeconfig} does not answer: ${lastLine(stderr)}`;
}

/** Whether the process of the file runs. */
function isAlive(pidFile) {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
  } catch {
    return false;
  }
}

/** Images of the product in both versions, and of the stores and the proxy of the compose file, which the manifests use too. */
function clusterImages() {
  const previous = existsSync(PREVIOUS) ? namedImages(PREVIOUS, PREVIOUS_VERSION) : [];
  return [...new Set([...namedImages(ROOT, VERSION), ...previous])].filter(isPresent);
}
