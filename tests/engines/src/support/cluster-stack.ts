import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, sinebarCommand } from '@sinebar/testing';
import { CHART, chartArgs } from '@sinebar/testing/kubernetes';
import { adapt, find, render, withStores, type KubernetesObject } from './cluster-objects.ts';
import { helm } from './helm.ts';
import { kubectl, runProgram } from './kubectl.ts';

/** Tag of the product's image that the cluster has. */
export const VERSION = process.env['SINEBAR_VERSION'] ?? '0.1.0';
/** Tag and folder of an earlier version; default: this one. */
export const PREVIOUS: Pick<StackOptions, 'version' | 'checkout'> = {
  version: process.env['SINEBAR_PREVIOUS_VERSION'] ?? VERSION,
  checkout: process.env['SINEBAR_PREVIOUS_FOLDER'],
};
const START_TIMEOUT_MS = 420_000;

export const ADMINISTRATOR = { name: 'ada', password: 'open sesame' };
export const basic = ({ name, password }: { name: string; password: string }): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

interface StackOptions {
  /** Must begin with `sbkube`. */
  namespace: string;
  /** Form of the chart. */
  form: string;
  /** Further values of the chart, as `--set` takes them. */
  set?: readonly string[];
  /** Services with an address of their own outside of the cluster; default: the proxy. */
  published?: readonly string[];
  /** Namespace whose stores it uses; default: it gets stores of its own. */
  storesIn?: string;
  /** Tag of the product's images; default: that of SINEBAR_VERSION. */
  version?: string;
  /** Folder whose manifests are used; default: this checkout. */
  checkout?: string | undefined;
  /** Changes the rendered objects before they are applied. */
  change?: (objects: KubernetesObject[]) => void;
}

interface PodStatus {
  name: string;
  address: string;
  service: string;
  isReady: boolean;
  isDeleted: boolean;
}

interface PodList {
  items: {
    metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
    status: { phase: string; podIP?: string; conditions?: { type: string; status: string }[] };
  }[];
}

/** A form of the chart in a namespace of its own, with stores where it has none. */
export class ClusterStack {
  readonly namespace: string;
  readonly objects: KubernetesObject[];
  private readonly form: string;
  private readonly published: readonly string[];
  private readonly urls = new Map<string, string>();

  private constructor(
    { namespace, form, published = ['proxy'], version = VERSION, checkout, set, storesIn, change }: StackOptions,
    nodeAddress: string,
  ) {
    if (!namespace.startsWith('sbkube')) throw new Error(`the namespace ${namespace} does not begin with sbkube`);
    this.namespace = namespace;
    this.form = form;
    this.published = published;
    const isTrial = form.startsWith('trial');
    const rendered = render(form, checkout, set);
    this.objects = isTrial ? rendered : withStores(rendered, storesIn, checkout);
    adapt(this.objects, namespace, version);
    const settings = find(this.objects, 'ConfigMap', 'sinebar');
    settings.data = { ...settings.data, SINEBAR_HOSTS: nodeAddress };
    if (!isTrial) this.admitAdministrator();
    for (const name of published) Object.assign(find(this.objects, 'Service', name).spec ?? {}, { type: 'NodePort' });
    change?.(this.objects);
  }

  /**
   * Renders and applies a form of the chart, and waits until it is ready.
   * @throws an error with the state of the pods when it does not become ready in time
   */
  static async up(options: StackOptions): Promise<ClusterStack> {
    const stack = await ClusterStack.create(options);
    await stack.ready();
    return stack;
  }

