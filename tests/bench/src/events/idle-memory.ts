import { setTimeout as pause } from 'node:timers/promises';
import { median, table } from '../figures.ts';
import { residentMiB } from '../process-memory.ts';
import { startBareSockets, startGateway, type Product } from '../product.ts';
import { makeBenchStream } from './bench-stream.ts';
import { ClientFleet } from './clients/client-fleet.ts';
import { RIGHTS_SETS } from './plants.ts';

const ROUNDS = 3;
const CLIENTS = 5000;
const WARM_UP_CLIENTS = 200;

/** Measures the memory of idle connections, against a Socket.IO server. */
export async function measureIdleMemory(): Promise<string> {
  const stream = await makeBenchStream();
  const fleet = new ClientFleet();
  const bare: number[] = [];
  const gateway: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await kibPerConnection(await startBareSockets(), fleet));
      gateway.push(await kibPerConnection(await startGateway(), fleet));
    }
  } finally {
    await fleet.stop();
    await stream.remove();
  }
  return table(
    [`${CLIENTS} idle connections`, 'gateway', 'bare Socket.IO', 'gateway / bare', 'goal'],
    [['KiB per connection', median(gateway), median(bare), (median(gateway) / median(bare)).toFixed(2), 'at most 1.2']],
  );
}

async function kibPerConnection(server: Product, fleet: ClientFleet): Promise<number> {
  const pid = server.servicePid('');
  const auths = (count: number) => Array.from({ length: count }, (_, i) => ({ token: String(i % RIGHTS_SETS) }));
  try {
    await fleet.open(server.url, auths(WARM_UP_CLIENTS));
    await fleet.closeClients();
    const before = await settledMiB(pid);
    await fleet.open(server.url, auths(CLIENTS));
    const kib = (((await settledMiB(pid)) - before) * 1024) / CLIENTS;
    console.error(`${server.name}: ${kib.toFixed(2)} KiB`);
    return kib;
  } finally {
    await fleet.closeClients();
    await server.stop();
  }
}

/** Returns the resident memory after two garbage collections and the release of pages. */
async function settledMiB(pid: number): Promise<number> {
  for (let i = 0; i < 3; i += 1) {
    await pause(1000);
    process.kill(pid, 'SIGUSR2');
  }
  await pause(1000);
  return residentMiB(pid);
}
