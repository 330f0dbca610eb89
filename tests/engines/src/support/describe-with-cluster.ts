import { it } from '@jest/globals';
import { describeUnless } from '@sinebar/testing';
import { whyNoHelm } from './helm.ts';
import { whyNoCluster } from './kubectl.ts';

/** Whether only the short form runs: one form of the chart in the cluster. */
const IS_SHORT = process.env['ENGINES_SHORT'] === '1';

/** A test that the short form leaves out. */
export const inFull = IS_SHORT ? it.skip : it;

/** A `describe` that needs a cluster and helm: without one it is skipped, with the reason on stderr. */
export function describeWithCluster(name: string, fn: () => void, { inShort = false }: { inShort?: boolean } = {}): void {
  describeUnless(IS_SHORT && !inShort ? 'not in the short form' : (whyNoCluster() ?? whyNoHelm()), name, fn);
}
