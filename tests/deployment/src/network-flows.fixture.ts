import { workloadsOf, type KubernetesObject, type Labels, type Workload } from './kubernetes-objects.fixture.ts';

interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number | string; protocol?: string }[];
}

export interface NetworkPolicy {
  podSelector: Selector;
  policyTypes: ('Ingress' | 'Egress')[];
  ingress?: Rule[];
  egress?: Rule[];
}

interface Port {
  name?: string;
  containerPort: number;
}

export function policiesFor({ labels }: Workload, objects: readonly KubernetesObject[]): NetworkPolicy[] {
  return objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as NetworkPolicy)
    .filter(({ podSelector }) => selects(podSelector, labels));
}

/** Returns every flow between pods that the policies of both sides allow, as `from -> to:port`. */
export function flowsBetweenPods(objects: readonly KubernetesObject[]): string[] {
  const workloads = workloadsOf(objects);
  return workloads.flatMap((from) =>
    workloads.flatMap((to) =>
      (to.container.ports ?? [])
        .filter((port) => from !== to && mayLeave(from, to, port, objects) && mayEnter(to, { podSelector: from.labels }, port, objects))
        .map(({ containerPort }) => `${from.name} -> ${to.name}:${containerPort}`),
    ),
  );
}

/** Returns every port that pods of another namespace can reach, as `pod:port`. */
export function flowsFromNamespace(name: string, objects: readonly KubernetesObject[]): string[] {
  const source = { namespaceSelector: { 'kubernetes.io/metadata.name': name } };
  return workloadsOf(objects).flatMap((to) =>
    (to.container.ports ?? [])
      .filter((port) => mayEnter(to, source, port, objects))
      .map(({ containerPort }) => `${to.name}:${containerPort}`),
  );
}

function mayLeave(from: Workload, to: Workload, port: Port, objects: readonly KubernetesObject[]): boolean {
  const policies = policiesFor(from, objects).filter(({ policyTypes }) => policyTypes.includes('Egress'));
  const rules = policies.flatMap(({ egress = [] }) => egress);
  return policies.length === 0 || rules.some((rule) => takes(rule, rule.to, { podSelector: to.labels }, port));
}

/** Labels of the source: the pod in the same namespace, or another namespace. */
type Source = Partial<Record<'podSelector' | 'namespaceSelector', Labels>>;

function mayEnter(to: Workload, source: Source, port: Port, objects: readonly KubernetesObject[]): boolean {
  const policies = policiesFor(to, objects).filter(({ policyTypes }) => policyTypes.includes('Ingress'));
  const rules = policies.flatMap(({ ingress = [] }) => ingress);
  return policies.length === 0 || rules.some((rule) => takes(rule, rule.from, source, port));
}

function takes({ ports }: Rule, peers: readonly Peer[] | undefined, source: Source, port: Port): boolean {
  const isPeer = (['podSelector', 'namespaceSelector'] as const).some((kind) => {
    const labels = source[kind];
    return labels !== undefined && peers?.some((peer) => peer[kind] !== undefined && selects(peer[kind], labels));
  });
  const isPort = ports?.some((allowed) => allowed.port === port.containerPort || allowed.port === port.name);
  return (peers === undefined || isPeer) && isPort !== false;
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`the operator ${operator} is not known here`);
      return values.includes(labels[key] ?? '');
    })
  );
}
