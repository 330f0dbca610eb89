import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { errorCode } from '@sinebar/concurrency';
import { commandText } from '@sinebar/contracts';
import { listen } from '@sinebar/http';
import { describeProcess, messageOf } from '@sinebar/local-servers';

const run = promisify(execFile);

/** Returns the inodes of sockets that listen on `port`, from the text of `/proc/net/tcp` or `tcp6`. */
export function listeningSockets(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${wanted}`) && fields[3] === '0A')
    .flatMap((fields) => (fields[9] === undefined ? [] : [fields[9]]));
}

/** Finds the process that listens on `port` of this computer; `undefined` when unknown (another user's process, no lsof). */
export async function findPortHolder(port: number): Promise<number | undefined> {
  return process.platform === 'linux' ? ((await holderFromProc(port)) ?? (await holderFromLsof(port))) : await holderFromLsof(port);
}

async function holderFromProc(port: number): Promise<number | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)).map((number) => `socket:[${number}]`));
  if (sockets.size === 0) return undefined;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const descriptor of descriptors) {
      if (sockets.has(await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => ''))) return Number(pid);
    }
  }
  return undefined;
}

async function holderFromLsof(port: number): Promise<number | undefined> {
  try {
    const { stdout } = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { timeout: 3_000 });
    const pid = Number(stdout.trim().split('\n')[0]);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Explains why the server cannot listen, and what to do. @returns `undefined` when the failure has nothing to do with listening */
export async function explainListenFailure(
  error: unknown,
  address: { host: string; port: number },
  findHolder: (port: number) => Promise<number | undefined> = findPortHolder,
): Promise<string | undefined> {
  const { host, port } = address;
  switch (errorCode(error) ?? '') {
    case 'EADDRINUSE': {
      const pid = await findHolder(port);
      const holder = pid === undefined ? 'another program' : describeProcess(pid);
      const stop = pid === undefined ? 'Stop it' : `Stop it (kill ${pid})`;
      return (
        `Port ${port} of ${host} is taken by ${holder}. ${stop}, or start Sinebar on another port: ` +
        `SINEBAR_PORT=${port === 8080 ? 8081 : 8080} ${commandText('start')}`
      );
    }
    case 'EACCES':
      return (
        `This user may not listen on port ${port}. Ports below 1024 need special rights; choose another one: ` +
        `SINEBAR_PORT=8080 ${commandText('start')}`
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return (
        `SINEBAR_HOST=${host} is no address of this computer (${messageOf(error)}). ` +
        'Leave it out for 127.0.0.1, or use 0.0.0.0 for all addresses.'
      );
    default:
      return undefined;
  }
}

/** Listens on an address for a moment. @throws the system's error when it is not available */
export async function tryPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await listen(probe, port, host);
  await new Promise((done) => probe.close(done));
}
