export * from './bus.ts';
export type { BusLog } from './bus-log.ts';
export * from './in-process/message-log.ts';
export * from './in-process/in-process-bus.ts';
export { connectNatsBus, type NatsBusOptions } from './nats/nats-bus.ts';
export { UnsupportedBrokerError } from './nats/nats-link.ts';
export type { StreamSettings } from './nats/nats-stream.ts';
export {
  claimNatsStream,
  inspectNatsStream,
  removeNatsStream,
  type NatsStreamAddress,
  type StreamReport,
} from './nats/nats-maintenance.ts';
