export * from './backing.js';
export * from './describe-with.js';
export * from './test-databases.js';
export * from './eventually.js';
export * from './unique-names.js';
export * from './cuttable-proxy.js';
export * from './start-process.js';
export * from './wire-requests.js';
