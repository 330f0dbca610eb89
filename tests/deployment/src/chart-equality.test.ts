import { expect, it } from '@jest/globals';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeUnless } from '@sinebar/testing';
import { CHART_FORMS, NO_HELM, type ChartOptions } from '@sinebar/testing/kubernetes';
import { findChartRenderer } from './rendered-chart.fixture.ts';
import { type KubernetesObject } from './kubernetes-objects.fixture.ts';
import { findRenderer, KUBERNETES, NO_RENDERER } from './kustomize.fixture.ts';

const render = await findChartRenderer();
const kustomize = await findRenderer();

/** Names of Jobs and ConfigMaps end with a checksum in one or the other; Jobs of the chart also with the version. */
const GENERATED =
  /^((?:migrate|prepare)-[a-z0-9-]+?)-\d+-\d+-\d+-[0-9a-f]{6}$|^((?:nats|proxy)-configuration|s3-preparation)-[a-z0-9]{10}$/;

/** Lists whose order has no meaning, each with the member that tells its entries apart. */
const UNORDERED: Record<string, string> = { env: 'name', volumes: 'name', volumeMounts: 'mountPath' };

describeUnless(render === undefined ? NO_HELM : kustomize === undefined ? NO_RENDERER : undefined, 'the chart', () => {
  it.each(Object.keys(CHART_FORMS))('makes of the values %s the objects of the overlay', (form) => {
    const overlay = join(KUBERNETES, 'overlays', form.replace('trial', 'demo'));
    compare(form, form.startsWith('trial') ? { set: ['createNamespace=true'] } : {}, kustomize?.(overlay) ?? []);
  });

  it.each(['production', 'trial'])('makes of the values %s with tools the objects of the overlay with the component', (form) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sinebar-overlay-')));
    try {
      const below = (path: string) => relative(folder, join(KUBERNETES, path));
      const lines = [
        'apiVersion: kustomize.config.k8s.io/v1beta1',
        'kind: Kustomization',
        `resources: ['${below(`overlays/${form.replace('trial', 'demo')}`)}']`,
        `components: ['${below('components/tools')}']`,
        // The component has no namespace of its own.
        `namespace: ${CHART_FORMS[form]?.namespace ?? ''}`,
      ];
      writeFileSync(join(folder, 'kustomization.yaml'), `${lines.join('\n')}\n`);
      const set = ['tools.enabled=true', ...(form === 'trial' ? ['createNamespace=true'] : [])];
      compare(form, { set }, kustomize?.(folder) ?? []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  function compare(form: string, options: ChartOptions, overlay: readonly KubernetesObject[]): void {
    const expected = byName(overlay);
    const actual = byName(render?.(form, options) ?? []);
    expect(Object.keys(expected).length).toBeGreaterThan(3);
    expect(Object.keys(actual).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, object] of Object.entries(expected)) expect([name, actual[name]]).toEqual([name, object]);
  }
});

/** Objects by kind and name, without the marks of a release of helm. */
function byName(objects: readonly KubernetesObject[]): Record<string, unknown> {
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${withoutSuffix(object.metadata.name)}`, normalized(object)]));
}

const withoutSuffix = (name: string) => name.replace(GENERATED, '$1$2');

function normalized(value: unknown, member = ''): unknown {
  if (Array.isArray(value)) {
    const key = UNORDERED[member];
    const items = value.map((item) => normalized(item));
    return key === undefined ? items : items.sort((a, b) => keyOf(a, key).localeCompare(keyOf(b, key)));
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) => {
        if (name === 'app.kubernetes.io/instance' || name === 'helm.sh/resource-policy' || name.startsWith('checksum/')) return [];
        const made = normalized(item, name);
        // An object without labels or annotations may have an empty map of them.
        return isEmpty(made) && ['annotations', 'labels'].includes(name) ? [] : [[name, made]];
      }),
    );
  if (typeof value !== 'string') return value;
  // The comments of the file with the plants differ.
  return member === 'plants.conf' ? value.replace(/^#.*\n/gm, '') : withoutSuffix(value);
}

const keyOf = (item: unknown, key: string) => String((item as Record<string, unknown>)[key]);
const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
