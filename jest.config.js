/** Words of the command line that name tests: paths and projects. */
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isLong = process.env.LONG === '1';
const isWhole = words.length === 0;

// Node calls the interface for native modules in jest experimental; workers inherit this.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`.trim();

const common = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/packages', '<rootDir>/services', '<rootDir>/tests', '<rootDir>/scripts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  injectGlobals: false,
};

/** Node loads the tests and the sources, as it does in the product: a worker loads a module once for all its files. */
const native = {
  ...common,
  testEnvironment: '<rootDir>/scripts/jest/native/environment.mjs',
  testRunner: '<rootDir>/scripts/jest/native/runner.mjs',
  transform: {},
};

/** Each worker has its own PostgreSQL, NATS and S3 store. */
const onServers = {
  ...native,
  globalSetup: '<rootDir>/scripts/jest/servers.mjs',
  globalTeardown: '<rootDir>/scripts/jest/servers-end.mjs',
  setupFilesAfterEnv: ['<rootDir>/scripts/jest/worker.mjs'],
};

const WITH_SERVERS = /\.(int|acceptance|faults|engine)\.test\.ts$/;
const unit = {
  ...native,
  displayName: 'unit',
  testMatch: [
    '<rootDir>/{apps,packages,services}/*/src/**/*.test.ts',
    '<rootDir>/tests/{acceptance,distributed}/src/**/*.test.ts',
    '<rootDir>/scripts/**/*.test.mjs',
  ],
  testPathIgnorePatterns: [...common.testPathIgnorePatterns, WITH_SERVERS.source, '-browser\\.test\\.ts$'],
};
/** Components of the page: they run in a thread with the globals of a browser. */
const page = {
  ...native,
  displayName: 'page',
  testMatch: ['<rootDir>/apps/console/src/**/*.test.tsx'],
  testRunner: '<rootDir>/apps/console/jest/runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/apps/console/jest/setup.mjs'],
};
const integration = {
  ...onServers,
  displayName: 'integration',
  testMatch: ['**/src/**/*.int.test.ts', '**/src/**/*-browser.test.ts', '<rootDir>/tests/{deployment,product}/src/**/*.test.ts'],
};
const acceptance = { ...onServers, displayName: 'acceptance', testMatch: ['**/src/**/*.acceptance.test.ts'] };
/** Tests that kill servers and services, and of the largest bodies: they take minutes in their short sizes. */
const faults = { ...onServers, displayName: 'faults', testMatch: ['**/src/**/*.faults.test.ts'] };
/** Tests of the images in a docker engine and a cluster, which scripts/acceptance-engines.mjs prepares. */
const engines = { ...native, displayName: 'engines', testMatch: ['**/src/**/*.engine.test.ts'] };

/** One project for each kind of test, told by the end of the file's name. Faults and engines run only where they are named. */
export default {
  projects: [unit, page, integration, acceptance, ...(isWhole && !isLong ? [] : [faults]), ...(words.includes('engines') ? [engines] : [])],
  globalSetup: '<rootDir>/scripts/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/scripts/jest/global-teardown.mjs',
  testSequencer: '<rootDir>/scripts/jest/sequencer.mjs',
  reporters: ['default', ['<rootDir>/scripts/jest/summary-reporter.mjs', { isWhole, isLong }]],
  // Tests wait for servers and times: one worker more than the two processors uses them meanwhile. A long run measures, so it runs alone.
  maxWorkers: isLong || process.env.NATS_URL ? 1 : 3,
  // Jest keeps the modules of every file that a worker has run; above this memory it starts the worker again.
  workerIdleMemoryLimit: '700MB',
  testTimeout: isLong ? 300_000 : 180_000,
};
