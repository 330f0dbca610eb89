import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeUnless } from '@sinebar/testing';
import { NO_HELM } from '@sinebar/testing/kubernetes';
import { ingressesOf } from './ingress-routing.fixture.ts';
import { flowsBetweenPods } from './network-flows.fixture.ts';
import { adaptToCluster, resolvedServers } from './proxy-start.fixture.ts';
import { environmentOf, OPERATORS_SECRETS, ROOT, workloadsOf, type KubernetesObject } from './kubernetes-objects.fixture.ts';
import { findChartRenderer, PLANTS_PROXY } from './rendered-chart.fixture.ts';

const PLANTS = ['north', 'south'];

const render = await findChartRenderer();

describeUnless(render === undefined ? NO_HELM : undefined, 'several plants in Kubernetes', () => {
  const plants = Object.fromEntries(PLANTS.map((plant) => [plant, render?.(`plant-${plant}`) ?? []]));
  const proxy = render?.(PLANTS_PROXY) ?? [];
  const findIn = (objects: readonly KubernetesObject[], wanted: string, name: string) =>
    objects.find(({ kind, metadata }) => kind === wanted && metadata.name.startsWith(name));

  it.each(PLANTS)('name the plant %s to its services and jobs', (plant) => {
    const objects = plants[plant] ?? [];
    const named = workloadsOf(objects).map(({ name, container }) => {
      const environment = environmentOf(container, objects, OPERATORS_SECRETS);
      return [name, environment['SINEBAR_PLANT']];
    });
    expect(named).toEqual(workloadsOf(objects).map(({ name }) => [name, plant]));
    expect(findIn(objects, 'ConfigMap', 'sinebar')?.data?.['SINEBAR_PUBLIC_URL']).toBe(`https://quality.example.com/${plant}`);
  });

  it('have one Ingress, to the proxy', () => {
    expect(PLANTS.flatMap((plant) => ingressesOf(plants[plant] ?? []))).toEqual([]);
    const paths = ingressesOf(proxy).flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths));
    expect(paths.map(({ path, backend }) => [path, backend.service.name])).toEqual([['/', 'proxy']]);
  });

  it('let the proxy reach the services of the plants in their namespaces', () => {
    const policy = findIn(proxy, 'NetworkPolicy', 'proxy')?.spec as { egress: { to?: { namespaceSelector?: object }[] }[] };
    expect(JSON.stringify(policy.egress[0]?.to)).toContain(JSON.stringify(PLANTS.map((plant) => `sinebar-${plant}`)));
    for (const plant of PLANTS) {
      // A pod of the proxy in front of the plant.
      const flows = flowsBetweenPods([...(plants[plant] ?? []), ...proxy]).filter((flow) => flow.startsWith('proxy'));
      expect(flows.sort()).toEqual(['proxy -> events:8080', 'proxy -> inspection:8080', 'proxy -> raw-data:8080']);
    }
  });

  it('give the proxy the routes of docker-compose.plants.yml with the names of Services', () => {
    const withoutComments = (text = '') => text.replace(/^#.*\n/gm, '');
    const compose = withoutComments(readFileSync(join(ROOT, 'infra/proxy/plants/plants.conf'), 'utf8'));
    const cluster = withoutComments(findIn(proxy, 'ConfigMap', 'proxy-configuration')?.data?.['plants.conf']);
    expect(cluster).toBe(
      compose
        .replace(/server (\w+)-events:/g, 'server events-replicas.sinebar-$1:')
        .replace(/server (\w+)-(inspection|raw-data):/g, 'server $2.sinebar-$1:'),
    );
    for (const [, service, namespace = ''] of cluster.matchAll(/server ([\w-]+)\.([\w-]+):8080/g)) {
      const objects = plants[namespace.replace('sinebar-', '')] ?? [];
      expect([service, findIn(objects, 'Service', service ?? '')?.metadata.namespace]).toEqual([service, namespace]);
    }
  });

  it('give the names of other namespaces the domain of the cluster', () => {
    const files = findIn(proxy, 'ConfigMap', 'proxy-configuration')?.data ?? {};
    const made = adaptToCluster(proxy, files, 'search sinebar.svc.cluster.local svc.cluster.local\nnameserver 10.96.0.10\n');
    expect(resolvedServers(made['plants.conf'])).toEqual(
      PLANTS.flatMap((plant) =>
        ['inspection', 'raw-data', 'events-replicas'].map((name) => `${name}.sinebar-${plant}.svc.cluster.local:8080`),
      ),
    );
  });
});
