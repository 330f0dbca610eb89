/** Variables with the addresses of backing services, and the service of each. */
const SERVICE_OF = {
  DATABASE_URL: 'postgres',
  NATS_URL: 'nats',
  NATS_SERVER_BIN: 'nats',
  S3_ENDPOINT: 's3',
  S3_ACCESS_KEY: 's3',
  S3_SECRET_KEY: 's3',
};

/**
 * Reads the lines that skipped suites print: `SKIPPED (no NATS_URL): publishing`.
 * @returns {{ reason: string, suite: string }[]}
 */
export function parseSkipLines(output) {
  return [...output.matchAll(/^[ \t]*SKIPPED \((.+?)\): (.+)$/gm)].map(([, reason, suite]) => ({ reason, suite: suite.trim() }));
}

/**
 * Summarises test runs and checks.
 * @param {{ checks: { name: string, ok: boolean }[], runs: { name: string, code: number, results: object | undefined }[], output: string,
 * missing: { name: string, why: string }[], hasProgram: (name: string) => boolean }} input `results` is the JSON output of jest, `output`
 * what the runs printed
 * @returns numbers of tests, names of failures, and each skipped test with the reason and whether it could have run here; a failed check,
 * an unloadable suite and an aborted run count as one failed test each
 */
export function summarise({ checks, runs, output, missing, hasProgram }) {
  const summary = { passed: 0, failed: 0, failures: [], skipped: [] };
  const fail = (name) => {
    summary.failed += 1;
    summary.failures.push(name);
  };
  for (const { name, ok } of checks) if (!ok) fail(name);

  const skipLines = parseSkipLines(output);
  for (const { name, code, results } of runs) {
    if (results === undefined) {
      fail(`${name}: ended with code ${code} and left no results`);
      continue;
    }
    const failedBefore = summary.failed;
    for (const suite of results.testResults) {
      for (const test of suite.assertionResults) {
        if (test.status === 'passed') summary.passed += 1;
        else if (test.status === 'failed') fail(`${suite.name}: ${test.fullName}`);
        else summary.skipped.push({ file: suite.name, name: test.fullName, ...whySkipped(test, skipLines, missing, hasProgram) });
      }
      if (suite.status === 'failed' && !suite.assertionResults.some(({ status }) => status === 'failed'))
        fail(`${suite.name}: did not load or broke off`);
    }
    if (code !== 0 && summary.failed === failedBefore) fail(`${name}: ended with code ${code} although no test failed`);
  }
  return summary;
}

function whySkipped({ title, ancestorTitles }, skipLines, missing, hasProgram) {
  const needed = /^needs (\S+)$/.exec(title)?.[1];
  const reason =
    skipLines.find(({ suite }) => ancestorTitles.includes(suite))?.reason ?? (needed === undefined ? undefined : `no ${needed}`);
  if (reason === undefined) return { reason: 'no reason given', avoidable: true };
  const services = Object.entries(SERVICE_OF)
    .filter(([variable]) => new RegExp(`(?<![A-Z_])${variable}(?![A-Z_])`).test(reason))
    .map(([, service]) => service);
  if (services.length === 0) return { reason, avoidable: needed !== undefined && hasProgram(needed) };
  const why = missing.filter(({ name }) => services.includes(name)).map((service) => service.why);
  // Postgres comes with the packages; the others can be built with Go.
  const avoidable = services.includes('postgres') || hasProgram('go') || why.length === 0;
  return { reason: [reason, ...why].join('; '), avoidable };
}

/**
 * Lists the slowest test files, slowest first.
 * @returns {{ name: string, seconds: number }[]}
 */
export function slowestFiles(runs, count = 10) {
  return runs
    .flatMap(({ results }) => results?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count);
}

/** How long installing and building took, how long the tests, and which files took longest, for people. */
export function formatTimes(preparationSeconds, totalSeconds, slowest) {
  const lines = slowest.map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`);
  const preparation = `Installing and building took ${Math.round(preparationSeconds)} s.`;
  return ['', preparation, `Checks and tests took ${Math.round(totalSeconds)} s. The slowest files:`, ...lines].join('\n');
}

export function formatSummary({ passed, failed, failures, skipped }) {
  const lines = [];
  if (skipped.length > 0) {
    lines.push('', '!'.repeat(80), `${skipped.length} tests were SKIPPED:`);
    for (const reason of new Set(skipped.map((test) => test.reason))) {
      const tests = skipped.filter((test) => test.reason === reason);
      lines.push(
        `  ${reason}`,
        ...[...new Set(tests.map(({ file }) => file))].map((file) => `    ${file} (${tests.filter((test) => test.file === file).length})`),
      );
    }
    lines.push('!'.repeat(80));
  }
  if (failures.length > 0) lines.push('', 'FAILED:', ...failures.map((name) => `  ${name}`));
  lines.push('', `${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  return lines.join('\n');
}
