import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { ScriptError } from './command.mjs';
import { parseSkipLines } from './jest/test-summary.mjs';

/** Forms of the product; a test that uses both has the form in its name. */
export const FORMS = ['standalone', 'distributed'];

/** Acceptance tests that also run on replicas; docs/long-runs.md gives the reasons for the others. */
const SUITE_ON_REPLICAS = ['slice', 'plan-events', 'file-targets', 'archives', 'bulk-events', 'sign-in', 'client-examples', 'guides'].map(
  (name) => `tests/acceptance/src/specs/${name}.acceptance.test.ts`,
);

/**
 * Files that assert plans of single statements, which the planner of Citus makes. All other tests of the services also run on a database
 * whose schemas are distributed.
 */
export const NOT_ON_CITUS = [
  'services/inspection/src/plan/reading/plan-statements.int.test.ts',
  'services/inspection/src/measurements/selection/measurement-statements.int.test.ts',
  'services/raw-data/src/information/large-listing.int.test.ts',
];

/** Integration tests of a service that also run on Citus. */
function testsOnCitus(service) {
  return readdirSync(join(ROOT, 'services', service, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.int.test.ts'))
    .map((file) => `services/${service}/src/${file.replaceAll('\\', '/')}`)
    .filter((file) => !NOT_ON_CITUS.includes(file))
    .sort();
}

/** Acceptance tests of faults and of the largest bodies: they take minutes in their shortest form, so that they run here only. */
export const FAULT_TESTS = ['crash', 'event-faults', 'file-faults', 'measurement-crash', 'replicas', 'standby', 'heavy-bodies'].map(
  (name) => `tests/acceptance/src/specs/${name}.acceptance.test.ts`,
);

/**
 * Tests that need more time than `npm test` allows. Variables of the environment set the duration; existing values are kept.
 * A run with `forms` is repeated for each form. One with `citus` also gets a Citus cluster; one with `plants` runs its files against two
 * plants of one product at the same time.
 * @type {readonly { name: string, title: string, files: readonly string[], environment: Record<string, string>, forms?: readonly string[],
 * minutes: number, citus?: true, plants?: true }[]}
 */
export const LONG_RUNS = [
  {
    name: 'measurements',
    title: 'writers and readers of measurements while services and the database are killed',
    files: ['tests/acceptance/src/specs/measurement-crash.acceptance.test.ts'],
    environment: { SINEBAR_TEST_SECONDS: '60' },
    forms: FORMS,
    minutes: 20,
  },
  {
    name: 'files',
    title: 'uploads and downloads while clients break off and every server is killed',
    files: ['tests/acceptance/src/specs/file-faults.acceptance.test.ts'],
    environment: { SINEBAR_FAULT_ROUNDS: '50' },
    forms: FORMS,
    minutes: 240,
  },
  {
    name: 'events',
    title: 'clients that listen while every server and service is killed and the network is away',
    files: ['tests/acceptance/src/specs/event-faults.acceptance.test.ts'],
    environment: { SINEBAR_FAULT_ROUNDS: '50' },
    minutes: 240,
  },
  {
    name: 'events-bulk',
    title: 'clients that listen to a bulk import',
    files: ['tests/acceptance/src/specs/bulk-events.acceptance.test.ts'],
    environment: { SINEBAR_TEST_FORMS: 'all', SINEBAR_TEST_SECONDS: '60' },
    forms: FORMS,
    minutes: 30,
  },
  {
    name: 'events-gateways',
    title: 'clients behind the proxy while one gateway after the other is killed',
    files: ['tests/deployment/src/gateway-failover.int.test.ts'],
    environment: { SINEBAR_FAULT_ROUNDS: '50' },
    minutes: 60,
  },
  {
    name: 'events-cluster',
    title: 'a cluster of NATS whose leader is killed',
    files: ['packages/local-servers/src/nats-cluster.int.test.ts'],
    environment: { SINEBAR_FAULT_ROUNDS: '50' },
    minutes: 60,
  },
  {
    name: 'replicas',
    title: 'two of every service while one of each is stopped or killed, and three servers of NATS of which one is',
    files: ['tests/acceptance/src/specs/replicas.acceptance.test.ts'],
    environment: { SINEBAR_FAULT_ROUNDS: '50' },
    minutes: 120,
  },
  {
    name: 'crashes',
    title: 'writers while each service is killed once, and restarts on the same data',
    files: ['tests/acceptance/src/specs/crash.acceptance.test.ts'],
    environment: {},
    minutes: 30,
  },
  {
    name: 'standby',
    title: 'a standby of PostgreSQL that takes over under load',
    files: ['tests/acceptance/src/specs/standby.acceptance.test.ts'],
    environment: {},
    minutes: 20,
  },
  {
    name: 'restarts-services',
    title: 'the acceptance tests while one of two of each service is stopped and started, again and again',
    files: SUITE_ON_REPLICAS,
    environment: { SINEBAR_TEST_RESTARTS: 'services', SINEBAR_TEST_TIMES: '5' },
    minutes: 90,
  },
  {
    name: 'restarts-nats',
    title: 'the acceptance tests while one of three servers of NATS after the other is killed',
    files: SUITE_ON_REPLICAS.filter((file) => !file.includes('/guides.')),
    environment: { SINEBAR_TEST_RESTARTS: 'nats', SINEBAR_TEST_TIMES: '5' },
    minutes: 90,
  },
  {
    name: 'system-postgres',
    title: 'the acceptance tests on the PostgreSQL server that the machine has, with one of each service',
    files: [...SUITE_ON_REPLICAS, 'tests/acceptance/src/specs/crash.acceptance.test.ts'],
    environment: { SINEBAR_TEST_FORMS: 'all', SINEBAR_SYSTEM_DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/postgres' },
    minutes: 60,
  },
  {
    name: 'forms',
    title: 'the acceptance tests that `npm test` runs on one form',
    files: ['archives', 'random-requests', 'bulk-events', 'file-targets', 'plan-events'].map(
      (name) => `tests/acceptance/src/specs/${name}.acceptance.test.ts`,
    ),
    environment: { SINEBAR_TEST_FORMS: 'all' },
    minutes: 30,
  },
  {
    name: 'archives',
    title: 'an answer of 1 GiB from archives',
    files: ['tests/acceptance/src/specs/archives.acceptance.test.ts'],
    environment: { SINEBAR_TEST_FORMS: 'all', SINEBAR_TEST_ANSWER_MIB: '1024' },
    forms: FORMS,
    minutes: 30,
  },
  {
    name: 'bodies',
    title: 'the largest and the worst bodies of measured values',
    files: ['tests/acceptance/src/specs/heavy-bodies.acceptance.test.ts'],
    environment: { SINEBAR_TEST_SECONDS: '60' },
    minutes: 20,
  },
  {
    name: 'import-files',
    title: 'the import of files while it is killed',
    files: ['apps/sinebar/src/commands/import-files/import-files.int.test.ts'],
    environment: { SINEBAR_TEST_KILLS: '20' },
    minutes: 10,
  },
  {
    name: 'fuzz-exchange',
    title: 'random AQDEF, CSV and Excel files, written and read back, and damaged ones',
    files: ['aqdef/aqdef-round-trip', 'csv/csv-reader', 'excel/excel'].map((name) => `packages/exchange/src/${name}.test.ts`),
    environment: { SINEBAR_TEST_FILES: '3000', SINEBAR_FUZZ_RUNS: '3000' },
    minutes: 30,
  },
  {
    name: 'hostile-files',
    title: 'imports of files that a generator damages: none holds the event loop, ends the process or is answered with 5xx',
    files: ['tests/product/src/imports/hostile-files.int.test.ts'],
    environment: { SINEBAR_TEST_SECONDS: '600' },
    minutes: 40,
  },
  {
    name: 'deletion',
    title: 'changes of the plan while a million measurements are deleted in the background',
    files: ['services/inspection/src/measurements/deletion/pending-operations-load.int.test.ts'],
    environment: { SINEBAR_TEST_MEASUREMENTS: '1000000' },
    minutes: 30,
  },
  {
    name: 'statements',
    title: 'plans of statements on a million measurements, a million files and a plan of 200,000 items',
    files: NOT_ON_CITUS,
    environment: { SINEBAR_TEST_ROWS: '1000000', SINEBAR_TEST_PARTS: '1000' },
    minutes: 30,
  },
  {
    name: 'values',
    title: 'figures of 6,000,000 values of one characteristic, which are more than one request reads',
    files: ['services/inspection/src/analysis/many-values.int.test.ts'],
    environment: { SINEBAR_TEST_VALUES: '6000000' },
    minutes: 30,
  },
  {
    name: 'requests',
    title: 'random requests over all addresses of all services',
    files: ['tests/acceptance/src/specs/random-requests.acceptance.test.ts'],
    environment: { SINEBAR_TEST_FORMS: 'all', SINEBAR_TEST_REQUESTS: '100000' },
    forms: FORMS,
    minutes: 90,
  },
  {
    name: 'plan',
    title: 'clients that change one plan at the same time',
    files: ['services/inspection/src/plan/plan-concurrency.int.test.ts'],
    environment: { SINEBAR_TEST_SECONDS: '60' },
    minutes: 20,
  },
  {
    name: 'fuzz-plan',
    title: 'random requests about the plan, updates against a model, searches against their evaluation in memory',
    files: ['request-fuzz', 'changes/plan-update-model', 'search'].map((name) => `services/inspection/src/plan/${name}.int.test.ts`),
    environment: { SINEBAR_FUZZ_RUNS: '10000' },
    minutes: 90,
  },
  {
    name: 'fuzz-rights',
    title: 'random grants: what they show of the plan and let change',
    files: ['services/inspection/src/plan/plan-rights.int.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '1000' },
    minutes: 30,
  },
  {
    name: 'fuzz-measurements',
    title: 'malformed and random requests about measurements',
    files: ['services/inspection/src/measurements/measurement-fuzz.int.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '10000' },
    minutes: 60,
  },
  {
    name: 'fuzz-selections',
    title: 'random selections of measurements against an evaluation in memory',
    files: ['services/inspection/src/measurements/selection/measurement-selection.int.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '10000' },
    minutes: 60,
  },
  {
    name: 'fuzz-numbers',
    title: 'numbers over HTTP and back',
    files: ['services/inspection/src/measurements/codec/value-round-trip.int.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '10000' },
    minutes: 60,
  },
  {
    name: 'fuzz-files',
    title: 'malformed and random requests about files and archives, filters against their evaluation in memory',
    files: ['request-fuzz', 'archives/archive-request-fuzz', 'filter/filter-model'].map(
      (name) => `services/raw-data/src/${name}.int.test.ts`,
    ),
    environment: { SINEBAR_FUZZ_RUNS: '10000' },
    minutes: 60,
  },
  {
    name: 'fuzz-archives',
    title: 'archives with bytes changed at random',
    files: ['services/raw-data/src/archives/archive-reader.test.ts', 'services/raw-data/src/archives/archive-reader-s3.int.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '10000' },
    minutes: 60,
  },
  {
    name: 'fuzz-texts',
    title: 'numbers, JSON, search conditions and bodies of measured values at random, without servers',
    files: [
      ...['exact-text', 'number-text', 'values-scanner'].map((name) => `services/inspection/src/measurements/codec/${name}.test.ts`),
      'packages/http/src/json/json-text.test.ts',
      'packages/query-language/src/search-condition.test.ts',
    ],
    environment: { SINEBAR_FUZZ_RUNS: '30000' },
    minutes: 30,
  },
  {
    name: 'fuzz-addresses',
    title: 'addresses outside of the own subtree in all spellings with all headers',
    files: ['tests/product/src/access/security.int.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '1' },
    minutes: 20,
  },
  {
    name: 'fuzz-gzip',
    title: 'answers with gzip in random pieces, without servers',
    files: ['packages/http/src/gzip/gzip-answer.test.ts'],
    environment: { SINEBAR_FUZZ_RUNS: '1000' },
    minutes: 20,
  },
  ...['inspection', 'raw-data', 'events'].map((service) => ({
    name: `citus-${service}`,
    title: `the integration tests of the ${service} service on distributed schemas of a Citus cluster`,
    files: testsOnCitus(service),
    environment: {},
    citus: true,
    minutes: 120,
  })),
  {
    name: 'citus-plants',
    title: 'a plant on a Citus cluster: later migrations, backup and restore, a role without superuser rights',
    files: ['tests/product/src/plants/citus.int.test.ts'],
    environment: {},
    citus: true,
    minutes: 20,
  },
  {
    name: 'citus-faults',
    title: 'writers and readers while nodes of a Citus cluster are killed and the plant is moved between them',
    files: ['tests/acceptance/src/specs/citus.acceptance.test.ts'],
    environment: { SINEBAR_TEST_SECONDS: '60' },
    citus: true,
    minutes: 30,
  },
  {
    name: 'plants',
    title: 'the acceptance tests against two plants of one product at the same time',
    files: ['plan-events', 'file-targets', 'signalr'].map((name) => `tests/acceptance/src/specs/${name}.acceptance.test.ts`),
    environment: {},
    plants: true,
    minutes: 30,
  },
];

/**
 * Chooses the runs for the words of a command line: names of runs (`fuzz` selects all that begin with `fuzz-`) and forms. Each word
 * restricts the choice.
 * @returns {{ run: (typeof LONG_RUNS)[number], form: string | undefined }[]}
 * @throws {ScriptError} for an unknown word
 */
export function chooseRuns(words) {
  const forms = FORMS.filter((form) => words.includes(form));
  const names = words.filter((word) => !FORMS.includes(word));
  const isNamed = ({ name }, word) => name === word || name.startsWith(`${word}-`);
  const unknown = names.find((word) => !LONG_RUNS.some((run) => isNamed(run, word)));
  if (unknown !== undefined) {
    throw new ScriptError(`There is no long run "${unknown}". There are:\n${listOfRuns()}\nand the forms ${FORMS.join(' and ')}.`);
  }
  const chosen = LONG_RUNS.filter((run) => names.length === 0 || names.some((word) => isNamed(run, word))).flatMap((run) => {
    if (run.forms) return run.forms.filter((form) => forms.length === 0 || forms.includes(form)).map((form) => ({ run, form }));
    // A form was requested and this run has none; naming the run as well still selects it.
    return forms.length > 0 && names.length === 0 ? [] : [{ run, form: undefined }];
  });
  return chosen;
}

export function listOfRuns() {
  return LONG_RUNS.map(({ name, title }) => `  ${name.padEnd(18)} ${title}`).join('\n');
}

/** Returns the arguments with which jest runs only tests of this form. */
export const namePatternOf = (form) => (form === undefined ? [] : ['--testNamePattern', `(on|,) ${form}\\b`]);

/**
 * Judges one run. Tests of the other form are not counted; a run without any test has failed.
 * @param {{ code: number, output: string, timedOut: boolean, results: object | undefined }} outcome of jest
 * @returns {{ passed: number, problems: string[], figures: string[] }} `figures` are the output lines `FIGURES text`
 */
export function judge({ code, output, timedOut, results }) {
  const problems = [];
  let passed = 0;
  if (timedOut) problems.push('took too long and was ended');
  for (const suite of results?.testResults ?? []) {
    for (const { status, fullName } of suite.assertionResults) {
      if (status === 'passed') passed += 1;
      else if (status === 'failed') problems.push(fullName);
    }
    if (suite.status === 'failed' && !suite.assertionResults.some(({ status }) => status === 'failed'))
      problems.push(`${suite.name} did not load or broke off`);
  }
  if (problems.length === 0 && code !== 0) problems.push(`ended with code ${code} although no test failed`);
  if (problems.length === 0 && passed === 0) {
    const reasons = parseSkipLines(output).map(({ reason, suite }) => `${suite}: ${reason}`);
    problems.push(['nothing ran', ...reasons].join('; '));
  }
  const figures = [...output.matchAll(/^[ \t]*FIGURES (.+)$/gm)].map(([, text]) => text.trim());
  return { passed, problems, figures };
}

/**
 * Formats the results as a table.
 * @param {readonly { name: string, form: string | undefined, passed: number, problems: string[], figures: string[], seconds: number }[]}
 * rows
 */
export function formatTable(rows) {
  const line = (name, form, passed, failed, time) =>
    `${name.padEnd(18)} ${form.padEnd(12)} ${passed.padStart(6)} ${failed.padStart(6)} ${time.padStart(9)}`;
  const lines = ['', line('run', 'form', 'passed', 'failed', 'time')];
  for (const { name, form, passed, problems, figures, seconds } of rows) {
    const time = `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, '0')}`;
    lines.push(line(name, form ?? '', String(passed), String(problems.length), time));
    lines.push(...figures.map((text) => `    ${text}`), ...problems.map((text) => `    FAILED: ${text}`));
  }
  const failed = rows.filter(({ problems }) => problems.length > 0).length;
  lines.push('', failed === 0 ? `${rows.length} long runs, none failed` : `${failed} of ${rows.length} long runs FAILED`);
  return lines.join('\n');
}
