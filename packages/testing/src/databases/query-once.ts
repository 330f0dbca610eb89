import { connected } from './connected.ts';

/** Runs a statement on a connection of its own. @returns the rows */
export async function queryOnce(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return (await connected(url, (client) => client.query<Record<string, unknown>>(statement))).rows;
}
