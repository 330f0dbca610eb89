import { expect, it } from '@jest/globals';
import { describeUnless } from '@sinebar/testing';
import { NO_HELM } from '@sinebar/testing/kubernetes';
import { alertRules } from '@sinebar/testing/observability';
import type { KubernetesObject } from './kubernetes-objects.fixture.ts';
import { findChartRenderer } from './rendered-chart.fixture.ts';

const render = await findChartRenderer();
const specOf = (objects: readonly KubernetesObject[], kind: string) => objects.find((object) => object.kind === kind)?.spec;

describeUnless(render === undefined ? NO_HELM : undefined, 'monitoring and Gateway of the chart', () => {
  const rendered = (form: string, ...set: string[]) => render?.(form, { set }) ?? [];

  it.each(['production', 'production-proxy', 'trial'])('has no object that a cluster may not know, as delivered: %s', (form) => {
    const kinds = rendered(form).map(({ kind }) => kind);
    expect(kinds.filter((kind) => ['PodMonitor', 'PrometheusRule', 'HTTPRoute'].includes(kind))).toEqual([]);
  });

  it('reads the metrics of all services, as jobs that the rules know', () => {
    const objects = rendered('production', 'monitoring.podMonitor=true', 'monitoring.labels.release=stack');
    expect(specOf(objects, 'PodMonitor')).toEqual({
      selector: { matchLabels: { 'app.kubernetes.io/part-of': 'sinebar', 'app.kubernetes.io/component': 'service' } },
      podMetricsEndpoints: [
        {
          port: 'management',
          path: '/metrics',
          relabelings: [
            {
              sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'],
              targetLabel: 'job',
              replacement: 'sinebar-$1',
            },
          ],
        },
      ],
    });
    expect(objects.find(({ kind }) => kind === 'PodMonitor')?.metadata.labels).toMatchObject({ release: 'stack' });
  });

  it('installs the rules, those for Kubernetes with the namespace of the release', () => {
    const { groups } = specOf(rendered('trial', 'monitoring.rules=true'), 'PrometheusRule') as { groups: { rules: object[] }[] };
    const inNamespace = alertRules('alerts-kubernetes.yml').map((rule) => ({
      ...rule,
      expr: rule.expr.replaceAll('namespace="sinebar"', 'namespace="sinebar-demo"'),
    }));
    expect(groups.flatMap(({ rules }) => rules)).toEqual([...alertRules(), ...inNamespace]);
  });

  it('leads the public address from a Gateway to the proxy, beside an Ingress or without one', () => {
    const gateway = ['gateway.name=public', 'gateway.namespace=gateways', 'gateway.listener=https'];
    const objects = rendered('production-proxy', ...gateway);
    expect(specOf(objects, 'HTTPRoute')).toEqual({
      parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
      hostnames: ['quality.example.com'],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ name: 'proxy', port: 8080 }],
          timeouts: { request: '0s' },
        },
      ],
    });
    expect(specOf(objects, 'Ingress')).toBeDefined();
    const alone = rendered('production-proxy', 'gateway.name=public', 'ingress.kind=none');
    expect((specOf(alone, 'HTTPRoute') as { parentRefs: object[] }).parentRefs).toEqual([{ name: 'public' }]);
    expect(specOf(alone, 'Ingress')).toBeUndefined();
  });

  it.each([
    ['gateway.name=public', /gateway\.name: The HTTPRoute leads the public address to the proxy\. Set proxy\.enabled and host\./],
    ['gateway.name=Public', /at '\/gateway\/name': 'Public' does not match pattern/],
    ['tools.keepDaily=-1', /at '\/tools\/keepDaily': minimum: got -1, want 0/],
    ['monitoring.rules=yes', /at '\/monitoring\/rules': got string, want boolean/],
  ])('refuses %s', (set, sentence) => {
    expect(() => rendered('production', set)).toThrow(sentence);
  });

  it('keeps as many backups as the values say', () => {
    const argsOf = (...set: string[]) => {
      const job = specOf(rendered('production', 'tools.enabled=true', ...set), 'CronJob') as {
        jobTemplate: { spec: { template: { spec: { containers: { args: string[] }[] } } } };
      };
      return job.jobTemplate.spec.template.spec.containers[0]?.args;
    };
    expect(argsOf()).toEqual(['scheduled-backup', '/backup', '--keep-daily=7', '--keep-weekly=4']);
    expect(argsOf('tools.keepDaily=30', 'tools.keepWeekly=0')).toEqual([
      'scheduled-backup',
      '/backup',
      '--keep-daily=30',
      '--keep-weekly=0',
    ]);
  });
});
