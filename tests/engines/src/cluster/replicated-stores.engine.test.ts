import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@sinebar/testing';
import { ClusterLoad } from '../support/cluster-load.ts';
import { ClusterStack } from '../support/cluster-stack.ts';
import { describeWithCluster } from '../support/describe-with-cluster.ts';
import { replicateNats, replicateS3 } from '../support/replicated-stores.ts';
import { send } from '../support/load.ts';

describeWithCluster('three servers of NATS and four of an S3 store', () => {
  let stack: ClusterStack;
  beforeAll(async () => {
    stack = await ClusterStack.up({
      namespace: 'sbkube-stores',
      form: 'trial-without-volumes',
      change: (objects) => {
        replicateNats(objects);
        replicateS3(objects);
      },
    });
    await eventually(async () => expect((await send(`${stack.url()}/healthServiceRest/ready`)).status).toBe(200), { timeoutMs: 120_000 });
  }, 600_000);
  afterAll(async () => await stack?.down(), 240_000);

  /** Disturbs a store under load: what was acknowledged must be there with its event, and a failed request must be a 503. */
  async function nothingLostBy(disturb: () => Promise<void>): Promise<void> {
    const feed = `${stack.url()}/eventServiceRest/changes`;
    const { next } = JSON.parse((await send(feed)).body.toString()) as { next: string };
    const load = ClusterLoad.start(() => stack.url());
    await pause(5000);
    try {
      await disturb();
      await pause(5000);
    } finally {
      await load.stop();
    }
    const { requests, failures, longestMs } = await load.stop();
    process.stderr.write(
      `${requests} requests, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms\n${failures.slice(0, 5).join('\n')}\n`,
    );
    expect(failures.filter((failure) => !failure.includes(': 503 '))).toEqual([]);
    expect(load.files.length).toBeGreaterThan(5);
    expect(await load.missing()).toEqual([]);
    await eventually(async () => expect(await partsWithoutEvent(feed, next, load.parts)).toEqual([]), {
      timeoutMs: 60_000,
      intervalMs: 1000,
    });
  }
  /** Ends the server in a pod as a crash does, and waits until it runs again on its data. */
  async function crash(pod: string): Promise<void> {
    const restarts = async () => {
      const text = await stack.kubectl(['get', 'pod', pod, '--output', 'jsonpath={.status.containerStatuses[0].restartCount}']);
      return Number(text);
    };
    const before = await restarts();
    // A handler of the Go runtime ends the program at once; the kernel ignores SIGKILL to the first process from within its container.
    await stack.kubectl(['exec', pod, '--', 'sh', '-c', 'kill -ABRT 1']);
    await eventually(async () => (await restarts()) > before, { timeoutMs: 60_000, intervalMs: 500, describe: `${pod} is started again` });
    await stack.kubectl(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=120s'], { timeoutMs: 130_000 });
  }
  /** @returns acknowledged parts whose creation the feed does not have exactly once */
  async function partsWithoutEvent(feed: string, after: string, parts: readonly string[]): Promise<string[]> {
    const counts = new Map<string, number>();
    for (let next = after; ;) {
      const page = JSON.parse((await send(`${feed}?limit=10000&after=${encodeURIComponent(next)}`)).body.toString()) as Page;
      for (const { event, data } of page.changes)
        if (event === 'PartCreated' && data.PartUuid !== undefined) counts.set(data.PartUuid, (counts.get(data.PartUuid) ?? 0) + 1);
      if (page.changes.length === 0) return parts.filter((uuid) => counts.get(uuid) !== 1);
      next = page.next;
    }
  }

  it(
    'lose nothing when each server of NATS dies, one after the other',
    () =>
      nothingLostBy(async () => {
        for (const pod of ['nats-0', 'nats-1', 'nats-2']) {
          await crash(pod);
          // Healthy means that its copy of the stream has caught up.
          const health = ['wget', '--quiet', '--output-document=-', 'http://127.0.0.1:8222/healthz'];
          await eventually(async () => (await stack.kubectl(['exec', pod, '--', ...health])).includes('ok'), {
            timeoutMs: 120_000,
            intervalMs: 1000,
            describe: `${pod} has caught up`,
          });
        }
      }),
    600_000,
  );

  it(
    'lose nothing when a server of the S3 store dies',
    () =>
      nothingLostBy(async () => {
        await crash('s3-1');
      }),
    400_000,
  );
});

interface Page {
  changes: { event: string; data: { PartUuid?: string } }[];
  next: string;
}
