export * from './principal.js';
export * from './readable-parts.js';
