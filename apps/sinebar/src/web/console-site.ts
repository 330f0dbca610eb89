import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';
import { commandText } from '@sinebar/contracts';
import { StaticFolder, staticFile, type StaticFile } from './static-files.ts';

/** The built console: its assets, and its page for a depth of the address. */
export interface ConsoleSite {
  assets: StaticFolder;
  /**
   * Makes the page for an address, which finds its assets relative to it: the server may lie below a prefix that it does not know.
   * @param depth number of slashes behind `/console/`
   */
  pageAt: (depth: number) => StaticFile;
  logo: StaticFile | undefined;
}

/**
 * Opens the folder that the build of the console has written. The page learns how commands are called here, so that it can name some, and
 * whether there is a logo.
 * @returns undefined when it is not built
 */
export function openConsoleSite(folder: string, logo?: StaticFile): ConsoleSite | undefined {
  try {
    const command = `<meta name="sinebar-command" content="${commandText('').trimEnd()}">`;
    const told = logo ? `${command}<meta name="sinebar-logo" content="./logo">` : command;
    const page = readFileSync(join(folder, 'index.html'), 'utf8').replace('</head>', `${told}</head>`);
    const assets = join(folder, 'assets');
    return {
      assets: new StaticFolder(
        assets,
        readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name)),
      ),
      logo,
      pageAt: (depth) => staticFile('index.html', Buffer.from(page.replaceAll('"./', `"./${'../'.repeat(depth)}`))),
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
