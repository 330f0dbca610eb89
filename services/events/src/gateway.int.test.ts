import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { connectNatsBus, type Bus } from '@sinebar/message-bus';
import { backing, cuttableProxy, describeWith, eventually, testSubjects, type CuttableProxy } from '@sinebar/testing';
import { type TestClient, startGateway, WAYS, type TestGateway } from './gateway.fixture.ts';
import { measurementsCreated, partCreated } from './test-changes.fixture.ts';

describeWith(['nats'], 'event gateway on NATS', () => {
  let proxy: CuttableProxy;
  let publisher: Bus;
  const replicas: { gateway: TestGateway; bus: Bus }[] = [];
  const clients: TestClient[] = [];
  let streamName: string;
  let subjectPrefix: string;

  beforeEach(async () => {
    ({ stream: streamName, prefix: subjectPrefix } = testSubjects());
    const { hostname, port } = new URL(backing().natsUrl);
    proxy = await cuttableProxy(hostname, Number(port));
    publisher = await connectNatsBus({
      servers: backing().natsUrl,
      name: 'test publisher',
      streamName,
      subjectPrefix,
      stream: { maxBytes: 2 ** 24 },
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.disconnect();
    proxy.restore();
    for (const { gateway, bus } of replicas.splice(0)) {
      await gateway.stop();
      await bus.close();
    }
    await publisher.close();
    await proxy.close();
  });

  async function startReplica(): Promise<TestGateway> {
    const bus = await connectNatsBus({
      servers: `nats://127.0.0.1:${proxy.port}`,
      name: 'test gateway',
      streamName,
      subjectPrefix,
      stream: { maxBytes: 2 ** 24 },
    });
    const gateway = await startGateway({ bus });
    replicas.push({ gateway, bus });
    return gateway;
  }
  const isReady = (gateway: TestGateway) =>
    eventually(async () => (await gateway.service.health()).every(({ healthy }) => healthy), { timeoutMs: 20_000 });
  function open(url: string, way = 0, options: ConstructorParameters<typeof TestClient>[1] = {}): Promise<TestClient> {
    const [, connect] = WAYS[way] as (typeof WAYS)[number];
    const client = connect(url, options);
    clients.push(client);
    return client.connected();
  }

  it('is not behind, and answers at once, when the last message of the stream is none of ours', async () => {
    const gateway = await startReplica();
    await isReady(gateway);
    const client = await open(gateway.url);
    await publisher.publish([partCreated('1')]);
    // The message is empty, and the stream accepts all of these subjects.
    publisher.signal('sinebar.events.part.created');
    await eventually(async () => (await gateway.service.health()).some(({ detail }) => detail.includes('message 2, 0 behind')));

    const { epoch } = await publisher.streamState();
    const timesMs: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const begun = performance.now();
      const page = (await (await fetch(`${gateway.url}/eventServiceRest/changes?after=${epoch}.1.0`)).json()) as { changes: [] };
      timesMs.push(performance.now() - begun);
      expect(page.changes).toEqual([]);
    }
    // Other load delays single answers; a wait for the next message delays all.
    expect(Math.min(...timesMs)).toBeLessThan(1500);
    const behind = await open(gateway.url, 1, { auth: { lastSequence: `${epoch}.1.0` } });
    await publisher.publish([partCreated('3')]);
    await Promise.all([client.has(2), behind.has(1)]);
    expect(client.uuids).toEqual(['1', '3']);
    expect(behind.uuids).toEqual(['3']);
  });

  it('gives every client of every replica every event, and lets a client resume at another replica [D7.2]', async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    await Promise.all([isReady(one), isReady(two)]);
    const first = await open(one.url);
    const second = await open(two.url, 1);
    await publisher.publish([partCreated('1'), measurementsCreated(['2', '3'])]);
    await Promise.all([first.has(3), second.has(3)]);
    expect(first.received).toEqual(second.received);
    first.socket.disconnect();
    await publisher.publish([partCreated('4')]);
    const moved = await open(two.url, 0, { auth: { lastSequence: first.received[1]?.meta.sequence } });
    await moved.has(2);
    await publisher.publish([partCreated('5')]);
    await moved.has(3);
    expect(moved.uuids).toEqual(['3', '4', '5']);
    expect(moved.received[1]?.meta).toEqual(second.received[3]?.meta);
  });

  it('is not ready while the broker is away, informs and keeps its clients, and sends them the missed events', async () => {
    const gateway = await startReplica();
    await isReady(gateway);
    const client = await open(gateway.url);
    proxy.cut();
    await eventually(async () => !(await gateway.service.health()).every(({ healthy }) => healthy), { timeoutMs: 20_000 });
    await client.event('Degraded');
    await publisher.publish([partCreated('1'), partCreated('2')]);
    expect(client.socket.connected).toBe(true);
    proxy.restore();
    await client.has(4);
    expect(client.names).toEqual(['Degraded', 'Restored', 'PartCreated', 'PartCreated']);
    expect(client.uuids.slice(2)).toEqual(['1', '2']);
    await isReady(gateway);
  });

  it('starts before the broker is there', async () => {
    proxy.cut();
    const gateway = await startReplica();
    expect((await gateway.service.health()).every(({ healthy }) => healthy)).toBe(false);
    expect((await fetch(`${gateway.url}/events/?EIO=4&transport=polling`)).status).toBe(503);
    proxy.restore();
    await isReady(gateway);
    const client = await open(gateway.url);
    await publisher.publish([partCreated('1')]);
    await client.has(1);
  });

  it('moves many clients to the live stream while events arrive, each event once and in order', async () => {
    const gateway = await startReplica();
    await isReady(gateway);
    const watcher = await open(gateway.url);
    await publisher.publish([measurementsCreated(['0a', '0b'])]);
    await watcher.has(2);
    const resumed: Promise<TestClient>[] = [];
    const total = 300;
    for (let i = 1; i < total; i += 1) {
      await publisher.publish([measurementsCreated([`${i}a`, `${i}b`])]);
      if (i % 15 === 0) resumed.push(open(gateway.url, i % 2, { auth: { lastSequence: watcher.received[0]?.meta.sequence } }));
    }
    const all = Array.from({ length: total }, (_, i) => [`${i}a`, `${i}b`]).flat();
    for (const client of await Promise.all(resumed)) {
      await client.has(all.length - 1);
      expect(client.uuids).toEqual(all.slice(1));
    }
    await watcher.has(all.length);
    expect(watcher.uuids).toEqual(all);
  });
});
