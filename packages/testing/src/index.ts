/** Tools of most tests. Those that need large libraries have entries of their own, because jest loads them again for each file. */
export * from './backing.js';
export * from './describe-with.js';
export * from './databases/index.js';
export * from './data-folder.js';
export * from './eventually.js';
export * from './free-port.js';
export * from './unique-names.js';
export * from './cuttable-proxy.js';
export * from './database-errors.js';
export * from './change-envelope.js';
export { contentOf, fields, zip, type WrittenArchive, type WrittenEntry } from './zip-writer.js';
export * from './chromium.js';
export * from './start-process.js';
export * from './access-cases/places.js';
export * from './access-cases/grants.js';
export * from './access-cases/address-cases.js';
export * from './access-cases/list-cases.js';
export * from './access-cases/event-cases.js';
