import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describeUnless } from '@sinebar/testing';
import { CHART, NO_HELM } from '@sinebar/testing/kubernetes';
import { environmentOf, OPERATORS_SECRETS, ROOT, secretsOf, workloadsOf, type KubernetesObject } from './kubernetes-objects.fixture.ts';
import { findChartRenderer } from './rendered-chart.fixture.ts';

const render = await findChartRenderer();

const jobsOf = (objects: readonly KubernetesObject[]) => objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);

describeUnless(render === undefined ? NO_HELM : undefined, 'values of the chart', () => {
  const rendered = (...set: string[]) => render?.('production', { set }) ?? [];
  const namesOf = (objects: readonly KubernetesObject[]) =>
    workloadsOf(objects)
      .map(({ name }) => name)
      .sort();

  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

  it('has the version of the product', () => {
    expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
  });

  it.each([
    ['host', 'hosts=a.example.com', /additional properties 'hosts' not allowed/],
    ['settings of a service', 'inspection.replica=3', /at '\/inspection': additional properties 'replica' not allowed/],
    ['a service', 'services={inspection,rawdata}', /at '\/services\/1': value must be one of 'inspection', 'raw-data', 'events'/],
    ['a service twice', 'services={events,events}', /at '\/services': items at 0 and 1 are equal/],
    ['a number', 'events.minReplicas=two', /at '\/events\/minReplicas': got string, want integer/],
    ['a setting that is no text', 'settings.SINEBAR_NATS_REPLICAS=3', /at '\/settings\/SINEBAR_NATS_REPLICAS': got number, want string/],
    ['a setting with another name', 'settings.log-level=info', /at '\/settings': additional properties 'log-level' not allowed/],
    ['a flag', 'autoscaling=maybe', /at '\/autoscaling': got string, want boolean/],
    ['the name of a Secret', 'raw-data.credentials=', /at '\/raw-data\/credentials': '' does not match pattern/],
    ['the Secret of an administrator', 'administrators.database=', /at '\/administrators\/database': '' does not match pattern/],
    ['a size', 'inspection.spoolSize=20GB', /at '\/inspection\/spoolSize': '20GB' does not match pattern/],
    ['a kind of Ingress', 'ingress.kind=nginx', /at '\/ingress\/kind': value must be one of 'paths', 'proxy', 'none'/],
    ['an address for a host', 'host=https://a.example.com', /at '\/host': 'https:\/\/a.example.com' does not match pattern/],
    ['a digest', 'image.digest=sha256:abc', /at '\/image\/digest': 'sha256:abc' does not match pattern/],
    ['no service', 'services=null,ingress.kind=none', /services: Name at least one of inspection, raw-data and events\./],
    [
      'an Ingress without a host',
      'host=',
      /host: An Ingress needs the name of the public address\. Set host, or set ingress\.kind to none\./,
    ],
    ['an Ingress to no proxy', 'ingress.kind=proxy', /ingress\.kind: The Ingress leads to the proxy.*Set proxy\.enabled\./],
    [
      'a plant with an Ingress',
      'plant.name=north',
      /plant\.name: The proxy of another release is the address of a plant\. Set ingress\.kind to none\./,
    ],
    [
      'plants beside services',
      'proxy.enabled=true,proxy.plants[0].name=a,proxy.plants[0].namespace=b',
      /proxy\.plants: A proxy of several plants is a release without services\./,
    ],
    ['fewer replicas than the minimum', 'events.maxReplicas=1', /events\.minReplicas: 2 is above maxReplicas \(1\)\./],
    [
      'tools without files',
      'tools.enabled=true,services={inspection}',
      /tools\.enabled: A backup copies the files too.*Name raw-data in services\./,
    ],
  ])('refuses a wrong value: %s', (_, set, sentence) => {
    expect(() => rendered(set)).toThrow(sentence);
  });

  it('deploys the named services together, and lets inspection answer for their health', () => {
    const objects = rendered('services={events,inspection}');
    expect(namesOf(objects)).toEqual(['events', 'inspection', 'migrate-inspection']);
    const inspection = workloadsOf(objects).find(({ name }) => name === 'inspection');
    expect(inspection && environmentOf(inspection.container, objects, OPERATORS_SECRETS)['SINEBAR_HEALTH_PEERS']).toBe(
      'http://events:8080',
    );
  });

  it.each(['inspection', 'raw-data', 'events'])('gives a trial of %s alone all that its containers name', (service) => {
    const objects = render?.('trial', { set: [`services={${service}}`] }) ?? [];
    const missing = workloadsOf(objects).flatMap(({ name, container }) => {
      try {
        return Object.keys(environmentOf(container, objects, secretsOf(objects))).length === 0 && name !== 'proxy' ? [name] : [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });
    expect(missing).toEqual([]);
  });

  it('names the image by its digest instead of a tag', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const images = workloadsOf(rendered(`image.repository=registry.example.com:5000/sinebar,image.digest=${digest}`));
    expect(new Set(images.map(({ container }) => container.image))).toEqual(new Set([`registry.example.com:5000/sinebar@${digest}`]));
  });

  it('gives Jobs the version and another name for each definition', () => {
    const named = (service: string) => new RegExp(`^migrate-${service}-${version.replaceAll('.', '-')}-[0-9a-f]{6}$`);
    const delivered = jobsOf(rendered());
    expect(delivered).toEqual([expect.stringMatching(named('inspection')), expect.stringMatching(named('raw-data'))]);
    expect(jobsOf(rendered())).toEqual(delivered);
    // Settings of the services change no Job.
    expect(jobsOf(rendered('host=other.example.com'))).toEqual(delivered);
    const changes = ['image.tag=0.2.0_RC.1', 'image.repository=registry.example.com/sinebar', 'jobs.resources.limits.memory=1Gi'];
    for (const set of changes)
      for (const name of jobsOf(rendered(set))) {
        expect(delivered).not.toContain(name);
        expect(name).toMatch(/^[a-z0-9-]{1,63}$/);
      }
  });

  it('replaces the pods of a service when its settings change, and none for another access policy', () => {
    const templatesOf = (...set: string[]) => {
      const templates = workloadsOf(rendered(...set)).filter(({ kind }) => kind === 'Deployment');
      return Object.fromEntries(templates.map(({ name, annotations, pod }) => [name, { annotations, pod }]));
    };
    const delivered = templatesOf();
    const changedBy = (...set: string[]) => {
      const changed = templatesOf(...set);
      return Object.keys(delivered).filter((name) => JSON.stringify(changed[name]) !== JSON.stringify(delivered[name]));
    };
    expect(changedBy('settings.SINEBAR_LOG_LEVEL=debug')).toEqual(['inspection', 'raw-data', 'events']);
    expect(changedBy('s3Settings.S3_BUCKET=quality')).toEqual(['raw-data']);
    expect(changedBy('accessPolicy=users: {}')).toEqual([]);
  });

  it('leaves the Secret of the access policy to the operator', () => {
    const secrets = (objects: readonly KubernetesObject[]) => objects.filter(({ kind }) => kind === 'Secret');
    expect(secrets(rendered())).toHaveLength(1);
    expect(secrets(rendered('accessPolicy='))).toEqual([]);
  });

  it('gives all pods the nodes and the secrets of registries', () => {
    const objects =
      render?.('trial', { set: ['image.pullSecrets={registry}', 'nodeSelector.disk=ssd', 'tolerations[0].operator=Exists'] }) ?? [];
    for (const { pod } of workloadsOf(objects))
      expect(pod).toMatchObject({
        imagePullSecrets: [{ name: 'registry' }],
        nodeSelector: { disk: 'ssd' },
        tolerations: [{ operator: 'Exists' }],
      });
  });

  it('publishes the proxy without an Ingress', () => {
    const typeOf = (objects: readonly KubernetesObject[]) =>
      (objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'proxy')?.spec as { type?: string } | undefined)?.type;
    expect(namesOf(render?.('production-proxy') ?? [])).toContain('proxy');
    expect(typeOf(render?.('production-proxy') ?? [])).toBeUndefined();
    expect(typeOf(render?.('production-proxy', { set: ['ingress.kind=none', 'proxy.serviceType=LoadBalancer'] }) ?? [])).toBe(
      'LoadBalancer',
    );
  });

  it('names the proxies that nginx trusts', () => {
    const proxies = 'proxy.trustedProxies={10.244.0.0/16,fd00::/8}';
    const objects = render?.('production-proxy', { set: [proxies] }) ?? [];
    const file = objects.find(({ metadata }) => metadata.name === 'proxy-configuration')?.data?.['trusted-proxies.conf'] ?? '';
    expect(file.replace(/^(#.*)?\n/gm, '')).toBe('set_real_ip_from 10.244.0.0/16;\nset_real_ip_from fd00::/8;\n');
  });
});
