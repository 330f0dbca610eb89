export * from './bus.js';
export type { BusLog } from './bus-log.js';
export * from './message-log.js';
export * from './in-process-bus.js';
export { connectNatsBus, type NatsBusOptions } from './nats-bus.js';
export { UnsupportedBrokerError } from './nats-link.js';
export type { StreamSettings } from './nats-stream.js';
export { outboxStream } from './outbox-stream.js';
export { inspectNatsStream, removeNatsStream, type NatsStreamPlace, type StreamReport } from './nats-maintenance.js';
