import { expect, it } from '@jest/globals';
import { describeUnless } from '@sinebar/testing';
import { NO_HELM } from '@sinebar/testing/kubernetes';
import { OPERATORS_SECRETS, type Pod } from './kubernetes-objects.fixture.ts';
import { findChartRenderer } from './rendered-chart.fixture.ts';

const render = await findChartRenderer();

/** Secrets that an operator creates for maintenance, besides those of the services. */
const ADMINISTRATORS = ['sinebar-database-administrator', 'sinebar-nats-administrator'];

for (const form of ['production', 'trial'])
  describeUnless(render === undefined ? NO_HELM : undefined, `tools with the values ${form}`, () => {
    const objects = render?.(form, { set: ['tools.enabled=true'] }) ?? [];
    const job = objects.find(({ kind }) => kind === 'CronJob')?.spec as { jobTemplate: { spec: { template: { spec: Pod } } } };
    const pod = job?.jobTemplate.spec.template.spec;
    const policyOf = (name: string) =>
      objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)?.spec as {
        ingress: { from?: { podSelector?: { matchLabels?: Record<string, string> } }[]; ports: { port: number }[] }[];
        egress: { ports: { port: number }[] }[];
      };

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

    if (form !== 'trial') return;
    it.each([
      ['postgres', 5432],
      ['nats', 4222],
      ['s3', 9000],
    ])('is admitted by the store %s of the trial', (store, port) => {
      const admitting = policyOf(store).ingress.filter(({ from = [] }) =>
        from.some(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'tools'),
      );
      expect(admitting.flatMap(({ ports }) => ports.map((each) => each.port))).toContain(port);
    });
  });
