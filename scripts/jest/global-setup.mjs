import { makeRelease } from '../release.mjs';

/** Makes the release once, which tests start as a program. */
export default makeRelease;
