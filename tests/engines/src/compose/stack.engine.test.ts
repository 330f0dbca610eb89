import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runAcceptance } from '../support/acceptance.js';
import { ComposeStack } from '../support/compose-stack.js';
import { describeWithDocker, IS_SHORT, reportFigures } from '../support/engines.js';

/** Acceptance tests that need no more of the product than its address. */
const SPECS = IS_SHORT ? ['slice'] : ['slice', 'signalr', 'plan-events', 'file-targets'];

describeWithDocker(
  'the compose file in a docker engine',
  () => {
    let stack: ComposeStack;

    beforeAll(async () => {
      const startedAt = performance.now();
      stack = await ComposeStack.up();
      reportFigures(`compose, from images to ready: ${seconds(performance.now() - startedAt)}`);
    }, 400_000);
    afterAll(() => stack?.down({ volumes: true }), 200_000);

    it.each(SPECS)(
      'passes the acceptance tests: %s',
      async (spec) => {
        const { passed, failures } = await runAcceptance(spec, stack.url);
        expect(failures).toEqual([]);
        expect(passed).toBeGreaterThan(0);
      },
      660_000,
    );
  },
  { inShort: true },
);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
