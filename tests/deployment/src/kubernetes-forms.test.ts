import { expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routeFor, ROUTING } from '@sinebar/distributed';
import { stringify } from 'yaml';
import { describeUnless, noteSkip } from '@sinebar/testing';
import { CHART, CHART_FORMS, NO_HELM } from '@sinebar/testing/kubernetes';
import { ingressesOf, ingressRouteFor } from './ingress-routing.fixture.ts';
import { adaptToCluster, resolvedServers } from './proxy-start.fixture.ts';
import { ROOT, workloadsOf, type KubernetesObject, type Labels } from './kubernetes-objects.fixture.ts';
import { findKustomize, NO_KUSTOMIZE } from './kustomize.fixture.ts';
import { findChartRenderer, PLANTS_PROXY, renderForms } from './rendered-chart.fixture.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const render = await findChartRenderer();
const kustomize = await findKustomize();
if (kustomize === undefined) noteSkip(NO_KUSTOMIZE, 'the manifests changed by kustomize');

const millicoresOf = (cpu: string) => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);
const mebibytesOf = (memory: string) => Number(memory.slice(0, -2)) * (memory.endsWith('Gi') ? 1024 : 1);

describeUnless(render === undefined ? NO_HELM : undefined, 'Kubernetes', () => {
  const forms = render === undefined ? {} : renderForms(render);
  const workloadNames = (form: string) =>
    workloadsOf(forms[form] ?? [])
      .map(({ name }) => name)
      .sort();

  it('has values for everything, for each service alone and for a trial', () => {
    const everything = ['events', 'inspection', 'migrate-inspection', 'migrate-raw-data', 'raw-data'];
    const trial = [...everything, 'nats', 'postgres', 'prepare-inspection', 'prepare-raw-data', 'prepare-s3', 'proxy', 's3'].sort();
    expect(Object.fromEntries(Object.keys(CHART_FORMS).map((name) => [name, workloadNames(name)]))).toEqual({
      production: everything,
      'production-proxy': [...everything, 'proxy'].sort(),
      'plant-north': everything,
      'plant-south': everything,
      [PLANTS_PROXY]: ['proxy'],
      'inspection-only': ['inspection', 'migrate-inspection'],
      'raw-data-only': ['migrate-raw-data', 'raw-data'],
      'events-only': ['events'],
      trial,
      'trial-without-volumes': trial,
    });
  });

  // The pods of kind itself ask for 0.95 of two cores, and an update adds a pod to each Deployment.
  it('has a trial that fits a node of two cores and 4 GiB, also while it is updated', () => {
    const pods = workloadsOf(forms['trial'] ?? []);
    const updated = pods.filter(({ kind }) => kind === 'Deployment');
    const requests = [...pods, ...updated].map(({ container }) => container.resources?.requests ?? {});
    expect(requests.reduce((sum, { cpu = '' }) => sum + millicoresOf(cpu), 0)).toBeLessThanOrEqual(800);
    expect(requests.reduce((sum, { memory = '' }) => sum + mebibytesOf(memory), 0)).toBeLessThanOrEqual(2048);
  });

  it('opens the ports of mail and webhooks for the inspection service alone, and only those that are named', () => {
    const opened = (set: readonly string[]) =>
      (render?.('production', { set }) ?? [])
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .flatMap(({ metadata, spec }) =>
          ((spec as { egress?: { to?: object[]; ports?: { port: number | string }[] }[] }).egress ?? [])
            // Receivers are anywhere, so the rule names no peers.
            .filter(({ to, ports }) => to === undefined && ports?.every(({ port }) => port !== 53))
            .map(({ ports = [] }) => `${metadata.name}: ${ports.map(({ port }) => port).join(' ')}`),
        );
    const closed = opened([]);
    expect(closed.filter((rule) => /587|465/.test(rule))).toEqual([]);
    expect(opened(['networkPolicies.messagePorts={587,443}'])).toEqual(expect.arrayContaining([...closed, 'inspection: 587 443']));
    expect(opened(['networkPolicies.messagePorts={587,443}'])).toHaveLength(closed.length + 1);
  });

  it('has a trial for clusters without a storage class, whose stores claim no volumes', () => {
    const stores = (form: string) => (forms[form] ?? []).filter(({ kind }) => kind === 'StatefulSet');
    for (const { spec } of stores('trial')) expect(spec).toHaveProperty(['volumeClaimTemplates']);
    for (const { spec } of stores('trial-without-volumes')) expect(spec).not.toHaveProperty(['volumeClaimTemplates']);
    for (const { kind, pod } of workloadsOf(forms['trial-without-volumes'] ?? []))
      if (kind === 'StatefulSet') expect(pod.volumes?.find(({ name }) => name === 'data')?.emptyDir).toBeDefined();
  });

  it('has a form for each file of values', () => {
    const used = new Set(Object.values(CHART_FORMS).flatMap(({ values }) => values));
    expect(readdirSync(join(CHART, 'values')).sort()).toEqual([...used].map((name) => `${name}.yaml`).sort());
  });

  it('is given a storage class as docs/kubernetes.md says', () => {
    const [option = ''] = /--set stores\.storageClass=\S+(?=`)/.exec(read('docs/kubernetes.md')) ?? [];
    const objects = render?.('trial', { set: [option.replace('--set ', '')] }) ?? [];
    const stores = objects.filter(({ kind }) => kind === 'StatefulSet');
    expect(stores).toHaveLength(3);
    for (const { spec } of stores)
      expect(spec).toMatchObject({ volumeClaimTemplates: [{ spec: { storageClassName: 'local-path', accessModes: ['ReadWriteOnce'] } }] });
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
  it.each(['production', 'inspection-only', 'raw-data-only', 'events-only'])('routes addresses in %s as the proxy does [D1.1]', (form) => {
    const objects = forms[form] ?? [];
    const deployed = workloadNames(form);
    for (const address of [...addresses, '/', '/dataServiceRest/parts', '/HealthServiceRest/READY/?x=1']) {
      const wanted = routeFor(address);
      const there = wanted && deployed.includes(wanted.rule.service) ? { service: wanted.rule.service, target: wanted.target } : undefined;
      const found = ingressRouteFor(address, objects);
      // Addresses are matched without regard to case; the rewritten one keeps the letters of the client.
      const inOneCase = (route: { service: string; target: string } | undefined) =>
        route && { ...route, target: route.target.toLowerCase().replace(/\/(?=\?|$)/, '') };
      expect([address, inOneCase(found)]).toEqual([address, inOneCase(there)]);
    }
  });

  it('passes uploads and sockets through the Ingress, and polling clients to one gateway', () => {
    for (const { name, spec, annotation } of ingressesOf(forms['production'] ?? [])) {
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
    const rules = (forms['trial'] ?? []).flatMap(({ kind, spec }) =>
      kind === 'NetworkPolicy' ? ((spec as { egress?: { to?: object[] }[] }).egress ?? []) : [],
    );
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ to }) => to === undefined)).toEqual([]);
  });

  /** Blocks of YAML in docs/kubernetes.md. */
  const documented = [...read('docs/kubernetes.md').matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const documentedWith = (words: string) => documented.find((text) => text.includes(words)) ?? '';

  function withFiles(files: Labels, use: (folder: string) => KubernetesObject[]): KubernetesObject[] {
    const folder = mkdtempSync(join(tmpdir(), 'sinebar-manifests-'));
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return use(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('is changed by values as docs/kubernetes.md shows them', () => {
    const files = { 'values.yaml': documentedWith('image: { repository: registry.example.com/sinebar') };
    expectChanged(withFiles(files, (folder) => render?.('production', { files: [join(folder, 'values.yaml')] }) ?? []));
  });

  (kustomize === undefined ? it.skip : it)('is changed by a kustomization of its manifests as docs/kubernetes.md shows it', () => {
    const files = {
      'kustomization.yaml': documentedWith('resources: [sinebar-0.1.0-production.yaml]'),
      'access-policy.yaml': documentedWith('metadata: { name: sinebar-access-policy'),
      'sinebar-0.1.0-production.yaml': (forms['production'] ?? []).map((object) => stringify(object)).join('---\n'),
    };
    expectChanged(withFiles(files, (folder) => kustomize?.(folder) ?? []));
  });

  function expectChanged(objects: readonly KubernetesObject[]): void {
    for (const { container } of workloadsOf(objects)) expect(container.image).toMatch(/^registry\.example\.com\/sinebar:\d/);
    for (const { spec } of ingressesOf(objects))
      expect([...spec.rules.map(({ host }) => host), ...(spec.tls ?? []).flatMap(({ hosts }) => hosts)]).toEqual(
        Array(2).fill('plant.example.com'),
      );
    const data = (name: string) => objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data;
    const policyOf = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === 'sinebar-access-policy')?.stringData;
    expect(data('sinebar')).toMatchObject({
      SINEBAR_PUBLIC_URL: 'https://plant.example.com',
      SINEBAR_AUTHENTICATION: 'basic',
      SINEBAR_NATS_REPLICAS: '3',
    });
    expect(data('sinebar-raw-data')).toMatchObject({ S3_ENDPOINT: 'https://s3.plant.example.com', S3_BUCKET: 'quality' });
    expect(policyOf?.['policy.yaml']).toContain('value: quality');
  }

  it('spreads the replicas of a service over zones and nodes', () => {
    for (const { kind, pod } of workloadsOf(forms['production'] ?? []))
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
    const made = adaptToCluster(forms['trial'] ?? [], files, resolvConf);
    for (const [, file = ''] of (made['nginx.conf'] ?? '').matchAll(/^\s*include ([\w.-]+);/gm))
      expect([file, made[file] ?? '']).not.toEqual([file, '']);
    expect(/resolver .*;/.exec(made['nginx.conf'] ?? '')?.[0]).toBe(`resolver ${resolver} valid=5s;`);
    expect(resolvedServers(made['plants.conf'])).toEqual(
      ['inspection', 'raw-data', 'events-replicas'].map((service) => `${service}.lab.svc.cluster.local:8080`),
    );
  });
});
