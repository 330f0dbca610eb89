import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { run, ScriptError } from '../command.mjs';
import { packClient, packProgram } from './npm-packages.mjs';
import { packChart } from './chart.mjs';
import { writeReleaseCompose } from './compose-file.mjs';
import { findBase, freePort, OTHER_PLATFORM, OWN_PLATFORM, readLayers, runOrFail, startBuilder, version } from './image.mjs';
import { readChangelog, releaseNotes } from './notes.mjs';
import { buildSite } from '../site/site.mjs';
import { bundleOf, makeTrialKeys } from './signature.mjs';
import { runSteps, sizeText, SkippedStep } from './steps.mjs';
import { findTool } from './tools.mjs';

const FOLDER = join(ROOT, 'release');
const BILL = join(ROOT, 'apps/sinebar/dist/sbom.cdx.json');
const MAX_IMAGE_BYTES = 150e6;
/** Tests that install and start what was packed, and upgrade what earlier releases have left. */
const TESTS = ['tests/product/src/package/', 'tests/upgrade/', 'tests/deployment/src/chart-release', 'scripts/release/'];

/** Prints the packages of an image that its bill does not name, and those that it names and that are not there. */
const COMPARE_BILL = `
  const { readdirSync, readFileSync } = require('node:fs');
  const { components } = JSON.parse(readFileSync('/app/dist/sbom.cdx.json', 'utf8'));
  const fullName = ({ group, name, version }) => (group ? group + '/' : '') + name + '@' + version;
  const named = new Set(components.map(fullName));
  const beside = new Set(components.filter(({ properties }) => properties[0].value === 'false').map(fullName));
  const folders = readdirSync('/app/node_modules/.pnpm').filter((folder) => folder !== 'node_modules');
  const installed = new Set(folders.map((folder) => folder.replace('+', '/').replace(/_.*$/, '')));
  console.log(JSON.stringify([...installed.difference(named), ...beside.difference(installed)]));`;

/**
 * Does locally what a release does, and what can be tried of it without publishing anything.
 * @param {() => Promise<void>} makeRelease
 * @returns {Promise<number>} steps that failed; a table is printed with a line for each: its result or why it was skipped, seconds, sizes
 */
export async function tryRelease(makeRelease) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const print = (line) => console.error(line);
  const builder = await startBuilder();
  try {
    const steps = [...packageSteps(makeRelease), ...imageSteps(builder), ...signatureSteps(builder)];
    const { table, failed } = await runSteps(steps, print);
    console.log(table);
    return failed;
  } finally {
    await builder.stop?.();
  }
}

function packageSteps(makeRelease) {
  return [
    { name: 'notes from the changelog', run: readNotes },
    { name: 'release of the program and its page', run: makeRelease },
    { name: 'package of the program', run: async () => [await packProgram(FOLDER)] },
    { name: 'package of the client', run: async () => [await packClient(FOLDER)] },
    { name: 'compose file', run: async () => [writeReleaseCompose(FOLDER)] },
    {
      name: 'chart and manifests',
      run: async () => {
        const files = await packChart(FOLDER);
        if (files.length === 0) throw new SkippedStep('no helm, and no Go to build it');
        return files;
      },
    },
    { name: 'documentation site', run: async () => `${buildSite(join(FOLDER, 'docs')).pages} pages` },
    { name: 'bill of materials, read by syft', run: readBill },
    { name: 'npm publish, as a trial', run: publishTrial },
    { name: 'tests of packages, chart and upgrades', run: runTests },
  ];
}

async function readNotes() {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const { sections, problems } = readChangelog(changelog);
  if (problems.length === 0 && !sections.some((section) => section.version === version()))
    throw new SkippedStep(`CHANGELOG.md has no section of ${version()} yet`);
  const notes = releaseNotes(changelog, version());
  return `${notes.split('\n').length} lines`;
}

