import { connected } from './connected.ts';

/**
 * Address of a database on the coordinator of a Citus cluster, whose nodes test databases then use: their schemas are distributed
 * (`scripts/servers/citus.mjs`). Undefined for ordinary tests.
 */
export function citusCoordinator(environment: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return environment['SINEBAR_TEST_CITUS'] || undefined;
}

interface ClusterNode {
  host: string;
  port: number;
}

/** Creates a database on all nodes of the cluster, lets `migrate` fill it and distributes its schemas. @returns its address */
export async function createClusterDatabase(coordinator: string, name: string, migrate: (url: string) => Promise<void>): Promise<string> {
  const workers = await listWorkers(coordinator);
  for (const url of [coordinator, ...workers.map((node) => addressOn(coordinator, node))]) {
    await connected(url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`));
    await connected(withDatabase(url, name), (client) => client.query('CREATE EXTENSION citus; CREATE EXTENSION pg_trgm'));
  }
  const url = withDatabase(coordinator, name);
  const { hostname, port } = new URL(coordinator);
  await connected(url, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2::int)', [hostname, port]);
    for (const node of workers) await client.query('SELECT citus_add_node($1, $2::int)', [node.host, node.port]);
  });
  await migrate(url);
  await connected(url, async (client) => {
    const { rows } = await client.query<{ schema: string }>(
      `SELECT DISTINCT table_schema AS schema FROM information_schema.tables WHERE table_name = 'schema_version'`,
    );
    for (const { schema } of rows) await client.query('SELECT citus_schema_distribute($1::regnamespace)', [`"${schema}"`]);
  });
  return url;
}

/** Ends all connections of the database on every node and removes it. */
export async function dropClusterDatabase(coordinator: string, name: string): Promise<void> {
  const workers = await listWorkers(coordinator);
  for (const url of [coordinator, ...workers.map((node) => addressOn(coordinator, node))]) {
    await connected(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }
}

async function listWorkers(coordinator: string): Promise<ClusterNode[]> {
  return await connected(coordinator, async (client) => {
    const { rows } = await client.query<ClusterNode>('SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0');
    return rows;
  });
}

function addressOn(coordinator: string, { host, port }: ClusterNode): string {
  const url = new URL(coordinator);
  url.hostname = host;
  url.port = String(port);
  return url.href;
}

function withDatabase(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
