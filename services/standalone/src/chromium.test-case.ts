import { spawnSync } from 'node:child_process';

/** Path of the browser; `undefined` where there is none. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) =>
    spawnSync('sh', ['-c', `command -v ${name}`])
      .stdout.toString()
      .trim(),
  )
  .find((path) => path !== '');
/** Nothing but the page goes to the network, and it needs no graphics. */
export const ARGUMENTS = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((what) => `--disable-${what}`);