async function readBill() {
  const syft = await tool('syft');
  const { components } = JSON.parse(readFileSync(BILL, 'utf8'));
  const command = [
    syft,
    'scan',
    `dir:${join(BILL, '..')}`,
    '--quiet',
    '--override-default-catalogers',
    'sbom-cataloger',
    '--output',
    'json',
  ];
  const { stdout, status, stderr } = spawnSync(command[0], command.slice(1), { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new ScriptError(`syft failed:\n${stderr}`);
  const purls = (list) => new Set(list.map(({ purl }) => purl));
  const missing = purls(components).difference(purls(JSON.parse(stdout).artifacts));
  if (missing.size > 0) throw new ScriptError(`syft does not read ${[...missing].join(', ')} in the bill of materials.`);
  return `${components.length} packages`;
}

async function publishTrial() {
  const files = packages();
  for (const file of files) {
    const { code, output } = await run(['npm', 'publish', file, '--dry-run', '--access', 'public'], {
      cwd: FOLDER,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (/\b(ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENEEDAUTH)\b/.test(output))
      throw new SkippedStep('npm reaches no registry that it could publish to');
    if (code !== 0) throw new ScriptError(`npm publish --dry-run failed:\n${output}`);
  }
  return `${files.length} packages`;
}

async function runTests() {
  const jest = ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), ...TESTS];
  const { code, output } = await run([process.execPath, ...jest], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const numbers = /^\d+ passed, \d+ failed, \d+ skipped/m.exec(output)?.[0] ?? 'no test ran';
  if (code !== 0) throw new ScriptError(`${numbers}\n${output}`);
  const skipped = output.match(/^SKIPPED .*$/gm) ?? [];
  return [numbers, ...new Set(skipped)].join('; ');
}

function imageSteps(builder) {
  const file = join(FOLDER, `sinebar-${version()}.tar`);
  const again = join(FOLDER, 'again.tar');
  const other = join(FOLDER, `sinebar-${version()}-${OTHER_PLATFORM?.split('/')[1]}.tar`);
  const build = async (platform, target, isFresh) => {
    if (builder.why !== undefined) throw new SkippedStep(builder.why);
    const base = await findBase(platform, builder);
    if (base === undefined) throw new SkippedStep(`no base image for ${platform}; RELEASE_BASE_IMAGE names one`);
    await builder.build({ platform, base, file: target, isFresh });
    const bytes = (await readLayers(target)).reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_IMAGE_BYTES)
      throw new ScriptError(`The image has ${sizeText(bytes)} compressed, more than ${sizeText(MAX_IMAGE_BYTES)}.`);
    return `${sizeText(bytes)} compressed`;
  };
  return [
    { name: `image for ${OWN_PLATFORM}`, run: () => build(OWN_PLATFORM, file) },
    {
      name: 'the same image without a cache',
      run: async () => {
        await build(OWN_PLATFORM, again, true);
        const [first, second] = await Promise.all([file, again].map(readLayers));
        rmSync(again);
        const differing = first.filter(({ digest }, i) => digest !== second[i]?.digest).length;
        if (differing > 0) throw new ScriptError(`${differing} of ${first.length} layers differ.`);
        return `${first.length} layers, all equal`;
      },
    },
    { name: 'container of the image', run: () => runContainer(file) },
    { name: 'containers of the compose file', run: () => runContainers(file) },
    { name: `image for ${OTHER_PLATFORM}`, run: () => build(OTHER_PLATFORM, other) },
  ];
}

/** Runs what needs a native package in a container without a network, rights and a writable disk. */
async function runContainer(file) {
  requireFile(file, 'there is no image');
  if (spawnSync('docker', ['version']).status !== 0) throw new SkippedStep('no docker engine answers');
  await runOrFail(['docker', 'load', '--input', file]);
  const container = ['docker', 'run', '--rm', '--read-only', '--network', 'none', '--cap-drop', 'ALL', '--entrypoint'];
  const image = `sinebar:${version()}`;
  const script = `import('sharp').then(({ default: sharp }) => sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } }).png().toBuffer())`;
  await runOrFail([...container, 'node', image, '--eval', script]);
  const user = await runOrFail([...container, 'bash', image, '-c', 'id -u; echo secret | node dist/sinebar.js access hash']);
  if (!/^10001\n\$argon2id\$/.test(user)) throw new ScriptError(`The container is not what it should be: ${user}`);
  const differing = JSON.parse(await runOrFail([...container, 'node', image, '--eval', COMPARE_BILL]));
  if (differing.length > 0) throw new ScriptError(`The bill of materials of the image and its packages differ in ${differing.join(', ')}.`);
  return 'user 10001, read-only; its bill names what is installed';
}

/** Starts all services from the compose file alone, in a folder with nothing else, and writes and reads a part. */
async function runContainers(image) {
  requireFile(image, 'there is no image');
  if (spawnSync('docker', ['compose', 'version']).status !== 0) throw new SkippedStep('no docker compose');
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-release-'));
  const name = `sinebar-${version()}-compose.yml`;
  copyFileSync(join(FOLDER, name), join(folder, name));
  mkdirSync(join(folder, 'access'));
  const [, secrets] = /for name in ([^;]+);/.exec(readFileSync(join(folder, name), 'utf8'));
  const settings = { SINEBAR_PORT: await freePort(), SINEBAR_FRONT_NETWORK: '172.31.199' };
  for (const secret of secrets.split(' ')) settings[secret] = randomBytes(24).toString('hex');
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''));
  const compose = (...words) =>
    runOrFail(['docker', 'compose', '--project-name', 'sinebar-release', '--file', name, ...words], { cwd: folder });
  const images = (await compose('config', '--images')).trim().split('\n');
  const missing = images.filter((each) => spawnSync('docker', ['image', 'inspect', each]).status !== 0);
  if (missing.length > 0) throw new SkippedStep(`docker lacks ${[...new Set(missing)].join(', ')}`);
  try {
    const startedAt = Date.now();
    await compose('up', '--detach', '--wait');
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const url = `http://127.0.0.1:${settings.SINEBAR_PORT}`;
    const body = JSON.stringify([{ uuid: randomUUID(), path: 'P:/Pump/' }]);
    const headers = { 'Content-Type': 'application/json' };
    const answers = [
      await fetch(`${url}/dataServiceRest/parts`, { method: 'POST', headers, body }),
      await fetch(`${url}/rawDataServiceRest/rawDataInformation/part`),
      await fetch(`${url}/console/`),
    ].map(({ status }) => status);
    if (answers.join() !== '201,200,200') throw new ScriptError(`The services answered ${answers.join(', ')}.`);
    return `all services healthy after ${seconds} s`;
  } finally {
    await compose('down', '--volumes');
    rmSync(folder, { recursive: true });
  }
}

