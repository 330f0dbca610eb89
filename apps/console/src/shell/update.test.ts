/** @jest-environment <rootDir>/apps/console/jest/environment.mjs */
import { expect, it } from '@jest/globals';
import { reloadAfterUpdate } from './update';

it('loads the page again for a missing file, but not over and over', () => {
  let reloads = 0;
  const at = (ms: number) => reloadAfterUpdate(sessionStorage, () => (reloads += 1), ms);
  at(1_000_000);
  at(1_001_000);
  expect(reloads).toBe(1);
  at(1_200_000);
  expect(reloads).toBe(2);
});
