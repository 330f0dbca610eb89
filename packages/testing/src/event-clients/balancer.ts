import { connect, createServer, type AddressInfo } from 'node:net';

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** A balancer that knows nothing of sessions: gives each connection to the next of the ports on 127.0.0.1. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const server = createServer((client) => {
    const proxied = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [client, proxied],
      [proxied, client],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
