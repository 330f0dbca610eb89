/** The contract of `Bus` and `MessageLog`: tests that every implementation must pass. Errors are told by name, so that the package is not loaded. */
export { describeBus } from './bus-contract.js';
export type { BusUnderTest } from './request-contract.js';
export { describeMessageLog, type LogContractOptions, type LogUnderTest } from './message-log-contract.js';
export * from './test-envelopes.js';
