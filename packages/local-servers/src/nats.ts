import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { chooseFreePort } from './ports.ts';
import type { RunFolder } from './run-folder.ts';
import { onFreePort, startServer, type FolderServerOptions } from './folder-server.ts';
import type { RunningServer } from './supervisor.ts';

/** Starts a NATS server with JetStream on files of the run's folder, on a private port of 127.0.0.1. */
export async function startNats(
  folder: RunFolder,
  program: string,
  options?: FolderServerOptions,
): Promise<{ servers: ReadonlyMap<string, RunningServer>; url: string }> {
  const storeFolder = join(folder.path, 'nats');
  mkdirSync(storeFolder, { mode: 0o700 });
  const configFile = join(folder.path, 'nats.conf');
  return await onFreePort(chooseFreePort, async (port) => {
    writeFileSync(configFile, natsConfig(port, storeFolder));
    const server = await startServer(
      folder,
      { name: 'nats-server', program, args: ['-c', configFile], isReady: () => greetsWithJetStream(port) },
      options,
    );
    return { servers: new Map([['nats', server]]), url: `nats://127.0.0.1:${port}` };
  });
}

/** `sync_interval: always`: by default JetStream acknowledges messages up to two minutes before they are safe on disk. */
function natsConfig(port: number, storeFolder: string): string {
  return [
    `listen: "127.0.0.1:${port}"`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeFolder)}`,
    '  sync_interval: always',
    '}',
    '',
  ].join('\n');
}

/** Reads the greeting of a NATS server, which says whether JetStream is enabled. */
export function greetsWithJetStream(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let greeting = '';
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(2000, () => settle(false));
    socket.on('error', () => settle(false));
    socket.setEncoding('utf8').on('data', (text: string) => {
      greeting += text;
      if (greeting.includes('\n')) settle(/^INFO .*"jetstream":\s*true/.test(greeting));
    });
    socket.on('close', () => resolve(false));
  });
}
