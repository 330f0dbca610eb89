export * from './index.js';
export { fileStore } from './events/file-store.js';
