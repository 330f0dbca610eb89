import { it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { describeUnless } from '@sinebar/testing';

/** Whether only the short form runs. */
export const IS_SHORT = process.env['ENGINES_SHORT'] === '1';

/** A test that the short form leaves out. */
export const inFull = IS_SHORT ? it.skip : it;

/** @returns why no test can use docker; `undefined` when an engine with compose answers */
function whyNoDocker(): string | undefined {
  for (const args of [['info'], ['compose', 'version']]) {
    const { error, status, stderr } = spawnSync('docker', args, { encoding: 'utf8', timeout: 20_000 });
    if (error) return `docker cannot be run: ${error.message}`;
    if (status !== 0) return `docker ${args.join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`;
  }
  return undefined;
}

/** A `describe` that needs docker: without an engine it is skipped, with the reason on stderr. */
export function describeWithDocker(name: string, fn: () => void, { inShort = false }: { inShort?: boolean } = {}): void {
  describeUnless(IS_SHORT && !inShort ? 'not in the short form' : whyNoDocker(), name, fn);
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
