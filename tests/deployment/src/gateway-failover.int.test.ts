import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { connectNatsBus, type Bus } from '@sinebar/message-bus';
import {
  backing,
  changeEnvelope,
  describeWith,
  eventually,
  sinebarCommand,
  startProcess,
  uniqueId,
  type RunningProcess,
} from '@sinebar/testing';
import { io, type Socket } from 'socket.io-client';
import { chooseFreePort } from '@sinebar/local-servers';
import { ReverseProxy } from '@sinebar/distributed';
import { size } from '@sinebar/testing/size';

const GATEWAY = sinebarCommand('start', '--services', 'events');
const ROUNDS = size({ short: 2, long: 50 });
const EVENTS_A_ROUND = 60;

interface Replica {
  url: string;
  process: RunningProcess;
}

/** A stock client that resumes as docs/events.md describes. */
class Client {
  readonly uuids: string[] = [];
  readonly socket: Socket;
  connections = 0;
  /** True once the client has a position to resume from. */
  isPlaced = false;

  constructor(socket: Socket, isOwn: (uuid: string) => boolean) {
    this.socket = socket;
    socket.on('connect', () => {
      this.connections += 1;
      if (this.connections > 1) return;
      socket.emit('position', ({ sequence }: { sequence: string }) => {
        this.isPlaced = true;
        // The stock client has no `auth` until it is set.
        (socket.auth as object | undefined) ??= { lastSequence: sequence };
      });
    });
    socket.onAny((_name: string, data: { PartUuid?: string }, meta: { sequence: string }) => {
      socket.auth = { lastSequence: meta.sequence };
      if (data.PartUuid !== undefined && isOwn(data.PartUuid)) this.uuids.push(data.PartUuid);
    });
  }
}

describeWith(['nats'], 'two event gateways behind the proxy', () => {
  const run = uniqueId();
  let publisher: Bus;
  let proxy: ReverseProxy;
  let url: string;
  const replicas: Replica[] = [];
  const clients: Client[] = [];

  beforeEach(async () => {
    publisher = await connectNatsBus({ servers: backing().natsUrl, name: 'test publisher' });
    for (let i = 0; i < 2; i += 1) replicas.push(await startReplica(await chooseFreePort()));
    const unused = ['http://127.0.0.1:1'];
    proxy = new ReverseProxy({ upstreams: { inspection: unused, 'raw-data': unused, events: replicas.map((replica) => replica.url) } });
    url = `http://127.0.0.1:${await proxy.listen(0, '127.0.0.1')}`;
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.disconnect();
    await proxy.close(500);
    for (const { process } of replicas.splice(0)) await process.kill9();
    await publisher.close();
  });

  async function startReplica(port: number): Promise<Replica> {
    const env = { NATS_URL: backing().natsUrl, SINEBAR_HOST: '127.0.0.1', SINEBAR_PORT: String(port), SINEBAR_MANAGEMENT_PORT: 'off' };
    const process_ = await startProcess(process.execPath, GATEWAY, { env, ready: /ready for requests/ });
    const replica = { url: `http://127.0.0.1:${port}`, process: process_ };
    await eventually(async () => (await health(replica)).status === 'Healthy', { timeoutMs: 20_000 });
    return replica;
  }
  async function health({ url }: Replica): Promise<{ status: string; details: { name: string; detail: string }[] }> {
    return (await (await fetch(`${url}/healthServiceRest/ready`)).json()) as Awaited<ReturnType<typeof health>>;
  }
  const clientsOf = async (replica: Replica) =>
    Number(/^\d+/.exec((await health(replica)).details.find(({ name }) => name === 'event clients')?.detail ?? '')?.[0]);

  /** Returns the replica with the most clients, once all are connected. */
  const busiestReplica = () =>
    eventually(
      async () => {
        const counts = await Promise.all(replicas.map(clientsOf));
        if (counts.reduce((sum, count) => sum + count, 0) !== clients.length) throw new Error('not all clients are connected');
        const most = Math.max(...counts);
        return { replica: replicas[counts.indexOf(most)] as Replica, count: most };
      },
      { timeoutMs: 20_000 },
    );

  const partCreated = (uuid: string) =>
    changeEnvelope({ type: 'PartCreated', sinebarpart: uuid, data: { events: [{ PartUuid: uuid, ParentPartUuid: run }] } });

  it(
    'lose no event when one of them is killed: its clients continue at the other one [D7.2, D7.4]',
    async () => {
      const connect = (socket: Socket) => {
        const client = new Client(socket, (uuid) => uuid.startsWith(run));
        clients.push(client);
        return client;
      };
      connect(io(`${url}/events`, { forceNew: true }));
      connect(io(url, { path: '/events', forceNew: true }));
      connect(io(`${url}/events`, { forceNew: true, transports: ['polling'] }));
      connect(io(`${url}/events`, { forceNew: true, transports: ['websocket'] }));
      await eventually(() => clients.every(({ isPlaced }) => isPlaced), { timeoutMs: 20_000 });

      const published: string[] = [];
      /** Connections: one of each client, and one more for each client of a killed replica. */
      let expected = clients.length;
      for (let round = 0; round < ROUNDS; round += 1) {
        let victim: Replica | undefined;
        for (let i = 0; i < EVENTS_A_ROUND; i += 1) {
          // The first crash comes before clients have had any event.
          if (i === (round === 0 ? 0 : EVENTS_A_ROUND / 2)) {
            const busiest = await busiestReplica();
            victim = busiest.replica;
            expected += busiest.count;
            await victim.process.kill9();
          }
          const uuid = `${run}-${round}-${i}`;
          published.push(uuid);
          await publisher.publish([partCreated(uuid)]);
        }
        await eventually(() => clients.every(({ uuids }) => uuids.length >= published.length), { timeoutMs: 60_000 });
        for (const { uuids } of clients) expect(uuids).toEqual(published);
        expect(clients.reduce((sum, { connections }) => sum + connections, 0)).toBeGreaterThanOrEqual(expected);
        if (victim) replicas[replicas.indexOf(victim)] = await startReplica(Number(new URL(victim.url).port));
      }
    },
    120_000 + ROUNDS * 60_000,
  );
});
