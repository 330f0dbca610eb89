import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy before PostgreSQL that notes each error that the server answers, which is also an ERROR in its log. */
export interface DatabaseErrors {
  /** Address of the database through the proxy. */
  readonly url: string;
  /** The errors so far, as `<SQLSTATE> <message>`. */
  readonly errors: string[];
  close(): Promise<void>;
}

const ERROR_RESPONSE = 'E'.charCodeAt(0);
const LENGTH_BYTES = 4;

/** @param url of a database that is reached without TLS */
export async function recordDatabaseErrors(url: string): Promise<DatabaseErrors> {
  const target = new URL(url);
  const errors: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(database);
    database.pipe(client);
    const read = messageReader((type, body) => {
      if (type === ERROR_RESPONSE) errors.push(errorText(body));
    });
    database.on('data', read);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    errors,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Splits what PostgreSQL sends into messages: a byte for the type, the length including itself, and the body. */
function messageReader(onMessage: (type: number, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length > LENGTH_BYTES) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      onMessage(rest.readUInt8(0), rest.subarray(1 + LENGTH_BYTES, end));
      rest = rest.subarray(end);
    }
  };
}

/** Reads the fields of an error, each a letter and a text that ends with a zero byte. */
function errorText(body: Buffer): string {
  const fields = body.toString('utf8').split('\0');
  const field = (letter: string) => fields.find((text) => text.startsWith(letter))?.slice(1) ?? '';
  return `${field('C')} ${field('M')}`;
}
