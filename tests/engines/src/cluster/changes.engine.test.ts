import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ClusterLoad } from '../support/cluster-load.ts';
import { find } from '../support/cluster-objects.ts';
import { ADMINISTRATOR, basic, ClusterStack, withUser } from '../support/cluster-stack.ts';
import { describeWithCluster } from '../support/describe-with-cluster.ts';
import { send } from '../support/load.ts';

const SERVICES = ['inspection', 'raw-data', 'events'];
const NOBODY = randomUUID();
/** A request of each service that needs a sign-in. */
const PATHS: Record<string, string> = {
  inspection: '/dataServiceRest/parts',
  'raw-data': `/rawDataServiceRest/rawData/part/${NOBODY}/0`,
  events: '/eventServiceRest/changes',
};
/** Runs in a pod: asks its service until it knows the user, and prints how many milliseconds that took. */
const UNTIL_KNOWN = `
  const [path, authorization] = process.argv.slice(1);
  const beganAt = Date.now();
  (async () => {
    for (;;) {
      const { status } = await fetch('http://127.0.0.1:8080' + path, { headers: { authorization }, signal: AbortSignal.timeout(10000) });
      if (status !== 401 && status !== 429) return console.log(Date.now() - beganAt);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();`;
const PATIENCE_MS = 150_000;

describeWithCluster('the values production while its settings change', change);

function change(): void {
  let stack: ClusterStack;
  const urlFor = (path: string) =>
    stack.url(path.startsWith('/rawData') ? 'raw-data' : path.startsWith('/event') ? 'events' : 'inspection');

  beforeAll(async () => {
    stack = await ClusterStack.up({ namespace: 'sbkube-changes', form: 'production', published: SERVICES });
  }, 600_000);
  afterAll(async () => await stack?.down(), 240_000);

  /** Adds a user to the policy. @returns milliseconds until each pod knew the user */
  async function userKnownAfter(name: string, then: () => Promise<unknown> = () => Promise.resolve()): Promise<number[]> {
    const password = randomUUID();
    const hash = (await stack.exec('events', ['node', 'dist/sinebar.js', 'access', 'hash'], `${password}\n`)).trim();
    const policy = find(stack.objects, 'Secret', 'sinebar-access-policy');
    policy.stringData = { 'policy.yaml': withUser(policy.stringData?.['policy.yaml'] ?? '', name, hash) };
    await stack.apply([policy]);
    const appliedAt = Date.now();
    await then();
    const pods = (await Promise.all(SERVICES.map((service) => stack.pods(service)))).flat();
    expect(pods).toHaveLength(6);
    return await Promise.all(
      pods.map(async ({ name: pod, service }) => {
        const script = ['node', '-e', UNTIL_KNOWN, PATHS[service] ?? '', basic({ name, password })];
        const startedAt = Date.now();
        return startedAt - appliedAt + Number(await stack.kubectl(['exec', pod, '--', ...script], { timeoutMs: PATIENCE_MS }));
      }),
    );
  }

  it('keeps the replicas that somebody chose, whether or not the cluster has metrics', async () => {
    await stack.kubectl(['scale', 'deployment/events', '--replicas=3']);
    await stack.ready();
    // Three rounds of the autoscaler, which reports none in which it does nothing.
    await pause(46_000);
    expect((await stack.pods('events')).filter(({ isReady }) => isReady)).toHaveLength(3);
    await stack.kubectl(['scale', 'deployment/events', '--replicas=2']);
    await stack.waitUntilRemoved('events');
  }, 300_000);

  it.each(SERVICES)('makes the hash of a password in a pod of %s', async (service) => {
    expect(await stack.exec(service, ['node', 'dist/sinebar.js', 'access', 'hash'], 'open sesame\n')).toMatch(/^\$argon2id\$\S+\n$/);
  });

  it('applies another access policy in all replicas within a minute when the pods are annotated', async () => {
    const times = await userKnownAfter('bea', () =>
      stack.kubectl([
        'annotate',
        'pod',
        '--overwrite',
        '--selector',
        'app.kubernetes.io/component=service',
        `sinebar/policy=${Date.now()}`,
      ]),
    );
    process.stderr.write(`known after ${times.join(', ')} ms\n`);
    expect(Math.max(...times)).toBeLessThan(60_000);
  }, 300_000);

  it("applies another access policy in all replicas after the kubelet's period", async () => {
    const times = await userKnownAfter('cem');
    process.stderr.write(`known after ${times.join(', ')} ms\n`);
    expect(Math.max(...times)).toBeLessThan(120_000);
  }, 300_000);

  it('uses another password of the database after its Job and a restart, without losing anything', async () => {
    const load = ClusterLoad.start(urlFor, basic(ADMINISTRATOR));
    const credentials = find(stack.objects, 'Secret', 'sinebar-raw-data-credentials');
    credentials.stringData = { ...credentials.stringData, DATABASE_PASSWORD: `p@:/?#[]%41&'"$ ${randomUUID()}` };
    await stack.apply([credentials]);
    const job = find(stack.objects, 'Job', 'prepare-raw-data');
    await stack.kubectl(['delete', 'job', job.metadata.name]);
    await stack.apply([job]);
    await stack.kubectl(['wait', '--for=condition=Complete', `job/${job.metadata.name}`, '--timeout=120s'], { timeoutMs: 130_000 });
    await stack.restart('raw-data');
    const { requests, failures } = await load.stop();
    process.stderr.write(`${requests} requests, ${failures.length} failed\n`);
    // A request that needs a new connection between the Job and the restart.
    expect(failures.filter((failure) => !failure.includes(': 503 '))).toEqual([]);
    expect(load.files.length).toBeGreaterThan(20);
    expect(await load.missing()).toEqual([]);
    expect((await send(`${stack.url('raw-data')}/healthServiceRest/ready`)).status).toBe(200);
  }, 500_000);
}
