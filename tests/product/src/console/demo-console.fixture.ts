import { SinebarClient } from '@sinebar/client';
import { launchChromium, openWatchedPage, type WatchedPage, type WatchOptions } from '@sinebar/testing/browser';
import type { Browser } from 'playwright-core';
import { CHARACTERISTICS, PARTS } from '@sinebar/program/demo';
import { startWorld } from '../worlds/world.fixture.ts';

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
  const { url, stop } = await startWorld('door');
  const browser = await launchChromium();
  return {
    url,
    client: new SinebarClient({ url }),
    browser,
    open: (options) => openWatchedPage(browser, { origins: [url], viewport: DESK, colorScheme: 'light', locale: 'en-GB', ...options }),
    stop: async () => {
      await browser.close();
      await stop();
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
