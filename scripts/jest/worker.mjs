import { jest } from '@jest/globals';
import { askTestServers } from '../../packages/testing/src/processes/test-servers.ts';

const PRODUCT_TIMEOUT_MS = 300_000;

/** Gives a file of tests the servers of its worker. */
export default async function prepare(testPath) {
  // A product that runs elsewhere has its own servers.
  if (process.env.JEST_SERVERS && !process.env.SINEBAR_URL) {
    // Where all tests run in the process of the servers, there is no worker to end.
    const headers = process.ppid === Number(process.env.JEST_PARENT) ? { 'x-worker': `${process.pid}` } : {};
    Object.assign(process.env, await askTestServers(`/servers/${process.env.JEST_WORKER_ID}`, headers));
  }
  // Acceptance tests start whole products, several in one test.
  if (/\.(acceptance|faults)\.test\.ts$/.test(testPath)) jest.setTimeout(PRODUCT_TIMEOUT_MS);
}
