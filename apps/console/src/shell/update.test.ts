import { expect, it } from '@jest/globals';
import { loadWhenReachable, reloadAfterUpdate } from './update';

it('loads the page again for a missing file, but not over and over', () => {
  let reloads = 0;
  const at = (ms: number) => reloadAfterUpdate(sessionStorage, () => (reloads += 1), ms);
  at(1_000_000);
  at(1_001_000);
  expect(reloads).toBe(1);
  at(1_200_000);
  expect(reloads).toBe(2);
});

it('waits with a file of the page until the server is back, and fails where the file itself is missing', async () => {
  let attempts = 0;
  const load = () => {
    attempts += 1;
    return attempts === 3 ? Promise.resolve('page') : Promise.reject(new Error('missing'));
  };
  expect(await loadWhenReachable(load, () => Promise.resolve(false), 0)).toBe('page');
  await expect(loadWhenReachable(load, () => Promise.resolve(attempts > 4), 0)).rejects.toThrow('missing');
  expect(attempts).toBe(6);
});

it('tries a file again that failed just before the server was back', async () => {
  let isThere = false;
  const load = () => {
    const answer = isThere ? Promise.resolve('page') : Promise.reject(new Error('Failed to fetch'));
    isThere = true;
    return answer;
  };
  expect(await loadWhenReachable(load, () => Promise.resolve(isThere), 0)).toBe('page');
});
