import { find, type KubernetesObject } from './cluster-objects.ts';

interface StatefulSetSpec {
  serviceName: string;
  replicas?: number;
  podManagementPolicy?: string;
  template: { spec: { containers: { command?: string[]; args?: string[]; env: object[] }[] } };
}

interface ServiceSpec {
  clusterIP?: string;
  publishNotReadyAddresses?: boolean;
  selector: Record<string, string>;
  ports: { port: number }[];
}

const NATS_SERVERS = ['nats-0', 'nats-1', 'nats-2'];

function statefulSet(
  objects: readonly KubernetesObject[],
  name: string,
): { spec: StatefulSetSpec; container: StatefulSetSpec['template']['spec']['containers'][0] } {
  const spec = find(objects, 'StatefulSet', name).spec as unknown as StatefulSetSpec;
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error(`the StatefulSet ${name} has no container`);
  return { spec, container };
}

/** Servers that wait for each other find their addresses before they are ready. */
const withNamesOfPods = { clusterIP: 'None', publishNotReadyAddresses: true };

function removePolicy(objects: KubernetesObject[], name: string): void {
  objects.splice(objects.indexOf(find(objects, 'NetworkPolicy', name)), 1);
}

/** Makes the NATS server of the trial a cluster of three, with three copies of the event stream. */
export function replicateNats(objects: KubernetesObject[]): void {
  const { spec, container } = statefulSet(objects, 'nats');
  Object.assign(spec, { replicas: NATS_SERVERS.length, podManagementPolicy: 'Parallel' });
  const routes = NATS_SERVERS.map((name) => `nats://${name}.nats:6222`).join(',');
  container.env.push({ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } });
  container.command = [
    ...(container.command ?? []),
    ...['--name', '$(POD_NAME)', '--cluster_name', 'sinebar', '--cluster', 'nats://0.0.0.0:6222', '--routes', routes],
  ];
  Object.assign(find(objects, 'Service', 'nats').spec as unknown as ServiceSpec, withNamesOfPods);
  removePolicy(objects, 'nats');
  const addresses = NATS_SERVERS.map((name) => `nats://${name}.nats:4222`).join(',');
  for (const { kind, stringData } of objects) if (kind === 'Secret' && stringData?.['NATS_URL']) stringData['NATS_URL'] = addresses;
  const settings = find(objects, 'ConfigMap', 'sinebar');
  settings.data = { ...settings.data, SINEBAR_NATS_REPLICAS: String(NATS_SERVERS.length) };
}

/** Makes the S3 store of the trial a cluster of four servers with erasure coding, of which one may fail. */
export function replicateS3(objects: KubernetesObject[]): void {
  const { spec, container } = statefulSet(objects, 's3');
  Object.assign(spec, { replicas: 4, podManagementPolicy: 'Parallel', serviceName: 's3-servers' });
  container.args = ['server', 'http://s3-{0...3}.s3-servers:9000/data'];
  // Admits folders on the disk of the system, which all pods of a test share.
  container.env.push({ name: 'MINIO_CI_CD', value: 'on' });
  const service = find(objects, 'Service', 's3');
  objects.push({
    ...service,
    metadata: { ...service.metadata, name: 's3-servers' },
    spec: { ...service.spec, ...withNamesOfPods },
  });
  removePolicy(objects, 's3');
}
