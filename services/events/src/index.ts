export * from './compose.js';
export * from './config.js';
export * from './connections/session-id.js';
