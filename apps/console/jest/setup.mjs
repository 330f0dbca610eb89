import { afterEach, beforeEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import { setInteractionModality } from 'react-aria-components';

/** Longest time for which a test waits for a condition, ms: the machine may be busy, and the first page loads its modules. */
const MAX_WAIT_MS = 30_000;

/** Begins each test as if a key had been pressed, and removes what the test has rendered. */
export default function prepare() {
  configure({ asyncUtilTimeout: MAX_WAIT_MS });
  // React Aria remembers the last kind of input. After a focus without input, with which a file may end, it would move the focus late.
  beforeEach(() => setInteractionModality('keyboard'));
  afterEach(cleanup);
}
