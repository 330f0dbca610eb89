/** Tests that every implementation must pass; the only entry of this package that needs the test runner. */
export { describeBus } from './bus-contract.js';
export type { BusUnderTest } from './request-contract.js';
export { describeMessageLog, type LogContractOptions, type LogUnderTest } from './message-log-contract.js';
export { testEnvelope, testEnvelopes, until } from './contract-parts.js';
