import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { renderChart } from '@sinebar/testing/kubernetes';
import { parseAllDocuments } from 'yaml';
import { helm } from './helm.ts';

interface Container {
  image: string;
  command?: string[];
  env?: { name: string; value?: string }[];
  resources: { requests: Record<string, string> };
}

interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

function isOf(kind: string, name: string): (object: KubernetesObject) => boolean {
  return (object) => object.kind === kind && nameOf(object) === name;
}

/** Name of an object; that of a Job without version and checksum. */
function nameOf({ kind, metadata }: KubernetesObject): string {
  return (kind === 'Job' ? metadata.labels?.['app.kubernetes.io/name'] : undefined) ?? metadata.name;
}

/** @throws when the objects lack it */
export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find(isOf(kind, name));
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

/** Returns the pod of an object, or of the Jobs that it makes. */
function podSpecOf({ spec = {} }: KubernetesObject): PodSpec | undefined {
  const { jobTemplate, template } = spec as { template?: { spec: PodSpec }; jobTemplate?: KubernetesObject };
  return jobTemplate === undefined ? template?.spec : podSpecOf(jobTemplate);
}

/**
 * Renders a form of the chart.
 * @param checkout folder of an earlier version, which may have overlays of kustomize in place of the chart; default: this one
 * @param set values as `--set` takes them, which overlays do not have
 */
export function render(form: string, checkout?: string, set: readonly string[] = []): KubernetesObject[] {
  const overlays = checkout === undefined ? undefined : join(checkout, 'infra/kubernetes/overlays');
  if (overlays === undefined || !existsSync(overlays))
    return renderChart(helm(), form, {
      set,
      ...(checkout !== undefined && { chart: join(checkout, 'infra/chart') }),
    }) as KubernetesObject[];
  const folder = join(overlays, form.replace('trial', 'demo'));
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (status !== 0) throw new Error(`${folder} cannot be rendered: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
}

/**
 * Adds what an operator brings: stores with a user for each service, and the Secrets with their credentials.
 * They are those of the trial. The given objects stay as they are.
 * @param storesIn namespace that has the stores already
 * @param checkout folder of the version that the objects have; default: this one
 */
export function withStores(objects: readonly KubernetesObject[], storesIn?: string, checkout?: string): KubernetesObject[] {
  const all = [...objects];
  for (const object of render('trial-without-volumes', checkout)) {
    const { kind, metadata } = object;
    const component = metadata.labels?.['app.kubernetes.io/component'] ?? '';
    const isOfStores = ['store', 'preparation'].includes(component) || (kind === 'ConfigMap' && !metadata.name.startsWith('proxy-'));
    const isNeeded = kind === 'Secret' || (isOfStores && storesIn === undefined);
    if (isNeeded && !all.some(isOf(kind, nameOf(object)))) all.push(object);
  }
  for (const map of all.filter(isOf('ConfigMap', 'sinebar-raw-data'))) map.data = { ...map.data, S3_ENDPOINT: 'http://s3:9000' };
  if (storesIn !== undefined)
    for (const { data = {}, stringData = {} } of all)
      for (const values of [data, stringData])
        for (const [key, value] of Object.entries(values))
          values[key] = value.replace(/(?<=[@/])(postgres|nats|s3)(?=:\d)/g, `$1.${storesIn}`);
  return all;
}

/** Moves the objects to a namespace, uses a version of the product's image, and asks for little of the processor. */
export function adapt(objects: readonly KubernetesObject[], namespace: string, version: string): void {
  for (const object of objects) {
    if (object.kind === 'Namespace') object.metadata.name = namespace;
    else object.metadata.namespace = namespace;
    const pod = podSpecOf(object);
    for (const container of [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])]) {
      // An earlier version has an image for each service.
      container.image = container.image.replace(/^(sinebar(?:\/[\w-]+)?):.*$/, `$1:${version}`);
      // All replicas of a test share the processors of one machine.
      container.resources.requests['cpu'] = '10m';
    }
  }
}
