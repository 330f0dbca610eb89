import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runSteps, SkippedStep } from './steps.mjs';

it('makes one table of steps that are done, skipped and failed, and goes on behind each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-steps-'));
  const files = [
    ['a.tgz', 1_500_000],
    ['b.yml', 1234],
  ].map(([name, size]) => {
    writeFileSync(join(folder, name), Buffer.alloc(size));
    return join(folder, name);
  });
  const printed = [];
  const steps = [
    { name: 'package', run: async () => files },
    { name: 'the image', run: async () => Promise.reject(new SkippedStep('no BuildKit')) },
    { name: 'sums', run: async () => Promise.reject(new Error('The sums differ.\nmore')) },
    { name: 'last', run: async () => undefined },
  ];
  const { table, failed } = await runSteps(steps, (line) => printed.push(line));
  rmSync(folder, { recursive: true });
  expect(failed).toBe(1);
  expect(table.replaceAll(/\d\.\d s/g, '0.0 s').split('\n')).toEqual([
    'package    done     0.0 s  a.tgz 1.5 MB, b.yml 1.2 kB',
    'the image  SKIPPED  0.0 s  no BuildKit',
    'sums       FAILED   0.0 s  The sums differ.',
    'last       done     0.0 s',
  ]);
  expect(printed[0]).toBe('package …');
  expect(printed.join('\n')).toContain('The sums differ.\nmore');
});
