import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onFreePort, startServer } from './folder-server.ts';
import type { StartedStore } from './minio.ts';
import { chooseFreePort } from './ports.ts';
import type { RunFolder } from './run-folder.ts';

/** Starts Versity S3 Gateway on a folder of the run, on a private port of 127.0.0.1, with random keys. */
export async function startVersitygw(folder: RunFolder, program: string): Promise<StartedStore> {
  const objects = join(folder.path, 'versitygw');
  // Attributes of objects lie in files, because not every file system has extended attributes.
  const attributes = join(folder.path, 'attributes-of-versitygw');
  for (const path of [objects, attributes]) mkdirSync(path, { mode: 0o700 });
  const accessKey = `dev${randomBytes(6).toString('hex')}`;
  const secretKey = randomBytes(20).toString('hex');
  return await onFreePort(chooseFreePort, async (port) => {
    const endpoint = `http://127.0.0.1:${port}`;
    const server = await startServer(folder, {
      name: 'versitygw',
      program,
      args: ['--port', `127.0.0.1:${port}`, '--health', '/health', '--quiet', 'posix', '--sidecar', attributes, objects],
      env: { ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey },
      isReady: async () => {
        const answer = await fetch(`${endpoint}/health`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.ok === true;
      },
    });
    return { server, endpoint, accessKey, secretKey };
  });
}
