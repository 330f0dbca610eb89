import { describe, it } from '@jest/globals';
import { noteSkip } from './notes.ts';
import { missingVariables, MissingBackingError, type BackingService } from './backing.ts';
import { CHROMIUM } from './chromium.ts';
import { citusCoordinator } from './databases/citus-databases.ts';

/** A `describe` that is skipped where there is a reason, with a line on stderr that says it. */
export function describeUnless(reason: string | undefined, name: string, fn: () => void): void {
  if (reason === undefined) {
    describe(name, fn);
    return;
  }
  // `console.warn` is not used: the test runner would add a stack trace and hide the line.
  noteSkip(reason, name);
  describe.skip(name, fn);
}

/**
 * A `describe` that needs real servers. Without one of their variables the whole suite is skipped, with a line on stderr that names the
 * variable. Read `backing()` inside hooks or tests; reading it in the body of a skipped suite leaves one skipped test instead of the real
 * number.
 */
export function describeWith(needs: readonly BackingService[], name: string, fn: () => void): void {
  const missing = missingVariables(needs);
  describeUnless(missing.length === 0 ? undefined : `no ${missing.join(', ')}`, name, () => {
    try {
      fn();
    } catch (error) {
      if (missing.length === 0 || !(error instanceof MissingBackingError)) throw error;
      it(`needs ${missing.join(', ')}`, () => undefined);
    }
  });
}

/** A `describe` about plans of single statements; it is skipped on a Citus cluster, whose planner makes these plans. */
export function describeStatementPlans(name: string, fn: () => void): void {
  if (citusCoordinator() === undefined) describeWith(['postgres'], name, fn);
  else describeUnless('the planner of Citus makes these plans', name, fn);
}

/** A `describe` that needs Chromium. Without it the whole suite is skipped, with a line on stderr that says so. */
export function describeWithChromium(name: string, fn: () => void): void {
  if (CHROMIUM !== undefined) describe(name, fn);
  else describeUnless('no chromium; Debian: apt-get install chromium', name, () => it('needs chromium', () => undefined));
}
