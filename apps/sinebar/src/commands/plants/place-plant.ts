import { commandText } from '@sinebar/contracts';
import { pause } from '@sinebar/concurrency';
import type pg from 'pg';
import { withConnection } from '../backup/connection.ts';
import { CommandError, UsageError } from '../../command-line/command.ts';
import type { Progress } from '../../command-line/progress.ts';
import type { Store } from '../../stores/store.ts';
import { readSizeBytes, requirePlant } from './plant-store.ts';

/** First release of Citus that moves schemas. */
const OLDEST_CITUS = [12, 1] as const;
const POLL_MS = 500;

export interface Node {
  host: string;
  port: number;
}

/** Reads `host:port`. @throws UsageError */
export function readNode(text: string): Node {
  const match = /^(.+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match?.[1] === undefined || port < 1 || port > 65_535) throw new UsageError(`NODE is host:port, as in pg_dist_node, not "${text}".`);
  return { host: match[1], port };
}

/**
 * Makes both schemas of a plant distributed ones, each as a whole on one node, and both on the same.
 * @returns the node. @throws CommandError without a fitting Citus or such a plant
 */
export async function distributePlant(store: Store, progress: Progress, signal: AbortSignal): Promise<Node> {
  return await withConnection(store.databaseUrl, signal, async (client) => {
    await requireCitus(client);
    for (const schema of await requirePlant(client, store)) {
      if ((await findNode(client, schema)) !== undefined) continue;
      const bytes = await readSizeBytes(client, [schema]);
      progress.stage(`Distributing ${schema}`, 'bytes', bytes);
      await client.query('SELECT citus_schema_distribute($1::regnamespace)', [`"${schema}"`]);
      progress.advance(bytes);
    }
    progress.done();
    return await joinOnOneNode(client, store, progress, signal);
  });
}

/** Moves both schemas of a plant to a node. Writing continues until the last moment. @throws CommandError as {@link distributePlant} */
export async function movePlant(store: Store, node: Node, progress: Progress, signal: AbortSignal): Promise<void> {
  await withConnection(store.databaseUrl, signal, async (client) => {
    await requireCitus(client);
    const { rows: nodes } = await client.query<{ name: string; port: number }>(
      `SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards AND isactive ORDER BY nodename, nodeport`,
    );
    if (!nodes.some(({ name, port }) => name === node.host && port === node.port)) {
      throw new CommandError(
        `The cluster has no node ${node.host}:${node.port} for data. It has: ` +
          `${nodes.map(({ name, port }) => `${name}:${port}`).join(', ')}.`,
      );
    }
    for (const schema of await requirePlant(client, store)) await moveSchema(client, { store, schema, node, progress, signal });
    progress.done();
  });
}

/** @returns the node of the first schema, to which the second one is moved; statements of doctor read both */
async function joinOnOneNode(client: pg.Client, store: Store, progress: Progress, signal: AbortSignal): Promise<Node> {
  const schemas = await requirePlant(client, store);
  const node = await findNode(client, schemas[0] ?? '');
  if (node === undefined) throw new CommandError(`The schema ${schemas[0]} was not distributed.`);
  for (const schema of schemas) await moveSchema(client, { store, schema, node, progress, signal });
  progress.done();
  return node;
}

interface SchemaMove {
  store: Store;
  schema: string;
  node: Node;
  progress: Progress;
  signal: AbortSignal;
}

async function moveSchema(client: pg.Client, { store, schema, node, progress, signal }: SchemaMove): Promise<void> {
  const current = await findNode(client, schema);
  if (current === undefined) {
    throw new CommandError(`The schema ${schema} is not distributed. ${commandText(`plants distribute ${store.plant}`)} does that.`);
  }
  if (current.host === node.host && current.port === node.port) return;
  progress.stage(`Moving ${schema} to ${node.host}:${node.port}`, 'bytes', await readSizeBytes(client, [schema]));
  const ended = new AbortController();
  const shown = showMove(store.databaseUrl, progress, AbortSignal.any([signal, ended.signal]));
  try {
    await client.query('SELECT citus_schema_move($1::regnamespace, $2, $3::int)', [`"${schema}"`, node.host, node.port]);
  } finally {
    ended.abort();
    await shown;
  }
}

/** Follows the copied bytes, which only the cluster knows. */
async function showMove(url: string, progress: Progress, signal: AbortSignal): Promise<void> {
  let shown = 0;
  await withConnection(url, signal, async (client) => {
    while (!signal.aborted) {
      const { rows } = await client.query<{ bytes: string | null }>(
        'SELECT sum(target_shard_size)::text AS bytes FROM get_rebalance_progress()',
      );
      const copied = Number(rows[0]?.bytes ?? 0);
      if (copied > shown) progress.advance(copied - shown);
      shown = Math.max(shown, copied);
      await pause(POLL_MS, signal);
    }
  }).catch(() => undefined);
}

/** Returns the node of a distributed schema; `undefined` for one that only the coordinator knows. */
export async function findNode(client: pg.Client, schema: string): Promise<Node | undefined> {
  const { rows } = await client.query<Node>(
    `SELECT nodename AS host, nodeport AS port FROM citus_shards JOIN pg_class ON pg_class.oid = table_name
     JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND citus_table_type = 'schema' LIMIT 1`,
    [schema],
  );
  return rows[0];
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`);
  const version = rows[0]?.version;
  if (version === undefined) {
    throw new CommandError('This PostgreSQL has no Citus: a plant is placed on a node in a Citus cluster only (docs/scaling.md).');
  }
  if (!isRecentCitus(version)) {
    throw new CommandError(`This PostgreSQL has Citus ${version}; ${OLDEST_CITUS.join('.')} or newer is needed (docs/scaling.md).`);
  }
}

/** @param version such as `13.2-1` */
export function isRecentCitus(version: string): boolean {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  return major > OLDEST_CITUS[0] || (major === OLDEST_CITUS[0] && minor >= OLDEST_CITUS[1]);
}
