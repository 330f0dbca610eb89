import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { ROOT } from '../bootstrap.mjs';

/**
 * Seconds of the longest files on two idle cores. A clone that has run no tests yet knows no times; a long file that starts late keeps one
 * worker busy after the others have ended.
 */
export const LONG_FILES = {
  'tests/product/src/console/worlds.int.test.ts': 120,
  'tests/product/src/console/console.int.test.ts': 100,
  'tests/product/src/console/lost-server.int.test.ts': 70,
  'tests/product/src/imports/hostile-files.int.test.ts': 68,
  'tests/acceptance/src/specs/guides.acceptance.test.ts': 54,
  'services/inspection/src/analysis/kept/kept-assessments.int.test.ts': 39,
  'tests/product/src/access/access-cases.int.test.ts': 37,
  'tests/product/src/console/sign-in.int.test.ts': 29,
  'apps/sinebar/src/commands/backup/backup.int.test.ts': 28,
};

/** Starts what has failed last, then the longest files. */
export default class LongestFirst extends TestSequencer {
  /** Time of a file in the last run, else in {@link LONG_FILES}, else its size, ms: short files have about a second per kilobyte. */
  time(test) {
    const seconds = LONG_FILES[relative(ROOT, test.path)];
    return super.time(test) ?? (seconds === undefined ? test.context.hasteFS.getSize(test.path) : seconds * 1000);
  }
}
