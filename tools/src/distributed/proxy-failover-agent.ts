import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Idle time of a connection, far below that of the service (65 s), so that no request uses a closing one. */
const IDLE_MS = 30_000;

export interface Address {
  host: string;
  port: number;
}

type Connected = (error: Error | null, stream: Duplex) => void;

/**
 * Connects to the first of several addresses that accepts.
 * It chooses before any byte of the request is sent, so a body that can be read only once is not lost, and nothing is sent twice.
 */
export class FailoverAgent extends Agent {
  private readonly addresses: readonly Address[];
  private readonly connectTimeoutMs: number;

  constructor(addresses: readonly Address[], connectTimeoutMs: number) {
    super({ keepAlive: true, maxFreeSockets: 64 });
    this.addresses = addresses;
    this.connectTimeoutMs = connectTimeoutMs;
  }

  override createConnection(_options: ClientRequestArgs, callback?: Connected): undefined {
    if (callback) this.tryFrom(0, callback);
    return undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Node keeps the connection unless the result is false, although the declaration has no result.
    const keep: unknown = super.keepSocketAlive(socket);
    (socket as Socket).setTimeout(IDLE_MS);
    return keep !== false;
  }

  private tryFrom(index: number, callback: Connected): void {
    const address = this.addresses[index];
    if (!address) {
      callback(new Error('no address to connect to'), undefined as unknown as Duplex);
      return;
    }
    const socket = connect({ ...address, noDelay: true });
    const late = () => onError(new Error(`no connection to ${address.host}:${address.port} within ${this.connectTimeoutMs} ms`));
    const fail = (error: Error) => {
      socket.off('timeout', late);
      // The error listener stays, because a destroyed socket may emit another error.
      socket.destroy();
      if (index + 1 < this.addresses.length) this.tryFrom(index + 1, callback);
      else callback(error, undefined as unknown as Duplex);
    };
    const onError = once(fail);
    socket.on('error', onError);
    socket.setTimeout(this.connectTimeoutMs, late);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('timeout', late);
      socket.off('error', onError);
      callback(null, socket);
    });
  }
}

function once(listener: (error: Error) => void): (error: Error) => void {
  let called = false;
  return (error) => {
    if (called) return;
    called = true;
    listener(error);
  };
}
