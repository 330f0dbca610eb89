import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

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
 * Reads the lines that skipped suites write: `SKIPPED (no NATS_URL): publishing`.
 * @returns {{ reason: string, suite: string }[]}
 */
export function parseSkipLines(notes) {
  return [...notes.matchAll(/^SKIPPED \((.+?)\): (.+)$/gm)].map(([, reason, suite]) => ({ reason, suite: suite.trim() }));
}

/**
 * Summarises a test run and the checks beside it.
 * @param {{ checks: { name: string, ok: boolean }[], files: { name: string, tests: object[], brokeOff: boolean, seconds: number }[],
 * notes: string, missing: { name: string, why: string }[], hasProgram: (name: string) => boolean, isSelection: boolean }} input `tests` are
 * the assertion results of jest, `notes` what tests wrote, `isSelection` whether only tests with some names ran
 * @returns numbers of tests, names of failures, figures, and each skipped test with the reason and whether it could have run here; a failed
 * check and an unloadable suite count as one failed test each
 */
export function summarise({ checks, files, notes, missing, hasProgram, isSelection }) {
  const summary = { passed: 0, failed: 0, failures: [], skipped: [], figures: [] };
  const fail = (name) => {
    summary.failed += 1;
    summary.failures.push(name);
  };
  for (const { name, ok } of checks) if (!ok) fail(name);
  const skipLines = parseSkipLines(notes);
  for (const file of files) {
    for (const test of file.tests) {
      if (test.status === 'passed') summary.passed += 1;
      else if (test.status === 'failed') fail(`${file.name}: ${test.fullName}`);
      else if (!isSelection)
        summary.skipped.push({ file: file.name, name: test.fullName, ...whySkipped(test, skipLines, missing, hasProgram) });
    }
    if (file.brokeOff && !file.tests.some(({ status }) => status === 'failed')) fail(`${file.name}: did not load or broke off`);
  }
  summary.figures = [...notes.matchAll(/^FIGURES (.+)$/gm)].map(([, text]) => text.trim());
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

/** Whether a folder of `PATH` holds the program. */
export function hasProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

/** The table of the slowest files, slowest first, for people. */
export function formatFiles(files, totalSeconds, count) {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, count);
  const number = (file, wanted) => file.tests.filter(({ status }) => status === wanted).length;
  const line = (seconds, passed, failed, name) => `${seconds.padStart(9)} ${passed.padStart(7)} ${failed.padStart(7)}  ${name}`;
  const rows = slowest.map((file) =>
    line(`${file.seconds.toFixed(1)} s`, `${number(file, 'passed')}`, `${number(file, 'failed')}`, file.name),
  );
  return ['', `The run took ${Math.round(totalSeconds)} s. The slowest files:`, line('time', 'passed', 'failed', 'file'), ...rows].join(
    '\n',
  );
}

export function formatSummary({ passed, failed, failures, skipped, figures }) {
  const lines = figures.map((text) => `  ${text}`);
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
