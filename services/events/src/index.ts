export * from './compose.ts';
export * from './config.ts';
export * from './connections/session-id.ts';
