import { assertSchemaName } from '../connection/connection-settings.ts';

/** Runs a statement. @returns its rows */
export type Query = (text: string, values: unknown[]) => Promise<readonly { comment: string | null }[]>;

/** The comment of a plant's schema holds the id of the installation, which no migration has to create. */
const COMMENT = /^sinebar installation ([0-9a-f-]{36})$/;

/** Returns the id of the installation that the plant's schema belongs to; `undefined` for one that was not made by `plants -- create`. */
export async function readInstallation(query: Query, schema: string): Promise<string | undefined> {
  const [row] = await query(`SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1`, [schema]);
  return COMMENT.exec(row?.comment ?? '')?.[1];
}

/** Returns the statement with which an owner of the plant's schema gives it the id of an installation. */
export function installationStatement(schema: string, installation: string): string {
  assertSchemaName(schema);
  const comment = `sinebar installation ${installation}`;
  if (!COMMENT.test(comment)) throw new TypeError(`not the id of an installation: ${installation}`);
  return `COMMENT ON SCHEMA "${schema}" IS '${comment}'`;
}
