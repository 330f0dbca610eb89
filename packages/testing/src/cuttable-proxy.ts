import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that stands between a service and one of its backing services. */
export interface CuttableProxy {
  readonly port: number;
  connections(): number;
  /** Resets every connection; new ones are reset as soon as they are accepted. */
  cut(): void;
  /**
   * Keeps every connection open but forwards nothing, like a network that drops packets.
   * @param direction `answers` stops only the answers to clients; default is both directions
   */
  stall(direction?: 'both' | 'answers'): void;
  /** Ends `cut` and `stall`. Stalled connections resume and lose nothing. */
  restore(): void;
  /** Sends new connections to another port of the same host. */
  redirect(port: number): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port to `targetHost:targetPort`.
 * It keeps listening while cut: another process could take a closed port before `restore`.
 */
export async function cuttableProxy(targetHost: string, targetPort: number): Promise<CuttableProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let currentPort = targetPort;
  let state: 'passing' | 'cut' | 'stalled' | 'unanswered' = 'passing';
  const holds = (from: Socket, [, target]: readonly [Socket, Socket]) => state === 'stalled' || (state === 'unanswered' && from === target);

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (state === 'cut') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const target = connect({ host: targetHost, port: currentPort, allowHalfOpen: true });
    const pair = [client, target] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [target, client] as const]) {
      from.on('data', (chunk) => {
        if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => {
        if (!holds(from, pair)) from.resume();
      });
      from.on('end', () => to.end());
      // A broken connection is forwarded as a reset.
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (holds(from, pair)) from.pause();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  const reset = () => {
    for (const [client, target] of [...pairs]) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    cut() {
      state = 'cut';
      reset();
    },
    stall(direction = 'both') {
      state = direction === 'both' ? 'stalled' : 'unanswered';
      for (const pair of pairs) for (const socket of pair) if (holds(socket, pair)) socket.pause();
    },
    restore() {
      state = 'passing';
      for (const socket of [...pairs].flat()) socket.resume();
    },
    redirect(port) {
      currentPort = port;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      reset();
      await closed;
    },
  };
}
