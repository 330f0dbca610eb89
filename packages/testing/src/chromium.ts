import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
/** Names of the program; the build without windows starts and draws with less processor time. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const executablePath = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** Options for starting the installed Chromium with Playwright; `undefined` without it. Only the page uses the network. */
export const CHROMIUM =
  executablePath === undefined
    ? undefined
    : {
        executablePath,
        args: ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((feature) => `--disable-${feature}`),
      };