function signatureSteps(builder) {
  let keys;
  const withKeys = async () => (keys ??= await makeTrialKeys(await tool('cosign')));
  return [
    {
      name: 'signatures with a key pair',
      run: async () => {
        const { signFile, verifyFile } = await withKeys();
        const files = releaseFiles();
        for (const file of files) {
          await signFile(file);
          await verifyFile(file);
        }
        return `${files.length} files`;
      },
    },
    {
      name: 'a package with one more byte is refused',
      run: async () => {
        const { verifyFile } = await withKeys();
        const [file] = packages();
        const tampered = join(FOLDER, 'tampered.tgz');
        copyFileSync(file, tampered);
        appendFileSync(tampered, '!');
        await expectRefusal(() => verifyFile(tampered, bundleOf(file)), 'The tampered package');
        rmSync(tampered);
      },
    },
    {
      name: 'signed image in a registry',
      run: async () => {
        if (builder.why !== undefined) throw new SkippedStep(builder.why);
        return signImage(builder, await withKeys());
      },
    },
    {
      name: 'keyless signatures, provenance, publishing',
      run: async () => {
        keys?.remove();
        throw new SkippedStep('only .github/workflows/release.yml has an identity that others can verify');
      },
    },
  ];
}

async function signImage({ crane, registry }, { signImage: sign, verifyImage }) {
  const file = join(FOLDER, `sinebar-${version()}.tar`);
  requireFile(file, 'there is no image');
  const name = `${registry}/sinebar`;
  await runOrFail([crane, 'push', file, `${name}:${version()}`]);
  await runOrFail([crane, 'mutate', '--label', 'changed=yes', `${name}:${version()}`, '--tag', `${name}:changed`]);
  const digestOf = async (tag) => `${name}@${(await runOrFail([crane, 'digest', `${name}:${tag}`])).trim()}`;
  const [image, changed] = [await digestOf(version()), await digestOf('changed')];
  await sign(image);
  await verifyImage(image);
  await expectRefusal(() => verifyImage(changed), 'The changed image');
  return 'verified; a changed image is refused';
}

async function expectRefusal(verify, what) {
  const isRefused = await verify().then(
    () => false,
    (error) => error instanceof ScriptError,
  );
  if (!isRefused) throw new ScriptError(`${what} was accepted.`);
}

async function tool(name) {
  const path = await findTool(name);
  if (path === undefined) throw new SkippedStep(`no ${name}; node scripts/launch.mjs scripts/release/tools.mjs ${name} builds it`);
  return path;
}

function packages() {
  return [`sinebar-${version()}.tgz`, `sinebar-client-${version()}.tgz`].map((name) => join(FOLDER, name));
}

/** The files that people fetch. */
function releaseFiles() {
  return globSync(`sinebar-*${version()}*.{tgz,yml,yaml,tar}`, { cwd: FOLDER }).map((name) => join(FOLDER, name));
}

function requireFile(file, why) {
  if (!existsSync(file)) throw new SkippedStep(why);
}
