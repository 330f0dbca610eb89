/**
 * `npm run acceptance:long`: the tests that are worth more time than `npm test` gives them, with more rounds, longer loads and more random cases.
 * A variable that is set already stays as it is.
 */
process.env.SINEBAR_TEST_SECONDS ??= '60';
process.env.SINEBAR_FUZZ_RUNS ??= '10000';
process.env.SINEBAR_TEST_ANSWER_MIB ??= '1024';
process.env.SINEBAR_FAULT_ROUNDS ??= '50';
process.env.SINEBAR_TEST_TIME_FACTOR ??= '6';
process.argv.push('services/inspection', 'services/raw-data', 'infra/dev', 'acceptance');
await import('./test.mjs');
