import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@sinebar/testing';
import { ClusterLoad } from '../support/cluster-load.ts';
import { find } from '../support/cluster-objects.ts';
import { ADMINISTRATOR, basic, ClusterStack, PREVIOUS, VERSION } from '../support/cluster-stack.ts';
import { describeWithCluster, inFull } from '../support/describe-with-cluster.ts';
import { EVENT_CLIENTS, type EventClient } from '@sinebar/testing/event-clients';
import { send } from '../support/load.ts';

const FORM = 'production-proxy';
const GATEWAYS = 3;
const CLIENTS_OF_A_KIND = 6;
const AUTHORIZATION = basic(ADMINISTRATOR);
const DEPLOYMENTS = ['inspection', 'raw-data', 'events', 'proxy'];
/** Clients meet the pods before, during and after a disturbance. */
const MARGIN_MS = 5_000;

describeWithCluster('the values production-proxy with two proxies, three gateways and two replicas of the others', serve, {
  inShort: true,
});

function serve(): void {
  let stack: ClusterStack;
  const clients: EventClient[] = [];

  beforeAll(async () => {
    stack = await ClusterStack.up({
      namespace: 'sbkube-production',
      form: FORM,
      ...PREVIOUS,
      change: (objects) => {
        const { spec } = find(objects, 'HorizontalPodAutoscaler', 'events');
        Object.assign(spec ?? {}, { minReplicas: GATEWAYS });
      },
    });
    await everyProxyReaches(GATEWAYS);
  }, 600_000);
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.stop();
  }, 60_000);
  afterAll(async () => await stack?.down(), 240_000);

  /** Disturbs the pods under load. No request may fail, and what was acknowledged must be there. */
  async function undisturbedBy(disturb: () => Promise<void>): Promise<void> {
    const load = ClusterLoad.start(() => stack.url(), AUTHORIZATION);
    await pause(MARGIN_MS);
    try {
      await disturb();
      await pause(MARGIN_MS);
    } finally {
      await load.stop();
    }
    const { requests, failures, longestMs } = await load.stop();
    process.stderr.write(`${requests} requests, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms\n`);
    expect(failures).toEqual([]);
    expect(load.files.length).toBeGreaterThan(20);
    expect(await load.missing()).toEqual([]);
  }

  function open(): void {
    for (const start of Object.values(EVENT_CLIENTS))
      for (let i = 0; i < CLIENTS_OF_A_KIND; i += 1) clients.push(start(stack.url(), AUTHORIZATION));
  }
  const allConnected = () =>
    eventually(() => expect(clients.filter((client) => client.isConnected())).toHaveLength(clients.length), { timeoutMs: 60_000 });
  async function everyClientReceives(): Promise<void> {
    const uuid = randomUUID();
    const { status } = await send(`${stack.url()}/dataServiceRest/parts`, {
      method: 'POST',
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      body: JSON.stringify([{ uuid, path: `P:/announced ${uuid}/` }]),
    });
    expect(status).toBe(201);
    await eventually(() => expect(clients.filter(({ parts }) => parts.has(uuid))).toHaveLength(clients.length), { timeoutMs: 30_000 });
  }
  /**
   * Waits until each proxy has sent a request to each gateway, by its log. A proxy learns the addresses of new pods from DNS, some seconds
   * after these are ready and not when another proxy does; until then it gives all its clients to the gateways that it knows.
   */
  async function everyProxyReaches(gateways: number): Promise<void> {
    await eventually(
      async () => {
        await Promise.all(
          Array.from({ length: 4 * gateways }, () =>
            send(`${stack.url()}/eventServiceRest`, { headers: { authorization: AUTHORIZATION } }),
          ),
        );
        const addresses = (await stack.pods('events')).filter(({ isDeleted }) => !isDeleted).map(({ address }) => `${address}:8080`);
        expect(addresses).toHaveLength(gateways);
        for (const { name } of await stack.pods('proxy')) {
          const lines = (await stack.kubectl(['logs', name, '--container', 'sinebar', '--tail', '1000'])).split('\n');
          const upstreams = lines.filter((line) => line.includes('/eventServiceRest" 200 ')).join('\n');
          expect(addresses.filter((address) => !upstreams.includes(` ${address} `))).toEqual([]);
        }
      },
      { timeoutMs: 60_000, intervalMs: 1000, describe: 'every proxy reaches every gateway' },
    );
  }
  /** Number of clients of each gateway. */
  async function clientsOfGateways(): Promise<number[]> {
    const metrics = await stack.metrics('events');
    return [...metrics.values()].map((text) =>
      [...text.matchAll(/^sinebar_gateway_clients(?:\{.*\})? (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0),
    );
  }
  /** Waits until the gateways together have all clients, and checks that each has its share: each proxy gives them out in turn. */
  async function evenlyShared(gateways: number): Promise<void> {
    const counts = await eventually(
      async () => {
        const found = await clientsOfGateways();
        expect(found).toHaveLength(gateways);
        expect(found.reduce((sum, count) => sum + count, 0)).toBe(clients.length);
        return found;
      },
      { timeoutMs: 60_000, intervalMs: 1000, describe: 'the gateways have all clients' },
    );
    process.stderr.write(`clients of the gateways: ${counts.join(', ')}\n`);
    const share = clients.length / gateways;
    for (const count of counts) {
      expect(count).toBeGreaterThan(share / 3);
      expect(count).toBeLessThan(share * 2);
    }
  }

  it('has all replicas, and is healthy as a whole', async () => {
    const counts: Record<string, number> = {};
    for (const service of DEPLOYMENTS) counts[service] = (await stack.pods(service)).filter(({ isReady }) => isReady).length;
    expect(counts).toEqual({ inspection: 2, 'raw-data': 2, events: GATEWAYS, proxy: 2 });
    expect((await send(`${stack.url()}/healthServiceRest/ready`)).status).toBe(200);
  });

  it('serves clients of every kind, whichever proxy their requests reach, and shares them evenly', async () => {
    open();
    await allConnected();
    await everyClientReceives();
    await evenlyShared(GATEWAYS);
  }, 180_000);

  it('moves the clients of a gateway that is killed', async () => {
    open();
    await allConnected();
    const [victim] = await stack.pods('events');
    await stack.kubectl(['delete', 'pod', victim?.name ?? '', '--grace-period=0', '--force']);
    await eventually(async () => expect((await clientsOfGateways()).reduce((sum, count) => sum + count, 0)).toBe(clients.length), {
      timeoutMs: 60_000,
      intervalMs: 1000,
    });
    await allConnected();
    await everyClientReceives();
    await stack.ready();
  }, 240_000);

  inFull(
    'uses a gateway that is added, and moves the clients of one that is removed',
    async () => {
      await stack.kubectl(['scale', 'deployment/events', `--replicas=${GATEWAYS + 1}`]);
      await stack.ready();
      await everyProxyReaches(GATEWAYS + 1);
      open();
      await allConnected();
      await evenlyShared(GATEWAYS + 1);
      await stack.kubectl(['scale', 'deployment/events', `--replicas=${GATEWAYS}`]);
      await eventually(async () => expect(await stack.pods('events')).toHaveLength(GATEWAYS), { timeoutMs: 120_000, intervalMs: 1000 });
      await allConnected();
      await everyClientReceives();
    },
    400_000,
  );

  for (const deployment of DEPLOYMENTS) {
    const inForm = deployment === 'inspection' ? it : inFull;
    inForm(`restarts ${deployment} pod by pod without a failed request`, () => undisturbedBy(() => stack.restart(deployment)), 500_000);
  }

  for (const deployment of DEPLOYMENTS) {
    const inForm = deployment === 'raw-data' ? it : inFull;
    inForm(`replaces a deleted pod of ${deployment} without a failed request`, () => undisturbedBy(() => deletePod(deployment)), 500_000);
  }
  async function deletePod(service: string): Promise<void> {
    const [victim] = await stack.pods(service);
    await stack.kubectl(['delete', 'pod', victim?.name ?? '', '--wait=false']);
    await stack.waitUntilRemoved(service);
    await stack.ready();
  }

  it('is taken over and updated by helm without a failed request, while the migrations run and old and new serve together', async () => {
    const address = await stack.kubectl(['get', 'service', 'proxy', '--output', 'jsonpath={.spec.clusterIP}']);
    await undisturbedBy(async () => {
      await stack.upgradeByHelm({ events: { minReplicas: GATEWAYS }, nodeSelector: { 'kubernetes.io/os': 'linux' } });
      for (const deployment of DEPLOYMENTS) await stack.waitUntilRemoved(deployment);
    });
    for (const service of ['inspection', 'raw-data', 'events']) {
      const pods = await stack.kubectl(['get', 'pods', '--selector', `app.kubernetes.io/name=${service}`, '--output', PODS]);
      // Also without an earlier version of the images the pods are replaced, by those of another node selector.
      expect(new Set(pods.trim().split(' '))).toEqual(new Set([`sinebar:${VERSION}@linux`]));
    }
    // The objects are those that were there.
    expect(await stack.kubectl(['get', 'service', 'proxy', '--output', 'jsonpath={.spec.clusterIP}'])).toBe(address);
  }, 600_000);
}

/** Image and node selector of each pod. */
const PODS = String.raw`jsonpath={range .items[*]}{.spec.containers[0].image}@{.spec.nodeSelector.kubernetes\.io/os}{" "}{end}`;
