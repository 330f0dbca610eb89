import { randomUUID } from 'node:crypto';
import { Semaphore } from '@sinebar/concurrency';
import { startBareSockets, startDistributed, startStandalone, type Product } from '../product.ts';
import { createPart, send } from '../rest-calls.ts';
import { makeBenchStream } from './bench-stream.ts';
import { stampedChange, stampedUuid } from './plants.ts';

/** Writes at the same time, at most: a server that is overloaded takes no thousand connections of writers. */
const MAX_REQUESTS = 64;

/** A server under test, and one write, which is a message for every client. */
export interface Sender {
  server: Product;
  write: () => Promise<unknown>;
  stop: () => Promise<void>;
}

/** One process and three, and a Socket.IO server that stores nothing. */
export const SENDERS = {
  bare: startBare,
  'one process': () => startProduct(startStandalone),
  'three processes': () => startProduct(startDistributed),
};

/** A write is a publication to JetStream: it costs this server less than a request. */
async function startBare(): Promise<Sender> {
  const stream = await makeBenchStream();
  const server = await startBareSockets();
  return {
    server,
    write: () => stream.publish(stampedChange(0)),
    stop: async () => {
      await server.stop();
      await stream.remove();
    },
  };
}

async function startProduct(start: () => Promise<Product>): Promise<Sender> {
  const server = await start();
  const part = await createPart(server.url, `fan-out ${randomUUID()}`);
  const requests = new Semaphore(MAX_REQUESTS);
  return {
    server,
    write: () => {
      // The time counts from here, so that waiting writes are late.
      const uuid = stampedUuid();
      return requests.run(new AbortController().signal, () =>
        send(server.url, 'POST', 'measurements', [{ uuid, partUuid: part, attributes: {} }]),
      );
    },
    stop: server.stop,
  };
}
