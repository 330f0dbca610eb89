import { appendFile, cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killGroup, readCredentials, startEmbeddedPostgres, connectionUrl, type EmbeddedPostgres } from '@sinebar/local-servers';
import { cuttableProxy, eventually, queryOnce } from '@sinebar/testing';
import { temporaryFolder } from './product.ts';

/** A PostgreSQL server with a synchronous standby, behind one address. */
export interface DatabasePair {
  /** Address for services. */
  readonly url: string;
  /** Kills all processes of the primary at once, promotes the standby, and sends new connections there. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const STANDBY = 'second';
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function startDatabasePair(): Promise<DatabasePair> {
  const folder = temporaryFolder();
  const [first, second] = [join(folder.path, 'first'), join(folder.path, STANDBY)];
  const startIn = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: SILENT, restartDelaysMs: [] });
  const cleanUp: (() => unknown)[] = [() => folder.remove()];
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    await (await startIn(first)).stop();
    const { superuser } = await readCredentials(join(first, 'postgres'));
    await appendFile(join(first, 'postgres/pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n');
    await cp(first, second, { recursive: true });
    await rm(join(second, 'postgres/sinebar-port'));
    await appendFile(join(first, 'postgres/postgresql.conf'), `synchronous_standby_names = '${STANDBY}'\n`);
    const primary = await startIn(first);
    cleanUp.push(() => primary.stop());
    const source = `host=127.0.0.1 port=${primary.port} user=${superuser.name} password=${superuser.password} application_name=${STANDBY}`;
    await appendFile(join(second, 'postgres/postgresql.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(second, 'postgres/standby.signal'), '');
    const standby = await startIn(second);
    cleanUp.push(() => standby.stop());
    const asSuperuser = (server: EmbeddedPostgres, statement: string) =>
      queryOnce(connectionUrl(superuser, server.port, 'postgres'), statement);
    await eventually(async () => {
      const [row] = await asSuperuser(primary, 'SELECT sync_state FROM pg_stat_replication');
      return row?.['sync_state'] === 'sync';
    });
    const proxy = await cuttableProxy('127.0.0.1', primary.port);
    cleanUp.push(() => proxy.close());
    const url = new URL(primary.url);
    url.port = String(proxy.port);
    return {
      url: url.href,
      stop,
      async failOver() {
        killGroup(primary.pid);
        await primary.ended;
        await asSuperuser(standby, 'SELECT pg_promote(true, 60)');
        proxy.redirect(standby.port);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
