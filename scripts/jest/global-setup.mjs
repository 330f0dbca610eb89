import { ensureReady } from '../bootstrap.mjs';
import { makeRelease } from '../release/release.mjs';

/** Makes the release once, which tests start as a program. */
export default async function prepare() {
  await ensureReady({ steps: ['page'] });
  await makeRelease();
}
