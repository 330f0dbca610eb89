import { randomUUID } from 'node:crypto';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, pause } from '@sinebar/concurrency';
import pg from 'pg';
import { describeProcess, isAlive, stopProcess, workingFolder } from '../processes.ts';
import { StartRefusedError } from './refusal.ts';
import { connectionUrl, type Credentials } from './credentials.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { postgresStopSteps } from './postgres-program.ts';

/**
 * Stops a PostgreSQL that a killed Sinebar left running on `folder`.
 * The shutdown is orderly. `postmaster.pid` is never removed here, because only PostgreSQL knows when that is safe.
 * @returns the process id of the stopped server
 * @throws StartRefusedError when a process that may be PostgreSQL cannot be identified or stopped
 */
export async function stopOrphan(folder: string, credentials: Credentials, options: { waitMs: number }): Promise<number | undefined> {
  const deadline = Date.now() + options.waitMs;
  for (;;) {
    const found = await readPostmasterFile(folder);
    if (!found || !isAlive(found.pid)) return undefined;
    const verdict = await identify(folder, found.pid, found.port, credentials);
    if (verdict === 'other-process') return undefined;
    if (verdict === 'ours') {
      await stopProcess(found.pid, postgresStopSteps(options.waitMs)).catch((error: unknown) => {
        const hint =
          errorCode(error) === 'EPERM' ? 'this user may not stop it. Stop it as its own user or as root' : `it does not stop. End it`;
        throw new StartRefusedError(
          `PostgreSQL still runs on ${folder} as ${describeProcess(found.pid)}, and ${hint}: kill -INT ${found.pid}.`,
          { cause: error },
        );
      });
      return found.pid;
    }
    if (Date.now() > deadline) {
      throw new StartRefusedError(
        `PostgreSQL seems to run on ${folder} still: ` +
          `${join(folder, 'postmaster.pid')} names ${describeProcess(found.pid)}, which does not answer. ` +
          `If that is PostgreSQL, stop it: kill -INT ${found.pid}. If it is another program, remove that file and start again.`,
      );
    }
    await pause(200);
  }
}

async function identify(
  folder: string,
  pid: number,
  port: number | undefined,
  credentials: Credentials,
): Promise<'ours' | 'other-process' | 'unsure'> {
  const works = await workingFolder(pid);
  // PostgreSQL has its database folder as working folder; a process in another folder reuses the id.
  if (works !== undefined) return works === (await realpath(folder)) && (await isPostgres(pid)) ? 'ours' : 'other-process';
  return port !== undefined && (await worksOn(folder, port, credentials)) ? 'ours' : 'unsure';
}

/** The program name is checked because a shell or a backup job may work in the folder too. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined);
  return name === undefined || name.trim() === 'postgres';
}

/**
 * Whether the server at `port` accepts our password and sees a file written to `folder` now: a copy of the folder elsewhere has the
 * same password.
 */
async function worksOn(folder: string, port: number, { superuser }: Credentials): Promise<boolean> {
  const name = `sinebar-probe-${randomUUID()}`;
  const client = new pg.Client({
    connectionString: connectionUrl(superuser, port, 'postgres'),
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await writeFile(join(folder, name), name);
    await client.connect();
    const { rows } = await client.query<{ size: string | null }>('SELECT (pg_stat_file($1, true)).size::text AS size', [name]);
    return rows[0]?.size === String(name.length);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
    await rm(join(folder, name), { force: true });
  }
}
