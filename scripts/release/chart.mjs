import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../bootstrap.mjs';
import { ScriptError } from '../command.mjs';

const CHART = join(ROOT, 'infra/chart');

/** Manifests of a release: the files of values, the namespace, and values that only manifests have. */
const MANIFESTS = {
  trial: { namespace: 'sinebar-demo', set: ['createNamespace=true'] },
  production: { namespace: 'sinebar', set: [] },
  'production-proxy': { namespace: 'sinebar', set: [] },
};

/**
 * Writes the chart of a release as a package of Helm, and manifests that `kubectl apply` installs without Helm.
 * @param {string} folder where they are written
 * @returns {Promise<string[]>} paths of the files; none, after a line on stderr, where there is no helm and no Go to build it
 */
export async function packChart(folder) {
  const { findProgram, HELM, ProgramMissingError } = await import('../../packages/local-servers/src/index.ts');
  try {
    const helm = await findProgram(HELM, { environment: process.env, onProgress: (line) => console.error(line) });
    return packWith(helm, folder);
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    console.error(`SKIPPED (${error.message}): the chart and the manifests`);
    return [];
  }
}

function packWith(helm, folder) {
  const version = checkedVersion();
  const content = join(folder, 'chart');
  rmSync(content, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  runHelm(helm, ['package', CHART, '--destination', content]);
  const chart = join(folder, `sinebar-chart-${version}.tgz`);
  // The package of npm has the name that helm gives.
  renameSync(join(content, `sinebar-${version}.tgz`), chart);
  rmSync(content, { recursive: true });
  const files = [chart];
  for (const [name, { namespace, set }] of Object.entries(MANIFESTS)) {
    const values = join(CHART, 'values', `${name}.yaml`);
    const options = ['--namespace', namespace, '--values', values, ...set.flatMap((value) => ['--set', value])];
    const text = runHelm(helm, ['template', 'sinebar', chart, ...options]);
    const file = join(folder, `sinebar-${version}-${name}.yaml`);
    writeFileSync(file, `${headOf(basename(file), version, { namespace, values: readFileSync(values, 'utf8') })}${text}`);
    files.push(file);
  }
  return files;
}

/** @returns the version of the workspace @throws {ScriptError} when the chart has another */
function checkedVersion() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  for (const key of ['version', 'appVersion'])
    if (chart[key] !== version)
      throw new ScriptError(`infra/chart/Chart.yaml has the ${key} ${chart[key]}, and package.json ${version}. Write ${version} there.`);
  return version;
}

/** @returns what helm prints, without its warnings */
function runHelm(helm, args) {
  const { status, stdout, stderr } = spawnSync(helm, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (status !== 0) throw new ScriptError(`helm ${args[0]} failed:\n${stderr}`);
  return stdout;
}

function headOf(name, version, { namespace, values }) {
  const about = values.match(/^(?:# .*\n)+/)?.[0] ?? '';
  return `# Sinebar ${version} for Kubernetes, in the namespace ${namespace}: kubectl apply --filename ${name}
# docs/kubernetes.md has what must be there before, and how kustomize changes what differs.
#
${about}`;
}
