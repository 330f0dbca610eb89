import { spawnSync } from 'node:child_process';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) =>
    spawnSync('sh', ['-c', `command -v ${name}`])
      .stdout.toString()
      .trim(),
  )
  .find((path) => path !== '');

/** Options for starting the installed Chromium with Playwright; `undefined` without it. Only the page uses the network. */
export const CHROMIUM =
  executablePath === undefined
    ? undefined
    : {
        executablePath,
        args: ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((feature) => `--disable-${feature}`),
      };
