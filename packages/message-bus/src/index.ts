export * from './bus.ts';
export * from './in-process/message-log.ts';
export * from './in-process/in-process-bus.ts';
export { connectNatsBus } from './nats/nats-bus.ts';
export {
  claimNatsStream,
  inspectNatsStream,
  removeNatsStream,
  type NatsStreamAddress,
  type StreamReport,
} from './nats/nats-maintenance.ts';
