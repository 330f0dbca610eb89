import { expect, jest } from '@jest/globals';

const ACCEPTANCE_TIMEOUT_MS = 300_000;

/** Gives each worker its own servers, where several were started: products on the same NATS share one stream. */
const servers = JSON.parse(process.env.JEST_WORKER_SERVERS ?? '[]');
Object.assign(process.env, servers[Number(process.env.JEST_WORKER_ID) - 1]);

// Acceptance tests start whole products, several in one test.
if (expect.getState().testPath.replaceAll('\\', '/').includes('/tests/acceptance/')) jest.setTimeout(ACCEPTANCE_TIMEOUT_MS);
