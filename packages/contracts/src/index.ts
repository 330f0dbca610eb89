export * from './errors.js';
export * from './events.js';
export * from './envelope.js';
export * from './identifiers.js';
export * from './raw-data.js';
export * from './plan.js';
export * from './service-messages.js';
export * from './versions.js';
