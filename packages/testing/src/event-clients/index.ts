export * from './event-clients.ts';
export * from './balancer.ts';
