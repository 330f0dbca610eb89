import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { chooseFreePort } from '@sinebar/local-servers';
import { connectNatsBus, type Bus } from '@sinebar/message-bus';
import {
  backing,
  changeEnvelope,
  describeUnless,
  describeWith,
  eventually,
  sinebarCommand,
  startProcess,
  type RunningProcess,
} from '@sinebar/testing';
import { EVENT_CLIENTS, startBalancer, type Balancer, type EventClient, type StartClient } from '@sinebar/testing/event-clients';
import { NGINX, startNginx } from './nginx.fixture.ts';
import type { RunningProxy } from './proxy-contract.fixture.ts';

const GATEWAY = sinebarCommand('start', '--services', 'events');
const GATEWAYS = 3;
const CLIENTS_OF_A_KIND = 6;
const TIMEOUT_MS = 30_000;

if (NGINX?.isSticky !== true) {
  describeUnless('no nginx 1.29.6 or newer; SINEBAR_TEST_NGINX names one', 'three gateways behind two proxies', () =>
    it('need nginx 1.29.6', () => undefined),
  );
} else {
  const nginx = NGINX;
  describeWith(['nats'], 'three gateways behind two proxies', () => {
    let publisher: Bus;
    let balancer: Balancer;
    const proxies: RunningProxy[] = [];
    const replicas: { url: string; port: number; process: RunningProcess }[] = [];
    const clients: EventClient[] = [];

    async function startReplica(port: number) {
      const env = {
        NATS_URL: backing().natsUrl,
        SINEBAR_HOST: '127.0.0.1',
        SINEBAR_PORT: String(port),
        SINEBAR_MANAGEMENT_PORT: 'off',
        SINEBAR_TRUSTED_PROXIES: '127.0.0.1',
      };
      const process_ = await startProcess(process.execPath, GATEWAY, { env, ready: /ready for requests/ });
      return { url: `http://127.0.0.1:${port}`, port, process: process_ };
    }
    async function clientsOf(url: string): Promise<number> {
      const { details } = (await (await fetch(`${url}/healthServiceRest/ready`)).json()) as { details: { name: string; detail: string }[] };
      return Number(/^\d+/.exec(details.find(({ name }) => name === 'event clients')?.detail ?? '')?.[0]);
    }
    const counts = () => Promise.all(replicas.map(({ url }) => clientsOf(url)));
    const open = (start: StartClient) => {
      for (let i = 0; i < CLIENTS_OF_A_KIND; i += 1) clients.push(start(balancer.url));
    };
    const allConnected = () =>
      eventually(() => expect(clients.filter((client) => client.isConnected())).toHaveLength(clients.length), { timeoutMs: TIMEOUT_MS });
    /** Publishes an event and waits until every client has it. */
    async function everyClientReceives(): Promise<void> {
      const uuid = randomUUID();
      await publisher.publish([
        changeEnvelope({ type: 'PartCreated', sinebarpart: uuid, data: { events: [{ PartUuid: uuid, ParentPartUuid: randomUUID() }] } }),
      ]);
      await eventually(() => expect(clients.filter(({ parts }) => parts.has(uuid))).toHaveLength(clients.length), {
        timeoutMs: TIMEOUT_MS,
      });
    }

    beforeAll(async () => {
      publisher = await connectNatsBus({ servers: backing().natsUrl, name: 'test publisher' });
      for (let i = 0; i < GATEWAYS; i += 1) replicas.push(await startReplica(await chooseFreePort()));
      const unused = ['http://127.0.0.1:1'];
      const upstreams = { inspection: unused, 'raw-data': unused, events: replicas.map(({ url }) => url) };
      for (let i = 0; i < 2; i += 1) proxies.push(await startNginx(nginx, upstreams));
      balancer = await startBalancer(proxies.map(({ origin }) => Number(new URL(origin).port)));
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.stop();
    });
    afterAll(async () => {
      for (const proxy of proxies) await proxy.stop();
      await balancer?.close();
      for (const { process } of replicas) await process.kill9();
      await publisher?.close();
    });

    it.each(Object.entries(EVENT_CLIENTS))('serve each client of %s, whichever proxy its requests reach', async (_kind, start) => {
      open(start);
      await allConnected();
      await everyClientReceives();
    });

    it('share the clients evenly, although all have one address', async () => {
      for (const start of Object.values(EVENT_CLIENTS)) open(start);
      await allConnected();
      const share = clients.length / GATEWAYS;
      for (const count of await counts()) {
        expect(count).toBeGreaterThan(share / 3);
        expect(count).toBeLessThan(share * 2);
      }
    });

    it('take over the clients of a gateway that is killed, and serve them when it is back', async () => {
      for (const start of Object.values(EVENT_CLIENTS)) open(start);
      await allConnected();
      const [victim] = replicas;
      if (!victim) throw new Error('there is no gateway');
      await victim.process.kill9();
      replicas.shift();
      await eventually(async () => expect((await counts()).reduce((sum, count) => sum + count, 0)).toBe(clients.length), {
        timeoutMs: TIMEOUT_MS,
      });
      await allConnected();
      await everyClientReceives();
      replicas.push(await startReplica(victim.port));
      open(EVENT_CLIENTS['Socket.IO by polling'] as StartClient);
      await allConnected();
      await everyClientReceives();
      expect(await clientsOf(victim.url)).toBeGreaterThan(0);
    }, 90_000);
  });
}
