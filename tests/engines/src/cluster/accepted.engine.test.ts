import { afterAll, expect, it } from '@jest/globals';
import { CHART_FORMS } from '@sinebar/testing/kubernetes';
import { adapt, render } from '../support/cluster-objects.ts';
import { VERSION } from '../support/cluster-stack.ts';
import { describeWithCluster } from '../support/describe-with-cluster.ts';
import { kubectl } from '../support/kubectl.ts';

const NAMESPACE = 'sbkube-accepted';

describeWithCluster(
  'the API server, in a namespace with the standard "restricted"',
  () => {
    afterAll(async () => void (await kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=false'])));

    it('refuses a pod that asks for more rights', async () => {
      await kubectl(['apply', '--filename', '-'], { input: namespace() });
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'root' }, spec: { containers: [{ name: 'root', image: 'root' }] } };
      await expect(dryRun([pod])).rejects.toThrow(/violates PodSecurity "restricted/);
    });

    it.each(Object.keys(CHART_FORMS))('accepts all objects of the values %s', async (form) => {
      const objects = render(form);
      adapt(objects, NAMESPACE, VERSION);
      const { output, warnings } = await dryRun(objects);
      expect(output.match(/\(server dry run\)$/gm)).toHaveLength(objects.length);
      expect(warnings).toEqual('');
    });
  },
  { inShort: true },
);

function namespace(): string {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } });
}

/** Lets the server check unknown members, types, names and the rights of pods, and change nothing. */
async function dryRun(objects: readonly object[]): Promise<{ output: string; warnings: string }> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  let warnings = '';
  const output = await kubectl(['--namespace', NAMESPACE, 'apply', '--dry-run=server', '--filename', '-'], {
    input,
    onWarning: (text) => (warnings += text),
  });
  return { output, warnings };
}
