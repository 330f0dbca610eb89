import { describe, expect, it } from '@jest/globals';
import { authenticationProblems, type AuthenticationSettings } from '@sinebar/authentication';
import { eventsProcessSettings } from '@sinebar/events';
import { inspectionProcessSettings } from '@sinebar/inspection';
import { rawDataProcessSettings } from '@sinebar/raw-data';
import {
  databaseSettings,
  healthRoutes,
  loadSettings,
  longestStopMs,
  roleSettings,
  type ServerSettings,
  type SettingDefinitions,
} from '@sinebar/runtime';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { describeUnless } from '@sinebar/testing';
import { CHART_FORMS, NO_HELM } from '@sinebar/testing/kubernetes';
import { ingressesOf } from './ingress-routing.fixture.ts';
import { flowsBetweenPods, flowsFromNamespace, policiesFor } from './network-flows.fixture.ts';
import {
  environmentOf,
  isOurImage,
  OPERATORS_SECRETS,
  ROOT,
  secretsOf,
  workloadsOf,
  type KubernetesObject,
  type Labels,
  type Workload,
} from './kubernetes-objects.fixture.ts';
import { findChartRenderer, PLANTS_PROXY, renderForms } from './rendered-chart.fixture.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Settings of the service, by the schema that reads them at the start. */
const DEFINITIONS: Record<string, SettingDefinitions> = {
  inspection: inspectionProcessSettings,
  'raw-data': rawDataProcessSettings,
  events: eventsProcessSettings,
  'migrate-inspection': databaseSettings,
  'migrate-raw-data': databaseSettings,
  'prepare-inspection': roleSettings,
  'prepare-raw-data': roleSettings,
};

/** Variables of the image that are no settings. */
const OF_IMAGE = ['NODE_ENV', 'PATH'];

const render = await findChartRenderer();
if (render === undefined) {
  describeUnless(NO_HELM, 'Kubernetes', () => it('needs go', () => undefined));
} else {
  const withServices = Object.entries(renderForms(render)).filter(([name]) => name !== PLANTS_PROXY);
  describe.each(withServices)('Kubernetes form %s', (name, objects) => checkForm(name, objects));
}

const isJob = (name: string) => /^(migrate|prepare)-/.test(name);
const COMMANDS: Labels = { migrate: 'migrate', prepare: 'prepare-role' };

/** Returns the arguments of the image in a workload. */
function argsOf(name: string): string[] {
  const [, job = '', service = name] = /^(migrate|prepare)-(.+)$/.exec(name) ?? [];
  return [COMMANDS[job] ?? 'start', '--services', service];
}

function imagesOfCompose(): Labels {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, { image: string }> };
  const images = Object.values(services).map(({ image }) => image.replace(/\$\{\w+:-([^}]*)\}/g, '$1'));
  return Object.fromEntries(images.map((image) => [image.slice(0, image.lastIndexOf(':')), image.slice(image.lastIndexOf(':') + 1)]));
}

