import { commandText } from '@sinebar/contracts';
import { pause } from '@sinebar/concurrency';
import type { DatabaseLog } from '../log.ts';
import { closeAbruptly } from '../connection/driver-internals.ts';
import { assertSchemaName } from '../connection/connection-settings.ts';
import { reachServer, UnsuitableDatabaseError } from '../connection/server-check.ts';

interface Waiting {
  timeoutMs: number;
  signal?: AbortSignal;
  log: DatabaseLog;
}

const POLL_MS = 500;
const POLLS_PER_MESSAGE = 20;

/**
 * Waits until the schema of a plant exists. A service never creates it: a misspelt name would be a new, empty plant.
 * @throws UnsuitableDatabaseError after the time limit, with the command that creates the plant; the signal's reason
 */
export async function awaitPlant(url: string, { schema, plant }: { schema: string; plant: string }, options: Waiting): Promise<void> {
  assertSchemaName(schema);
  const { timeoutMs, signal, log } = options;
  const address = { url, applicationName: 'sinebar-plant-check', connectTimeoutMs: 10_000 };
  const giveUpAt = Date.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    const client = await reachServer(address, { timeoutMs: Math.max(giveUpAt - Date.now(), 0), signal, log });
    const { rows } = await client
      .query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS exists', [schema])
      .finally(() => closeAbruptly(client));
    if (rows[0]?.exists === true) return;
    const sentence =
      `There is no plant "${plant}" in this database (schema ${schema}). Create it with "${commandText(`plants create ${plant}`)}", ` +
      'or correct SINEBAR_PLANT.';
    if (Date.now() >= giveUpAt) throw new UnsuitableDatabaseError(sentence);
    if (attempt % POLLS_PER_MESSAGE === 0) log.warn({ plant, schema }, `${sentence} Waiting for it.`);
    await pause(POLL_MS, signal);
    signal?.throwIfAborted();
  }
}
