import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, jest } from '@jest/globals';

const ACCEPTANCE_TIMEOUT_MS = 300_000;
const USED_STORAGES = Symbol.for('sinebar.usedStorages');

/** Gives each worker its own servers, where several were started: products on the same NATS share one stream. */
const servers = JSON.parse(process.env.JEST_WORKER_SERVERS ?? '[]');
Object.assign(process.env, servers[Number(process.env.JEST_WORKER_ID) - 1]);

// Acceptance tests start whole products, several in one test.
if (expect.getState().testPath.replaceAll('\\', '/').includes('/tests/acceptance/')) jest.setTimeout(ACCEPTANCE_TIMEOUT_MS);

// From Node 24 on a promise does not visit the storages.
if (Number.parseInt(process.versions.node, 10) < 24) disableEarlierStorages();

/**
 * Disables the AsyncLocalStorage objects that earlier test files of this worker used.
 * jest-circus makes one for each file and never disables it, and before Node 24 each new promise visits all that are enabled.
 * The built-in class is the only thing here that all files of a worker share.
 */
function disableEarlierStorages() {
  const earlier = AsyncLocalStorage[USED_STORAGES];
  for (const storage of earlier ?? []) storage.disable();
  earlier?.clear();
  if (earlier) return;
  const used = new Set();
  Object.defineProperty(AsyncLocalStorage, USED_STORAGES, { value: used });
  const { run } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.run = function (...args) {
    used.add(this);
    return run.apply(this, args);
  };
}
