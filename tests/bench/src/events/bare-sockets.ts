import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { Server } from 'socket.io';
import { collectGarbageOnSignal } from './garbage.ts';
import { ALL_PLANTS, BENCH_STREAM, PLANTS, plantPath, plantsOf, RIGHTS_SETS } from './plants.ts';

/** A minimal Socket.IO server: one room per set of rights, fed by an ordered consumer. No subscriptions, no replay, no limits. */
const server = createServer();
const io = new Server(server, { serveClient: false });
io.on('connection', (socket) => void socket.join(`set ${(socket.handshake.auth as { token: string }).token}`));

const roomsByPath = new Map(
  Array.from({ length: PLANTS }, (_, plant) => {
    const sets = Array.from({ length: RIGHTS_SETS }, (_, set) => set).filter((set) => plantsOf(set).includes(plant));
    return [plantPath(plant), [...sets.map((set) => `set ${set}`), `set ${ALL_PLANTS}`]];
  }),
);
const nats = await connect({ servers: process.env['NATS_URL'] ?? '' });
const consumer = await jetstream(nats).consumers.get(BENCH_STREAM, { deliver_policy: 'new' });
await consumer.consume({
  callback: (message) => {
    const { id, type, time, sinebarpath, data } = message.json<ChangeEnvelope>();
    const rooms = roomsByPath.get(sinebarpath) ?? [];
    data.events.forEach((payload, index) =>
      io.to(rooms).emit(type, payload, { id: `${id}.${index}`, time, sequence: `${message.seq}.${index}` }),
    );
  },
});

collectGarbageOnSignal();
process.on('SIGINT', () => process.exit());
server.listen(0, '127.0.0.1', () => console.log(`Sinebar is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
