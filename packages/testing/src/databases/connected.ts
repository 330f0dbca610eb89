import pg from 'pg';

const CONNECTION_TIMEOUT_MS = 10_000;

/** Returns how tests connect to a database. */
export const connectionOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'sinebar-testing',
  connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
});

/** Works on a connection of its own to a database. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOptions(url));
  // A lost connection fails the running query; without a listener it would end the process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
