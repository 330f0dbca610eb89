import { expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { routeFor, ROUTING } from '@sinebar/distributed';
import { describeUnless } from '@sinebar/testing';
import { ingressesOf, ingressRouteFor } from './ingress-routing.fixture.ts';
import { adaptToCluster, resolvedServers } from './proxy-start.fixture.ts';
import { ROOT, workloadsOf, type KubernetesObject, type Labels } from './kubernetes-objects.fixture.ts';
import { findRenderer, NO_RENDERER, KUBERNETES, OVERLAYS, PLANTS_PROXY, renderOverlays } from './kustomize.fixture.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const render = await findRenderer();

const millicoresOf = (cpu: string) => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);
const mebibytesOf = (memory: string) => Number(memory.slice(0, -2)) * (memory.endsWith('Gi') ? 1024 : 1);

describeUnless(render === undefined ? NO_RENDERER : undefined, 'Kubernetes', () => {
  const overlays = render === undefined ? {} : renderOverlays(render);
  const rendered = (folder: string) => render?.(folder) ?? [];
  const workloadNames = (overlay: string) =>
    workloadsOf(overlays[overlay] ?? [])
      .map(({ name }) => name)
      .sort();

  it('has overlays for everything, for each service alone and for a trial', () => {
    const everything = ['events', 'inspection', 'migrate-inspection', 'migrate-raw-data', 'raw-data'];
    const trial = [...everything, 'nats', 'postgres', 'prepare-inspection', 'prepare-raw-data', 'prepare-s3', 'proxy', 's3'].sort();
    expect(Object.fromEntries(OVERLAYS.map((name) => [name, workloadNames(name)]))).toEqual({
      production: everything,
      'production-proxy': [...everything, 'proxy'].sort(),
      'plant-north': everything,
      'plant-south': everything,
      [PLANTS_PROXY]: ['proxy'],
      'inspection-only': ['inspection', 'migrate-inspection'],
      'raw-data-only': ['migrate-raw-data', 'raw-data'],
      'events-only': ['events'],
      demo: trial,
      'demo-without-volumes': trial,
    });
  });

  // The pods of kind itself ask for 0.95 of two cores, and an update adds a pod to each Deployment.
  it('has a trial that fits a node of two cores and 4 GiB, also while it is updated', () => {
    const pods = workloadsOf(overlays['demo'] ?? []);
    const updated = pods.filter(({ kind }) => kind === 'Deployment');
    const requests = [...pods, ...updated].map(({ container }) => container.resources?.requests ?? {});
    expect(requests.reduce((sum, { cpu = '' }) => sum + millicoresOf(cpu), 0)).toBeLessThanOrEqual(800);
    expect(requests.reduce((sum, { memory = '' }) => sum + mebibytesOf(memory), 0)).toBeLessThanOrEqual(2048);
  });

  it('has a trial for clusters without a storage class, whose stores claim no volumes', () => {
    const stores = (overlay: string) => (overlays[overlay] ?? []).filter(({ kind }) => kind === 'StatefulSet');
    for (const { spec } of stores('demo')) expect(spec).toHaveProperty(['volumeClaimTemplates']);
    for (const { spec } of stores('demo-without-volumes')) expect(spec).not.toHaveProperty(['volumeClaimTemplates']);
    for (const { kind, pod } of workloadsOf(overlays['demo-without-volumes'] ?? []))
      if (kind === 'StatefulSet') expect(pod.volumes?.find(({ name }) => name === 'data')?.emptyDir).toBeDefined();
  });

  it('is given a storage class as docs/kubernetes.md shows it', () => {
    const objects = renderDocumented('overlays/demo', {});
    const stores = objects.filter(({ kind }) => kind === 'StatefulSet');
    expect(stores).toHaveLength(3);
    for (const { spec } of stores)
      expect(spec).toMatchObject({ volumeClaimTemplates: [{ spec: { storageClassName: 'local-path', accessModes: ['ReadWriteOnce'] } }] });
  });

  /** Renders the overlay of docs/kubernetes.md that refers to one of ours, beside the given files. */
  function renderDocumented(ours: string, files: Labels): KubernetesObject[] {
    const pages = [...read('docs/kubernetes.md').matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
    const reference = `../sinebar/infra/kubernetes/${ours}`;
    const own = pages.find((text) => text.includes(`[${reference}]`));
    if (own === undefined) throw new Error(`docs/kubernetes.md has no overlay of ${reference}`);
    const folder = mkdtempSync(join(tmpdir(), 'sinebar-overlay-'));
    try {
      writeFileSync(join(folder, 'kustomization.yaml'), own.replace(reference, relative(realpathSync(folder), join(KUBERNETES, ours))));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return rendered(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it.each(readdirSync(join(KUBERNETES, 'bases')))('has a base %s that works alone', (base) => {
    expect(rendered(join(KUBERNETES, 'bases', base)).length).toBeGreaterThan(0);
  });

  const addresses = ROUTING.flatMap(({ prefix }) => [
    prefix,
    prefix.toUpperCase(),
    `${prefix}/`,
    `${prefix}/some/thing?a=/b`,
    `${prefix}x`,
    `/x${prefix}`,
    prefix.replaceAll('.', 'x'),
  ]);
  it.each(['production', 'inspection-only', 'raw-data-only', 'events-only'])(
    'routes addresses in %s as the proxy does [D1.1]',
    (overlay) => {
      const objects = overlays[overlay] ?? [];
      const deployed = workloadNames(overlay);
      for (const address of [...addresses, '/', '/dataServiceRest/parts', '/HealthServiceRest/READY/?x=1']) {
        const wanted = routeFor(address);
        const there =
          wanted && deployed.includes(wanted.rule.service) ? { service: wanted.rule.service, target: wanted.target } : undefined;
        const found = ingressRouteFor(address, objects);
        // Addresses are matched without regard to case; the rewritten one keeps the letters of the client.
        const inOneCase = (route: { service: string; target: string } | undefined) =>
          route && { ...route, target: route.target.toLowerCase().replace(/\/(?=\?|$)/, '') };
        expect([address, inOneCase(found)]).toEqual([address, inOneCase(there)]);
      }
    },
  );

  it('passes uploads and sockets through the Ingress, and polling clients to one gateway', () => {
    for (const { name, spec, annotation } of ingressesOf(overlays['production'] ?? [])) {
      expect(spec.tls?.flatMap(({ hosts }) => hosts)).toEqual(spec.rules.map(({ host }) => host));
      expect(annotation('proxy-body-size')).toBe('0');
      expect(annotation('proxy-request-buffering')).toBe('off');
      expect(annotation('proxy-buffering')).toBe('off');
      const isEvents = name === 'events';
      expect(annotation('upstream-hash-by')).toBe(isEvents ? '$remote_addr' : undefined);
      for (const timeout of ['proxy-read-timeout', 'proxy-send-timeout'])
        expect(Number(annotation(timeout))).toBeGreaterThanOrEqual(isEvents ? 3600 : 300);
    }
  });

  it('keeps the traffic of the trial inside the cluster', () => {
    const rules = (overlays['demo'] ?? []).flatMap(({ kind, spec }) =>
      kind === 'NetworkPolicy' ? ((spec as { egress?: { to?: object[] }[] }).egress ?? []) : [],
    );
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ to }) => to === undefined)).toEqual([]);
  });

  it('is changed by an overlay as docs/kubernetes.md shows it', () => {
    const [, policy = ''] = /^```yaml\n(apiVersion: v1\nkind: Secret\n.*?)^```$/ms.exec(read('docs/kubernetes.md')) ?? [];
    const objects = renderDocumented('overlays/production', { 'access-policy.yaml': policy });
    for (const { container } of workloadsOf(objects)) expect(container.image).toMatch(/^registry\.example\.com\/sinebar:\d/);
    for (const { spec } of ingressesOf(objects))
      expect([...spec.rules.map(({ host }) => host), ...(spec.tls ?? []).flatMap(({ hosts }) => hosts)]).toEqual(
        Array(2).fill('plant.example.com'),
      );
    const data = (name: string) => objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data;
    const policyOf = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === 'sinebar-access-policy')?.stringData;
    expect(data('sinebar')).toMatchObject({ SINEBAR_PUBLIC_URL: 'https://plant.example.com', SINEBAR_AUTHENTICATION: 'basic' });
    expect(data('sinebar-raw-data')?.['S3_ENDPOINT']).toBe('https://s3.plant.example.com');
    expect(policyOf?.['policy.yaml']).toContain('value: quality');
  });

  it('spreads the replicas of a service over zones and nodes', () => {
    for (const { kind, pod } of workloadsOf(overlays['production'] ?? []))
      if (kind === 'Deployment')
        expect(pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
          'topology.kubernetes.io/zone',
          'kubernetes.io/hostname',
        ]);
  });

  it.each([
    ['nameserver 10.96.0.10', '10.96.0.10'],
    ['nameserver fd00::a\nnameserver fd00::b', '[fd00::a]'],
  ])('gives the proxy the addresses of the cluster (%j)', (nameservers, resolver) => {
    const files = Object.fromEntries(
      ['nginx.conf', 'plants.conf', 'trusted-proxies.conf'].map((file) => [file, read(`infra/proxy/${file}`)]),
    );
    const resolvConf = `search lab.svc.cluster.local svc.cluster.local cluster.local\n${nameservers}\noptions ndots:5\n`;
    const made = adaptToCluster(overlays['demo'] ?? [], files, resolvConf);
    for (const [, file = ''] of (made['nginx.conf'] ?? '').matchAll(/^\s*include ([\w.-]+);/gm))
      expect([file, made[file] ?? '']).not.toEqual([file, '']);
    expect(/resolver .*;/.exec(made['nginx.conf'] ?? '')?.[0]).toBe(`resolver ${resolver} valid=5s;`);
    expect(resolvedServers(made['plants.conf'])).toEqual(
      ['inspection', 'raw-data', 'events-replicas'].map((service) => `${service}.lab.svc.cluster.local:8080`),
    );
  });
});
