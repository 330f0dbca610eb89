import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { SinebarClient } from '@sinebar/client';
import { copyEmptyDatabase, startProcess } from '@sinebar/testing';
import { launchChromium, openWatchedPage, type WatchedPage, type WatchOptions } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';
import { CHARACTERISTICS, PARTS, writeDemo } from '@sinebar/tools/demo';

const BUILT = join(import.meta.dirname, '../../../../services/standalone/dist/main.js');
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
/** Time limit for a browser, a database and the demo on a loaded machine. */
export const START_LIMIT_MS = 240_000;
const DESK = { width: 1440, height: 900 };

/** The standalone product with the demo, and a browser for its console. */
export interface DemoConsole {
  /** Address of the server. */
  url: string;
  client: SinebarClient;
  browser: Browser;
  /** Opens an empty page of its own context. */
  open(options?: Partial<WatchOptions>): Promise<WatchedPage>;
  stop(): Promise<void>;
}

export async function startDemoConsole(): Promise<DemoConsole> {
  if (!existsSync(BUILT)) throw new Error(`build services/standalone first: ${BUILT} is missing`);
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-console-'));
  // The database runs as another user when this process is root.
  await chmod(folder, 0o755);
  const env = { SINEBAR_PORT: '0', SINEBAR_DATA_DIR: join(folder, 'data') };
  await copyEmptyDatabase(env.SINEBAR_DATA_DIR);
  const product = await startProcess(process.execPath, [BUILT], { env, ready: READY, timeoutMs: START_LIMIT_MS });
  const url = READY.exec(product.output())?.[1] as string;
  const client = new SinebarClient({ url });
  // The progress is discarded.
  const [browser] = await Promise.all([launchChromium(), writeDemo(client, { stream: new PassThrough().resume() })]);
  return {
    url,
    client,
    browser,
    open: (options) => openWatchedPage(browser, { origins: [url], viewport: DESK, colorScheme: 'light', locale: 'en-GB', ...options }),
    stop: async () => {
      await browser.close();
      await product.stop(20_000);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Finds a part or characteristic of the demo by its name. */
export function named(name: string): { uuid: string; partUuid: string } {
  const part = PARTS.find((each) => each.name === name || each.characteristics.some((characteristic) => characteristic.name === name));
  const uuid = part?.name === name ? part.uuid : CHARACTERISTICS.find((each) => each.name === name)?.uuid;
  if (part === undefined || uuid === undefined) throw new Error(`the demo has no ${name}`);
  return { uuid, partUuid: part.uuid };
}

/** Path of the page of a characteristic of the demo, below `/console/`. */
export function pathOf(name: string): string {
  const { uuid, partUuid } = named(name);
  return `parts/${partUuid}/characteristics/${uuid}`;
}
