import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeUnless } from '@sinebar/testing';
import { OPERATORS_SECRETS, ROOT, type KubernetesObject, type Pod } from './kubernetes-objects.fixture.ts';
import { findRenderer, NO_RENDERER } from './kustomize.fixture.ts';

const render = await findRenderer();

/** Secrets that an operator creates for maintenance, besides those of the services. */
const ADMINISTRATORS = ['sinebar-database-administrator', 'sinebar-nats-administrator'];

for (const overlay of ['production', 'demo'])
  describeUnless(render === undefined ? NO_RENDERER : undefined, `component tools with the Kubernetes overlay ${overlay}`, () => {
    let folder: string;
    let objects: KubernetesObject[];
    let pod: Pod;
    const policyOf = (name: string) =>
      objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)?.spec as {
        ingress: { from?: { podSelector?: { matchLabels?: Record<string, string> } }[]; ports: { port: number }[] }[];
        egress: { ports: { port: number }[] }[];
      };

    beforeAll(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'sinebar-overlay-')));
      const below = (path: string) => relative(folder, join(ROOT, 'infra/kubernetes', path));
      const lines = [
        'apiVersion: kustomize.config.k8s.io/v1beta1',
        'kind: Kustomization',
        `resources: ['${below(`overlays/${overlay}`)}']`,
        `components: ['${below('components/tools')}']`,
      ];
      writeFileSync(join(folder, 'kustomization.yaml'), `${lines.join('\n')}\n`);
      objects = render?.(folder) ?? [];
      const job = objects.find(({ kind }) => kind === 'CronJob')?.spec as { jobTemplate: { spec: { template: { spec: Pod } } } };
      pod = job.jobTemplate.spec.template.spec;
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('runs a backup as an ordinary user without rights on a read-only root', () => {
      expect(pod.containers[0]?.image).toMatch(/^sinebar:\d/);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.automountServiceAccountToken).toBe(false);
    });

    it('takes only Secrets that the services or the administrators have', () => {
      const names = (pod.containers[0]?.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
      expect(names.filter((name) => !(name in OPERATORS_SECRETS) && !ADMINISTRATORS.includes(name))).toEqual([]);
      expect(names).toEqual(expect.arrayContaining(ADMINISTRATORS));
    });

    it('writes to a volume of its own', () => {
      expect(pod.containers[0]?.volumeMounts).toContainEqual({ name: 'backup', mountPath: '/backup' });
      const claims = objects.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
      expect(claims).toContain('sinebar-backup');
    });

    it('may reach the stores, the services and the names', () => {
      const ports = policyOf('tools').egress.flatMap((rule) => rule.ports.map(({ port }) => port));
      expect(ports).toEqual(expect.arrayContaining([5432, 4222, 9000, 8080, 53]));
    });

    if (overlay !== 'demo') return;
    it.each([
      ['postgres', 5432],
      ['nats', 4222],
      ['s3', 9000],
    ])('is admitted by the store %s of the demo', (store, port) => {
      const admitting = policyOf(store).ingress.filter(({ from = [] }) =>
        from.some(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'tools'),
      );
      expect(admitting.flatMap(({ ports }) => ports.map((each) => each.port))).toContain(port);
    });
  });
