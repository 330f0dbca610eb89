import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eventually, reportFigures } from '@sinebar/testing';
import { runAcceptance } from '../support/acceptance.ts';
import { ComposeStack, freePorts, ROOT } from '../support/compose-stack.ts';
import { describeWithDocker, inFull, IS_SHORT, seconds } from '../support/engines.ts';
import { EVENT_CLIENTS, startBalancer, type Balancer, type EventClient } from '@sinebar/testing/event-clients';
import { Load, send, unexplained } from '../support/load.ts';
import { findUnwantedFiles, readRights, SERVICES_OF_THE_PRODUCT, tryToWrite } from '../support/container-contents.ts';

const GATEWAYS = 3;
const CLIENTS_OF_A_KIND = 4;
const CLIENTS_TIMEOUT_MS = 60_000;
const SPREAD_TIMEOUT_MS = 120_000;
/** Acknowledged writes between two disturbances. */
const WRITES = IS_SHORT ? 30 : 100;
const TWO_PROXIES = join(ROOT, 'tests/engines/src/support/two-proxies.yml');
/** Acceptance tests that need no more of the product than its address. */
const SPECS = IS_SHORT ? ['slice'] : ['slice', 'signalr', 'plan-events', 'file-targets'];

describeWithDocker('the compose file in a docker engine', testStack, { inShort: true });

function testStack(): void {
  let stack: ComposeStack;
  let secondPort: number;
  let load: Load;

  beforeAll(async () => {
    const [port = 0, second = 0] = await freePorts(2);
    secondPort = second;
    const startedAt = performance.now();
    stack = await ComposeStack.up({ port, env: { SECOND_PORT: String(secondPort) } });
    reportFigures(`compose, from images to ready: ${seconds(performance.now() - startedAt)}`);
  }, 400_000);
  afterAll(() => stack?.down({ volumes: true }), 200_000);

  async function createPart(): Promise<string> {
    const uuid = randomUUID();
    const body = JSON.stringify([{ uuid, path: `P:/event ${uuid}/` }]);
    const { status } = await send(`${stack.url}/dataServiceRest/parts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(status).toBe(201);
    return uuid;
  }

  it.each(SPECS)(
    'passes the acceptance tests: %s',
    async (spec) => {
      const { passed, failures } = await runAcceptance(spec, stack.url);
      expect(failures).toEqual([]);
      expect(passed).toBeGreaterThan(0);
    },
    660_000,
  );

  describe.each(SERVICES_OF_THE_PRODUCT)('the container of %s', (service) => {
    it('has neither another user nor rights', async () => {
      expect(await readRights(stack, service)).toEqual({ user: 10001, group: 10001, capabilities: 0, mayGainRights: false });
    });
    it('can write to volumes and /tmp only', async () => {
      const folders = ['/tmp', '/app', '/etc/sinebar', '/usr', '/'];
      expect(await tryToWrite(stack, service, folders)).toEqual(['written', ...Array<string>(4).fill('EROFS')]);
    });
    it('contains no source, test or tool of developers', async () => {
      expect(await findUnwantedFiles(stack, service)).toEqual([]);
    });
  });

  describe('with three gateways and two proxies', () => {
    let balancer: Balancer;
    const clients: EventClient[] = [];
    async function closeAll(): Promise<void> {
      for (const client of clients.splice(0)) await client.stop();
    }

    beforeAll(async () => {
      await stack.change({ scale: { events: GATEWAYS }, files: [TWO_PROXIES] });
      balancer = await startBalancer([Number(new URL(stack.url).port), secondPort]);
    }, 400_000);
    afterEach(closeAll);
    afterAll(() => balancer?.close());

    const openAll = () => {
      for (const start of Object.values(EVENT_CLIENTS)) for (let i = 0; i < CLIENTS_OF_A_KIND; i += 1) clients.push(start(balancer.url));
    };
    const allConnected = () =>
      eventually(() => expect(clients.filter((client) => client.isConnected())).toHaveLength(clients.length), {
        timeoutMs: CLIENTS_TIMEOUT_MS,
        describe: 'all clients are connected',
      });
    async function everyClientReceives(): Promise<void> {
      const uuid = await createPart();
      await eventually(() => expect(clients.filter(({ parts }) => parts.has(uuid))).toHaveLength(clients.length), {
        timeoutMs: CLIENTS_TIMEOUT_MS,
        describe: 'every client receives the event',
      });
    }
    const clientsOf = async (index: number) => {
      const script = `fetch('http://127.0.0.1:8080/healthServiceRest/ready').then((answer) => answer.text()).then(console.log)`;
      const { details } = JSON.parse(await stack.exec('events', ['node', '-e', script], index)) as {
        details: { name: string; detail: string }[];
      };
      return Number(/^\d+/.exec(details.find(({ name }) => name === 'event clients')?.detail ?? '')?.[0]);
    };

    /** Opens clients until they are spread over all gateways: a proxy learns the address of a new one after 5 s. */
    const spread = () =>
      eventually(
        async () => {
          await closeAll();
          openAll();
          await allConnected();
          const counts = await Promise.all(Array.from({ length: GATEWAYS }, (_, i) => clientsOf(i + 1)));
          const share = clients.length / GATEWAYS;
          if (counts.some((count) => !(count > share / 3 && count < share * 2)))
            throw new Error(`the gateways have ${counts.join(', ')} clients`);
          return counts;
        },
        { describe: 'clients are spread over all gateways', timeoutMs: SPREAD_TIMEOUT_MS, intervalMs: 2000 },
      );

    it('connects clients of all kinds and spreads them over the gateways', async () => {
      const counts = await spread();
      reportFigures(`${clients.length} clients through two proxies are at the gateways: ${counts.join(', ')}`);
      await everyClientReceives();
    }, 240_000);

    it('keeps all clients when a gateway is killed', async () => {
      openAll();
      await allConnected();
      await stack.killAndWait('events', 2);
      await allConnected();
      await everyClientReceives();
    }, 300_000);

    inFull(
      'keeps all clients when a gateway is removed and added',
      async () => {
        openAll();
        await allConnected();
        for (const events of [GATEWAYS - 1, GATEWAYS]) {
          await stack.change({ scale: { events } });
          await allConnected();
          await everyClientReceives();
        }
      },
      600_000,
    );
  });

  describe('under load', () => {
    beforeAll(async () => {
      load = await Load.start(stack.url);
    });
    afterAll(() => load?.stop());

    it('recovers when any container is killed, and keeps what it has acknowledged', async () => {
      for (const service of stack.services()) {
        await load.acknowledges(WRITES);
        const tookMs = await stack.killAndWait(service);
        reportFigures(`${service} killed: ready again after ${seconds(tookMs)}`);
      }
      await load.acknowledges(WRITES);
    }, 1_200_000);

    inFull(
      'continues after stop and start, and after down and up',
      async () => {
        await stack.compose(['stop'], 300_000);
        await stack.compose(['start'], 300_000);
        await stack.ready();
        await load.acknowledges(WRITES);
        await stack.down({ volumes: false });
        await stack.start();
        await load.acknowledges(WRITES);
      },
      900_000,
    );

    it('has lost nothing and has sent each event once', async () => {
      const { requests, failures, longestMs } = await load.stop();
      reportFigures(
        `under kills: ${load.acknowledged} acknowledged writes, ${failures.length} of ${requests} requests failed, longest ${seconds(longestMs)}`,
      );
      expect(unexplained(failures)).toEqual([]);
      expect(await load.missing()).toEqual([]);
      expect(await load.eventProblems()).toEqual([]);
    }, 300_000);
  });
}
