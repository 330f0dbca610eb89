export * from './bus.js';
export type { BusLog } from './bus-log.js';
export * from './in-process/message-log.js';
export * from './in-process/in-process-bus.js';
export { connectNatsBus, type NatsBusOptions } from './nats/nats-bus.js';
export { UnsupportedBrokerError } from './nats/nats-link.js';
export type { StreamSettings } from './nats/nats-stream.js';
export { claimNatsStream, inspectNatsStream, removeNatsStream, type NatsStreamPlace, type StreamReport } from './nats/nats-maintenance.js';
