import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { ScriptError } from '../command.mjs';

const ENTRY = join(ROOT, 'tests/distributed/src/distributed.ts');
const READY = /^Sinebar is ready at (http:\/\/\S+?)\/?$/gm;
const READY_MS = 180_000;

/**
 * Starts the product with these plants at one address on the servers of the variables.
 * @param {readonly string[]} plants
 * @param {Record<string, string>} variables
 * @returns {Promise<{ urls: { plant: string, url: string }[], stop: () => Promise<void> }>}
 * @throws {ScriptError} with its output when it does not become ready
 */
export async function startPlants(plants, variables) {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-plants-'));
  const child = spawn(process.execPath, [ENTRY, '--plants', plants.join(',')], {
    env: {
      ...process.env,
      ...variables,
      SINEBAR_PORT: '0',
      SINEBAR_SPOOL_DIR: join(folder, 'spool'),
      SINEBAR_EVENTS_MAX_BYTES: String(2 ** 26),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let output = '';
  const urls = await new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), READY_MS);
    const finish = (found) => {
      clearTimeout(timer);
      resolve(found);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        const found = [...output.matchAll(READY)].map(([, url]) => url);
        if (found.length === plants.length) finish(found);
      });
    }
    void ended.then(() => finish([]));
  });
  if (urls.length === plants.length) return { urls: urls.map((url, i) => ({ plant: plants[i], url })), stop };
  await stop();
  throw new ScriptError(`The product with the plants ${plants.join(', ')} did not become ready:\n${output}`);
}
