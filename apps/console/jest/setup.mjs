import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

/** Longest time for which a test waits for a condition, ms: the machine may be busy, and the first page loads its modules. */
const MAX_WAIT_MS = 30_000;

/** Removes what a test has rendered. */
export default function prepare() {
  configure({ asyncUtilTimeout: MAX_WAIT_MS });
  afterEach(cleanup);
}
