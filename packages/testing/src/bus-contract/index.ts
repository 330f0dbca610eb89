/**
 * Contract of `Bus` and `MessageLog`: tests that every implementation must pass.
 * Errors are compared by name, so that the tests of the message bus can pass their own classes.
 */
export { describeBus } from './bus-contract.ts';
export { describeMessageLog } from './message-log-contract.ts';
export * from './test-envelopes.ts';
