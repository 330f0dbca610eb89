import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
export interface KubernetesObject {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  spec?: unknown;
  data?: Labels;
  stringData?: Labels;
}
export type Labels = Record<string, string>;

interface HttpProbe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold?: number;
}

interface KeyRef {
  name: string;
  key: string;
  optional?: boolean;
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: KeyRef; configMapKeyRef?: KeyRef } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name?: string; containerPort: number }[];
  startupProbe?: HttpProbe;
  readinessProbe?: HttpProbe;
  livenessProbe?: HttpProbe;
  resources: { requests: Labels; limits: Labels };
  securityContext?: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
}

export interface Volume {
  name: string;
  emptyDir?: { sizeLimit?: string; medium?: string };
  configMap?: { name: string; optional?: boolean };
  secret?: { secretName: string; optional?: boolean };
}

export interface Pod {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  securityContext: { runAsUser: number; runAsGroup: number; fsGroup: number } & Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  enableServiceLinks?: boolean;
  automountServiceAccountToken?: boolean;
  topologySpreadConstraints?: { topologyKey: string }[];
}

export interface Workload {
  kind: string;
  /** Name of the Deployment or StatefulSet; that of a Job without its version. */
  name: string;
  labels: Labels;
  annotations: Labels;
  pod: Pod;
  /** The main container, not an init container. */
  container: Container;
}

export function workloadsOf(objects: readonly KubernetesObject[]): Workload[] {
  return objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ kind, metadata, spec }) => {
      const { template } = spec as { template: { metadata: { labels: Labels; annotations?: Labels }; spec: Pod } };
      const [container] = template.spec.containers;
      if (container === undefined) throw new Error(`${metadata.name} has no container`);
      const { labels, annotations = {} } = template.metadata;
      // The name of a Job has the version and a checksum.
      return { kind, name: labels['app.kubernetes.io/name'] ?? metadata.name, labels, annotations, pod: template.spec, container };
    });
}

/** Whether the product is in the image, and not a store or the proxy. */
export function isOurImage(image: string): boolean {
  return image.startsWith('sinebar:');
}

/** Returns variables that the image sets itself in the Dockerfile. */
function imageEnvironment(): Labels {
  const dockerfile = readFileSync(join(ROOT, 'infra/docker/Dockerfile'), 'utf8').replace(/\\\n/g, ' ');
  const stage = dockerfile.split(/^FROM /m).at(-1) ?? '';
  const pairs = [...stage.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.trim().split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Secrets by name, then by key. */
export type Secrets = Record<string, Labels>;

export function secretsOf(objects: readonly KubernetesObject[]): Secrets {
  return Object.fromEntries(
    objects.filter(({ kind }) => kind === 'Secret').map(({ metadata, stringData = {} }) => [metadata.name, stringData]),
  );
}

/**
 * Returns the environment of the process in the container.
 * @throws when a ConfigMap, a Secret or a key of it does not exist: the container would not start
 */
export function environmentOf(container: Container, objects: readonly KubernetesObject[], secrets: Secrets): Labels {
  const environment: Labels = isOurImage(container.image) ? imageEnvironment() : {};
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const name = configMapRef?.name ?? secretRef?.name ?? '';
    const configMap = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name);
    const found = secretRef === undefined ? configMap?.data : secrets[name];
    if (found === undefined) throw new Error(`there is no ConfigMap or Secret ${name}`);
    Object.assign(environment, found);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    const configMap = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapKeyRef?.name);
    const found = secretKeyRef ? secrets[secretKeyRef.name]?.[secretKeyRef.key] : configMap?.data?.[configMapKeyRef?.key ?? ''];
    const text = valueFrom === undefined ? value : found;
    if (text === undefined && (secretKeyRef ?? configMapKeyRef)?.optional) continue;
    if (text === undefined) throw new Error(`${name} has no value: ${JSON.stringify(valueFrom)}`);
    environment[name] = text.replace(/\$\((\w+)\)/g, (_, other: string) => environment[other] ?? '');
  }
  return environment;
}

/** Secrets that operators create, as docs/kubernetes.md explains. */
export const OPERATORS_SECRETS: Secrets = {
  'sinebar-inspection-credentials': {
    DATABASE_URL: 'postgres://sinebar_inspection@db.example.com:5432/sinebar',
    DATABASE_PASSWORD: 'word',
    NATS_URL: 'nats://sinebar_inspection:word@nats.example.com:4222',
  },
  'sinebar-raw-data-credentials': {
    DATABASE_URL: 'postgres://sinebar_raw_data:word@db.example.com:5432/sinebar',
    NATS_URL: 'nats://nats.example.com:4222',
    NATS_USER: 'sinebar_raw_data',
    NATS_PASSWORD: 'word',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'word',
  },
  'sinebar-events-credentials': { NATS_URL: 'nats://sinebar_events:word@nats.example.com:4222' },
};
