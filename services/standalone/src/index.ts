export * from './embedded-postgres/embedded-postgres.js';
export * from './refusal.js';
