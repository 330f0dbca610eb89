import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseFreePort } from './ports.ts';
import type { RunFolder } from './run-folder.ts';
import type { Environment } from './programs.ts';
import { onFreePort, startServer, type FolderServerOptions } from './folder-server.ts';
import type { RunningServer } from './supervisor.ts';

export interface StartedStore {
  server: RunningServer;
  endpoint: string;
  accessKey: string;
  secretKey: string;
}

export interface MinioOptions extends FolderServerOptions {
  /** Variables of the server in addition to its own, such as `HOME`. */
  environment: Environment;
}

/** Starts MinIO on a folder of the run, on a private port of 127.0.0.1, with random keys. */
export async function startMinio(folder: RunFolder, program: string, options: MinioOptions): Promise<StartedStore> {
  const dataFolder = join(folder.path, 'minio');
  const certificates = join(folder.path, 'minio-certificates');
  for (const path of [dataFolder, certificates]) mkdirSync(path, { mode: 0o700 });
  const accessKey = `dev${randomBytes(6).toString('hex')}`;
  const secretKey = randomBytes(20).toString('hex');
  return await onFreePort(chooseFreePort, async (port) => {
    const endpoint = `http://127.0.0.1:${port}`;
    const server = await startServer(
      folder,
      {
        name: 'minio',
        program,
        // A separate certificate folder prevents reading those in the user's home.
        args: ['server', '--address', `127.0.0.1:${port}`, '--certs-dir', certificates, dataFolder],
        // MINIO_CI_CD allows storage on the system disk. Console and update check are off because they use another port and the network.
        env: {
          ...options.environment,
          MINIO_ROOT_USER: accessKey,
          MINIO_ROOT_PASSWORD: secretKey,
          MINIO_CI_CD: '1',
          MINIO_BROWSER: 'off',
          MINIO_UPDATE: 'off',
        },
        isReady: () => answersOk(`${endpoint}/minio/health/ready`),
      },
      options,
    );
    return { server, endpoint, accessKey, secretKey };
  });
}

async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
