export * from './index.ts';
export { fileStore } from './events/file-store.ts';
export { credentialsFromEnvironment } from './http/environment-credentials.ts';
