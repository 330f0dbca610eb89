import { describe, expect, it } from '@jest/globals';
import { describeUnless } from '@sinebar/testing';
import { NO_HELM } from '@sinebar/testing/kubernetes';
import {
  environmentOf,
  isOurImage,
  OPERATORS_SECRETS,
  secretsOf,
  workloadsOf,
  type KubernetesObject,
  type Workload,
} from './kubernetes-objects.fixture.ts';
import { findChartRenderer, PLANTS_PROXY, renderForms } from './rendered-chart.fixture.ts';

/** Secrets of the administrators of the stores, for the Jobs that create the users of the services and for the stores. */
const ADMINISTRATORS = ['sinebar-database-administrator', 'sinebar-nats-administrator', 'sinebar-s3-administrator'];

const render = await findChartRenderer();
if (render === undefined) {
  describeUnless(NO_HELM, 'credentials in Kubernetes', () => it('needs go', () => undefined));
} else {
  const rendered = Object.entries(renderForms(render)).filter(([name]) => name !== PLANTS_PROXY);
  describe.each(rendered)('credentials in the Kubernetes form %s', (name, objects) => checkCredentials(name, objects));
}

/** Names of the Secrets that the pod uses. */
function secretsUsedBy({ pod }: Workload): string[] {
  const containers = [...pod.containers, ...(pod.initContainers ?? [])];
  const names = [
    ...containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)),
    ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef?.name)),
    ...(pod.volumes ?? []).map(({ secret }) => secret?.secretName),
  ];
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function checkCredentials(form: string, objects: readonly KubernetesObject[]): void {
  const isTrial = form.startsWith('trial');
  const secrets = isTrial ? secretsOf(objects) : OPERATORS_SECRETS;
  const workloads = workloadsOf(objects);
  const ours = workloads.filter(({ container }) => isOurImage(container.image));
  const services = ours.filter(({ kind }) => kind === 'Deployment');

  it('keep the hashes of passwords in a Secret', () => {
    const policies = objects.filter(({ data = {}, stringData = {} }) => 'policy.yaml' in { ...data, ...stringData });
    expect(policies.map(({ kind }) => kind)).toEqual(isTrial ? [] : ['Secret']);
  });

  it.each(ours)('give $name the users of its service only', (workload) => {
    const [, job, service = workload.name] = /^(migrate|prepare)-(.*)$/.exec(workload.name) ?? [];
    const others = { migrate: [], prepare: ['sinebar-database-administrator'] }[job ?? ''] ?? ['sinebar-access-policy'];
    expect(secretsUsedBy(workload)).toEqual([...others, `sinebar-${service}-credentials`]);
  });

  it('give administrators of stores only to the stores and to jobs that create users', () => {
    const using = workloads.filter((workload) => secretsUsedBy(workload).some((name) => ADMINISTRATORS.includes(name)));
    const expected = isTrial ? ['nats', 'postgres', 'prepare-inspection', 'prepare-raw-data', 'prepare-s3', 's3'] : [];
    expect(using.map(({ name }) => name).sort()).toEqual(expected);
  });

  it('use a separate user for each service in each store', () => {
    const usersIn = (variable: string) =>
      services.flatMap(({ container }) => {
        const environment = environmentOf(container, objects, secrets);
        const url = environment[`${variable}_URL`];
        return url === undefined ? [] : [environment[`${variable}_USER`] ?? new URL(url).username];
      });
    for (const variable of ['DATABASE', 'NATS']) expect(new Set(usersIn(variable)).size).toBe(usersIn(variable).length);
    expect([...usersIn('DATABASE'), ...usersIn('NATS')].filter((user) => !/^sinebar_(inspection|raw_data|events)$/.test(user))).toEqual([]);
  });
}
