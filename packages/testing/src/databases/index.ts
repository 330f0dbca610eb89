/** Databases of tests and benchmarks; nothing here needs jest. */
export * from './connected.ts';
export * from './query-once.ts';
export * from './test-databases.ts';
