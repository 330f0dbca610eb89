import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { describeUnless } from '@sinebar/testing';
import { chartArgs, NO_HELM } from '@sinebar/testing/kubernetes';
import { ROOT, type KubernetesObject } from './kubernetes-objects.fixture.ts';
import { startRegistry } from './oci-registry.fixture.ts';
import { findChartRenderer, findHelm } from './rendered-chart.fixture.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
/** Not literal, since the script has no types. */
const script: string = '../../../scripts/release/chart.mjs';
const { packChart } = (await import(script)) as { packChart: (folder: string) => Promise<string[]> };

const helm = (await findHelm()) ?? '';
const render = await findChartRenderer();

describeUnless(helm === '' ? NO_HELM : undefined, 'the chart of a release', () => {
  let folder: string;
  let files: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-chart-'));
    files = await packChart(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs helm with caches of its own. */
  async function run(...args: string[]): Promise<string> {
    const env = { ...process.env, HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'settings') };
    return (await promisify(execFile)(helm, args, { env, maxBuffer: 2 ** 24 })).stdout;
  }
  const objectsOf = (text: string) => parseAllDocuments(text).flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);

  it('has a package and manifests with the version in their names', () => {
    expect(files.map((file) => basename(file))).toEqual([
      `sinebar-chart-${version}.tgz`,
      `sinebar-${version}-trial.yaml`,
      `sinebar-${version}-production.yaml`,
      `sinebar-${version}-production-proxy.yaml`,
    ]);
  });

  it.each(['trial', 'production', 'production-proxy'])('has manifests of %s that need no Helm', (form) => {
    const text = readFileSync(join(folder, `sinebar-${version}-${form}.yaml`), 'utf8');
    expect(objectsOf(text)).toEqual(render?.(form, form === 'trial' ? { set: ['createNamespace=true'] } : {}));
    // What only Helm would do.
    expect(text).not.toMatch(/helm\.sh\/hook/);
    const withoutNamespace = objectsOf(text).filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === undefined);
    expect(withoutNamespace).toEqual([]);
    expect(objectsOf(text).some(({ kind }) => kind === 'Namespace')).toBe(form === 'trial');
  });

  it('is installed from a registry to which it was pushed', async () => {
    const registry = await startRegistry();
    try {
      await run('push', files[0] ?? '', `oci://${registry.address}/charts`, '--plain-http');
      const chart = [`oci://${registry.address}/charts/sinebar`, '--version', version, '--plain-http'];
      const text = await run('template', 'sinebar', ...chart, '--namespace', 'sinebar', ...chartArgs('production-proxy'));
      expect(objectsOf(text)).toEqual(render?.('production-proxy'));
    } finally {
      await registry.stop();
    }
  });
});
