/** Databases of tests and benchmarks; nothing here needs jest. */
export * from './connected.js';
export * from './query-once.js';
export * from './test-databases.js';