function checkForm(form: string, objects: readonly KubernetesObject[]): void {
  const isTrial = form.startsWith('trial');
  const secrets = isTrial ? secretsOf(objects) : OPERATORS_SECRETS;
  const workloads = workloadsOf(objects);
  const ours = workloads.filter(({ container }) => isOurImage(container.image));
  const services = ours.filter(({ kind }) => kind === 'Deployment');
  const settingsOf = ({ name, container }: Workload) =>
    loadSettings(DEFINITIONS[name] ?? {}, environmentOf(container, objects, secrets)).values as ServerSettings;

  it('runs the images of docker-compose.yml in the same versions', () => {
    const known = imagesOfCompose();
    const images = workloads.flatMap(({ pod }) => [...pod.containers, ...(pod.initContainers ?? [])].map(({ image }) => image));
    expect(images.length).toBeGreaterThan(0);
    for (const image of images) {
      const colon = image.lastIndexOf(':');
      expect(image).toBe(`${image.slice(0, colon)}:${known[image.slice(0, colon)]}`);
    }
  });

  it.each(ours)('gives $name only settings that it knows, and all that it needs', ({ name, container }) => {
    const definitions = DEFINITIONS[name] ?? {};
    const environment = environmentOf(container, objects, secrets);
    const { values } = loadSettings(definitions, environment);
    // A service and its migration use the same image and its variables.
    const foreign = Object.keys(environment).filter((variable) => !(variable in definitions));
    const isOfOthers = (variable: string) => OF_IMAGE.includes(variable) || (isJob(name) && variable.startsWith('SINEBAR_'));
    expect(foreign.filter((variable) => !isOfOthers(variable))).toEqual([]);
    if (!isJob(name)) expect(authenticationProblems(values as AuthenticationSettings)).toEqual([]);
  });

  it('has no readable secret', () => {
    for (const { name, container } of ours) {
      const inline = (container.env ?? []).filter(({ valueFrom }) => valueFrom === undefined).map((variable) => variable.name);
      expect([name, inline.filter((variable) => DEFINITIONS[name]?.[variable]?.secret)]).toEqual([name, []]);
    }
    const configMaps = objects.filter(({ kind }) => kind === 'ConfigMap');
    const readable = configMaps.flatMap(({ data = {} }) => Object.keys(data));
    expect(readable.filter((key) => Object.values(DEFINITIONS).some((definitions) => definitions[key]?.secret))).toEqual([]);
    if (isTrial) return;
    const delivered = objects.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name);
    expect(delivered).toEqual(['sinebar-access-policy']);
    expect(JSON.stringify(objects)).not.toMatch(/:\/\/[^"/@]*:[^"/@]*@/);
    // Names are not generated: the operator chose them.
    if (form === 'production') expect(configMaps.map(({ metadata }) => metadata.name)).toEqual(['sinebar', 'sinebar-raw-data']);
  });

  it.each(ours)('tells the image to run $name', ({ name, container }) => {
    expect(container.args).toEqual(argsOf(name));
  });

  it.each(ours)('runs $name as the user of the image, without further rights', ({ pod, container }) => {
    const [, uid, gid] = /^USER (\d+):(\d+)$/m.exec(read('infra/docker/Dockerfile')) ?? [];
    expect(pod.securityContext).toMatchObject({ runAsUser: Number(uid), runAsGroup: Number(gid), fsGroup: Number(gid) });
    expect(container.command).toBeUndefined();
  });

  it.each(workloads)('gives $name minimal rights', ({ pod }) => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const { securityContext, resources, volumeMounts = [], image } of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
      expect(volumeMounts.length).toBeGreaterThan(0);
      for (const { name } of volumeMounts) {
        const volume = pod.volumes?.find((candidate) => candidate.name === name);
        // The data of a store is in a claim, not in the pod.
        if (volume === undefined) expect([name, isOurImage(image)]).toEqual(['data', false]);
        else if (volume.emptyDir) expect(volume.emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
      }
    }
  });

  it.each(services)('probes $name where it answers, and gives it time [D9]', (workload) => {
    const { container, pod } = workload;
    const settings = settingsOf(workload);
    const health = healthRoutes({ check: () => Promise.resolve([]), peers: [], isStopping: () => false });
    const portOf = (name: string) => container.ports?.find((port) => port.name === name)?.containerPort;
    expect(portOf('http')).toBe(settings.SINEBAR_PORT);
    expect(portOf('management')).toBe(settings.SINEBAR_MANAGEMENT_PORT);
    expect(settings).toMatchObject({ SINEBAR_HOST: '0.0.0.0', SINEBAR_MANAGEMENT_HOST: '0.0.0.0' });
    const { startupProbe, readinessProbe, livenessProbe } = container;
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
      expect(portOf(probe?.httpGet?.port ?? '')).toBe(settings.SINEBAR_PORT);
      expect(health.find(({ method, path }) => method === 'GET' && path === probe?.httpGet?.path)).toMatchObject({ permission: 'open' });
    }
    // An unreachable store makes a pod unready but does not end it.
    expect(readinessProbe?.httpGet?.path).toBe('/healthServiceRest/ready');
    expect(livenessProbe?.httpGet?.path).toBe('/healthServiceRest/live');
    if ('SINEBAR_START_TIMEOUT_S' in settings)
      expect((startupProbe?.failureThreshold ?? 0) * (startupProbe?.periodSeconds ?? 0)).toBeGreaterThan(
        settings.SINEBAR_START_TIMEOUT_S as number,
      );
    // The proxy knows gateways by names, which kubeadm's clusters keep for 30 s and nginx for 5 s.
    expect(settings.SINEBAR_DRAIN_MS).toBeGreaterThanOrEqual(workload.name === 'events' ? 35_000 : 5000);
    expect((pod.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(longestStopMs(settings.SINEBAR_DRAIN_MS));
    expect(workload.annotations).toMatchObject({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(settings.SINEBAR_MANAGEMENT_PORT),
      'prometheus.io/path': '/metrics',
    });
  });

  it.each(services)('lets $name write to its configured folders, and read a policy that changes', (workload) => {
    const { container, pod, name } = workload;
    const settings = settingsOf(workload) as ServerSettings & { SINEBAR_SPOOL_DIR?: string; SINEBAR_ACCESS_POLICY?: string };
    const mountOf = (path: string) => container.volumeMounts?.find(({ mountPath }) => mountPath === path);
    const volumeOf = (path: string) => pod.volumes?.find((volume) => volume.name === mountOf(path)?.name);
    expect(volumeOf('/tmp')?.emptyDir).toBeDefined();
    if (name !== 'events') expect(volumeOf(settings.SINEBAR_SPOOL_DIR ?? '')?.emptyDir?.sizeLimit).toMatch(/^\d+Gi$/);
    expect(mountOf('/etc/sinebar')).toEqual({ name: 'access-policy', mountPath: '/etc/sinebar', readOnly: true });
    if (settings.SINEBAR_ACCESS_POLICY === undefined) return;
    expect(dirname(settings.SINEBAR_ACCESS_POLICY)).toBe('/etc/sinebar');
    const policy = objects.find(
      ({ kind, metadata }) => kind === 'Secret' && metadata.name === volumeOf('/etc/sinebar')?.secret?.secretName,
    );
    expect(policy?.stringData).toHaveProperty(['policy.yaml']);
  });

  it('references only existing objects', () => {
    const find = (kind: string, name: string) => objects.find((object) => object.kind === kind && object.metadata.name === name);
    const selected = (selector: Labels) =>
      workloads.filter(({ labels }) => Object.entries(selector).every(([key, value]) => labels[key] === value));
    for (const { kind, metadata, spec } of objects) {
      expect([kind, metadata.name, metadata.namespace]).toEqual([
        kind,
        metadata.name,
        kind === 'Namespace' ? undefined : CHART_FORMS[form]?.namespace,
      ]);
      if (kind === 'Service') {
        const { selector, ports } = spec as { selector: Labels; ports: { name?: string; port: number; targetPort?: string }[] };
        const [target, ...others] = selected(selector);
        expect([metadata.name, others]).toEqual([metadata.name, []]);
        for (const { port, targetPort } of ports)
          expect(target?.container.ports).toContainEqual(
            expect.objectContaining(targetPort === undefined ? { containerPort: port } : { name: targetPort }),
          );
      }
      if (kind === 'PodDisruptionBudget') {
        const { selector, maxUnavailable } = spec as { selector: { matchLabels: Labels }; maxUnavailable: number };
        expect(selected(selector.matchLabels).map(({ name }) => name)).toEqual([metadata.name]);
        expect([metadata.name, maxUnavailable]).toEqual([metadata.name, 1]);
      }
      if (kind === 'HorizontalPodAutoscaler') {
        const { scaleTargetRef, minReplicas } = spec as { scaleTargetRef: { kind: string; name: string }; minReplicas: number };
        expect(minReplicas).toBeGreaterThanOrEqual(2);
        expect(find(scaleTargetRef.kind, scaleTargetRef.name)?.spec).not.toHaveProperty('replicas');
      }
    }
    for (const { spec } of ingressesOf(objects)) {
      const ports = spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
      for (const { name, port } of ports)
        expect((find('Service', name)?.spec as { ports?: object[] } | undefined)?.ports).toContainEqual(
          expect.objectContaining({ name: port.name }),
        );
    }
    for (const { name } of services) if (!isTrial) expect(find('HorizontalPodAutoscaler', name)).toBeDefined();
  });

  it('applies a policy to every pod, and allows name look-ups except to stores', () => {
    for (const workload of workloads) {
      const policies = policiesFor(workload, objects);
      expect([workload.name, policies.map(({ policyTypes }) => policyTypes)]).toEqual([workload.name, [['Ingress', 'Egress']]]);
      const dns = policies.flatMap(({ egress = [] }) => egress).filter(({ ports }) => ports?.some(({ port }) => port === 53));
      const isStore = workload.labels['app.kubernetes.io/component'] === 'store';
      expect([workload.name, dns.length]).toEqual([workload.name, isStore ? 0 : 1]);
    }
  });

  it.each(ours)('allows $name to reach its stores', (workload) => {
    const environment = environmentOf(workload.container, objects, secrets);
    const addresses = ['DATABASE_URL', 'DATABASE_ADMINISTRATOR_URL', 'NATS_URL', 'S3_ENDPOINT'].flatMap((variable) =>
      environment[variable] ? [new URL(environment[variable])] : [],
    );
    expect(addresses.length).toBeGreaterThan(0);
    const rules = policiesFor(workload, objects).flatMap(({ egress = [] }) => egress);
    for (const { port, protocol } of addresses)
      expect(rules.flatMap(({ ports = [] }) => ports.map((allowed) => allowed.port))).toContain(
        Number(port || (protocol === 'https:' ? 443 : 80)),
      );
  });

  it('allows the ingress controller, and Prometheus at the management port', () => {
    const proxy = workloads.some(({ name }) => name === 'proxy') ? ['proxy:8080'] : [];
    expect(flowsFromNamespace('ingress-nginx', objects).sort()).toEqual([...services.map(({ name }) => `${name}:8080`), ...proxy].sort());
    expect(flowsFromNamespace('monitoring', objects).sort()).toEqual([...services.map(({ name }) => `${name}:9464`), ...proxy].sort());
    expect(flowsFromNamespace('anything', objects)).toEqual(proxy);
  });

  it('allows the required traffic between pods', () => {
    const all = [
      ...['raw-data:8080', 'events:8080', 'postgres:5432', 'nats:4222'].map((to) => `inspection -> ${to}`),
      ...['postgres:5432', 'nats:4222', 's3:9000'].map((to) => `raw-data -> ${to}`),
      'events -> nats:4222',
      ...['migrate-inspection', 'migrate-raw-data', 'prepare-inspection', 'prepare-raw-data'].map((from) => `${from} -> postgres:5432`),
      'prepare-s3 -> s3:9000',
      ...['inspection', 'raw-data', 'events'].map((to) => `proxy -> ${to}:8080`),
    ];
    const isThere = (name: string | undefined) => workloads.some((workload) => workload.name === name);
    const expected = all.filter((flow) => flow.split(/ -> |:/, 2).every(isThere));
    expect(flowsBetweenPods(objects).sort()).toEqual(expected.sort());
  });
}