  /** Renders and applies a form of the chart in a new namespace, and does not wait. */
  static async create(options: StackOptions): Promise<ClusterStack> {
    const nodeAddress = (
      await kubectl(['get', 'nodes', '--output', 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}'])
    ).trim();
    const stack = new ClusterStack(options, nodeAddress);
    await stack.down();
    if (!stack.objects.some(({ kind }) => kind === 'Namespace')) await kubectl(['create', 'namespace', stack.namespace]);
    await kubectl(['apply', '--filename', '-'], { input: stack.textOf(stack.objects) });
    await kubectl(['label', 'namespace', stack.namespace, '--overwrite', 'pod-security.kubernetes.io/enforce=restricted']);
    for (const name of stack.published) {
      const port = await stack.kubectl(['get', 'service', name, '--output', 'jsonpath={.spec.ports[0].nodePort}']);
      stack.urls.set(name, `http://${nodeAddress}:${port}`);
    }
    return stack;
  }

  /** Address of a published service, as clients outside of the cluster use it. */
  url(service = 'proxy'): string {
    const url = this.urls.get(service);
    if (url === undefined) throw new Error(`${service} is not published`);
    return url;
  }

  kubectl(args: readonly string[], options: { input?: string; timeoutMs?: number } = {}): Promise<string> {
    return kubectl(['--namespace', this.namespace, ...args], options);
  }

  async apply(objects: readonly KubernetesObject[]): Promise<void> {
    await this.kubectl(['apply', '--filename', '-'], { input: this.textOf(objects) });
  }

  /**
   * Installs the chart of this checkout over the objects of the stack, which helm takes over as docs/upgrade.md says, and waits until all
   * pods are replaced.
   * @param values beside those that the stack was started with
   */
  async upgradeByHelm(values: object): Promise<void> {
    const small = { resources: { requests: { cpu: '10m' } } };
    const own = {
      image: { tag: VERSION },
      settings: { SINEBAR_HOSTS: find(this.objects, 'ConfigMap', 'sinebar').data?.['SINEBAR_HOSTS'] },
      s3Settings: { S3_ENDPOINT: find(this.objects, 'ConfigMap', 'sinebar-raw-data').data?.['S3_ENDPOINT'] },
      accessPolicy: find(this.objects, 'Secret', 'sinebar-access-policy').stringData?.['policy.yaml'],
      ...Object.fromEntries(['inspection', 'raw-data', 'events', 'jobs'].map((name) => [name, small])),
      proxy: { serviceType: 'NodePort', ...small },
    };
    const folder = mkdtempSync(join(tmpdir(), 'sinebar-values-'));
    try {
      const files = [own, values].map((content, i) => {
        const file = join(folder, `${i}.yaml`);
        writeFileSync(file, JSON.stringify(content));
        return file;
      });
      const manager = ['--server-side', '--force-conflicts', '--field-manager=helm'];
      await this.kubectl(['apply', ...manager, '--filename', '-'], { input: this.textOf(this.objects) });
      const options = ['--install', '--take-ownership', '--wait', '--wait-for-jobs', '--timeout', '8m'];
      const args = ['upgrade', 'sinebar', CHART, '--namespace', this.namespace, ...chartArgs(this.form, { files }), ...options];
      await runProgram(helm(), args, { timeoutMs: 500_000 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Runs a command in a pod of the service. */
  exec(service: string, command: readonly string[], input = ''): Promise<string> {
    const kind = ['postgres', 'nats', 's3'].includes(service) ? 'statefulset' : 'deployment';
    return this.kubectl(['exec', '--stdin', `${kind}/${service}`, '--', ...command], { input });
  }

  /** Waits until Jobs are complete and each Deployment has all replicas that it asks for. */
  async ready(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    const left = () => Math.max(1, Math.round((deadline - Date.now()) / 1000));
    const wait = (args: readonly string[]) => this.kubectl([...args, `--timeout=${left()}s`], { timeoutMs: START_TIMEOUT_MS + 10_000 });
    try {
      if (this.objects.some(({ kind }) => kind === 'Job')) await wait(['wait', '--for=condition=Complete', 'job', '--all']);
      // An autoscaler without metrics still ensures its minimum.
      for (const { metadata, spec } of this.objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler'))
        await eventually(
          async () =>
            Number(await this.kubectl(['get', 'deployment', metadata.name, '--output', 'jsonpath={.spec.replicas}'])) >=
            Number(spec?.['minReplicas']),
          { timeoutMs: left() * 1000, intervalMs: 1000, describe: `the autoscaler of ${metadata.name} ensures its minimum` },
        );
      for (const { metadata } of this.objects.filter(({ kind }) => kind === 'Deployment'))
        await wait(['rollout', 'status', `deployment/${metadata.name}`]);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await this.state()}`, { cause: error });
    }
  }

  /** Replaces the pods of a deployment one after the other, and waits until that is done. */
  async restart(deployment: string): Promise<void> {
    await this.kubectl(['rollout', 'restart', `deployment/${deployment}`]);
    await this.kubectl(['rollout', 'status', `deployment/${deployment}`, '--timeout=300s'], { timeoutMs: 310_000 });
    await this.waitUntilRemoved(deployment);
  }

  /** The pods of a service, without those that have ended. */
  async pods(service: string): Promise<PodStatus[]> {
    const text = await this.kubectl(['get', 'pods', '--selector', `app.kubernetes.io/name=${service}`, '--output', 'json']);
    return (JSON.parse(text) as PodList).items
      .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
      .map(({ metadata, status }) => ({
        name: metadata.name,
        address: status.podIP ?? '',
        service,
        isReady: status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false,
        isDeleted: metadata.deletionTimestamp !== undefined,
      }));
  }

  /** Metrics of each ready pod of a service, by the name of the pod. */
  async metrics(service: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const { name } of (await this.pods(service)).filter(({ isReady, isDeleted }) => isReady && !isDeleted))
      found.set(name, await kubectl(['get', '--raw', `/api/v1/namespaces/${this.namespace}/pods/${name}:9464/proxy/metrics`]));
    return found;
  }

  /** Waits until all pods of a service that are being deleted have ended. */
  async waitUntilRemoved(service: string): Promise<void> {
    await eventually(async () => !(await this.pods(service)).some(({ isDeleted }) => isDeleted), {
      timeoutMs: 120_000,
      intervalMs: 500,
      describe: `the deleted pods of ${service} end`,
    });
  }

  /** Removes the namespace with all that it holds. */
  async down(): Promise<void> {
    await kubectl(['delete', 'namespace', this.namespace, '--ignore-not-found', '--timeout=180s'], { timeoutMs: 190_000 });
  }

  private textOf(objects: readonly KubernetesObject[]): string {
    return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  }

  private admitAdministrator(): void {
    const policy = find(this.objects, 'Secret', 'sinebar-access-policy');
    const text = policy.stringData?.['policy.yaml'] ?? '';
    policy.stringData = { 'policy.yaml': withUser(text, ADMINISTRATOR.name, hashOf(ADMINISTRATOR.password)) };
  }

  private async state(): Promise<string> {
    const pods = await this.kubectl(['get', 'pods', '--output', 'wide']).catch(String);
    const events = await this.kubectl(['get', 'events', '--field-selector', 'type=Warning', '--sort-by=.lastTimestamp']).catch(String);
    return `${pods}\n${events.split('\n').slice(-30).join('\n')}`;
  }
}

/** Adds an administrator to the access policy as it is delivered, or to one that this function wrote. */
export function withUser(policy: string, name: string, hash: string): string {
  return policy.replace(/^users:.*$/m, (line) => `${line.replace(' {}', '')}\n  ${name}: { password: '${hash}', roles: [administrator] }`);
}

function hashOf(password: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, sinebarCommand('access', 'hash'), {
    input: `${password}\n`,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`no hash of the password: ${stderr}`);
  return stdout.trim();
}
