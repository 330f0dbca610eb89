import { spawnSync } from 'node:child_process';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) =>
    spawnSync('sh', ['-c', `command -v ${name}`])
      .stdout.toString()
      .trim(),
  )
  .find((path) => path !== '');

/**
 * The options with which Playwright starts the installed Chromium: only the page uses the network, and no graphics are needed.
 * `undefined` where no Chromium is installed.
 */
export const CHROMIUM =
  executablePath === undefined
    ? undefined
    : {
        executablePath,
        args: ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((feature) => `--disable-${feature}`),
      };
