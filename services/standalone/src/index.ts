export { standaloneSettings } from './config.js';
export * from './embedded-postgres/embedded-postgres.js';
export { runningServerUrl } from './embedded-postgres/running-server.js';
export * from './refusal.js';
