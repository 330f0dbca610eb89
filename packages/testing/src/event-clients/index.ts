export * from './event-clients.js';
export * from './balancer.js';
