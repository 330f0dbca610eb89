export * from './index.js';
export { fileStore } from './events/file-store.js';
export { credentialsFromEnvironment } from './http/environment-credentials.js';
