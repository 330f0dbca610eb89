import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../bootstrap.mjs';
import { main, ScriptError } from '../command.mjs';

/** Kinds of changes of Keep a Changelog 1.1.0. */
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const VERSION_HEADING = /^## \[(\d+\.\d+\.\d+(?:-[\w.]+)?)\] - (\d{4}-\d{2}-\d{2})( \[YANKED\])?$/;
const UNRELEASED = '## [Unreleased]';

/**
 * Reads a changelog in the form of Keep a Changelog.
 * @param {string} text
 * @returns {{ sections: { version?: string, date?: string, body: string }[], problems: string[] }} problems are sentences with their line
 */
export function readChangelog(text) {
  const sections = [];
  const problems = [];
  const kinds = new Set();
  for (const [index, line] of text.split('\n').entries()) {
    const isHeading = line.startsWith('## ');
    if (isHeading) {
      const [, version, date] = VERSION_HEADING.exec(line) ?? [];
      if (version === undefined && line !== UNRELEASED)
        problems.push(`Line ${index + 1}: "${line}" is neither "${UNRELEASED}" nor "## [1.2.3] - 2026-12-31".`);
      if (date !== undefined && !isDate(date)) problems.push(`Line ${index + 1}: ${date} is no day of the calendar.`);
      sections.push({ version, date, lines: [] });
      kinds.clear();
    } else if (sections.length > 0) {
      const kind = /^### (.*)$/.exec(line)?.[1];
      if (kind !== undefined && !KINDS.includes(kind))
        problems.push(`Line ${index + 1}: "${kind}" is no kind of changes; these are ${KINDS.join(', ')}.`);
      if (kind !== undefined && kinds.has(kind)) problems.push(`Line ${index + 1}: "${kind}" is there twice.`);
      if (kind !== undefined) kinds.add(kind);
      sections.at(-1).lines.push(line);
    }
  }
  for (const [index, { version }] of sections.entries()) {
    if (version === undefined && index > 0) problems.push(`"${UNRELEASED}" is the first section, or missing.`);
    const older = sections[index + 1]?.version;
    if (version !== undefined && older !== undefined && compareVersions(version, older) <= 0)
      problems.push(`${version} stands before ${older}: the newest version is first.`);
  }
  return { sections: sections.map(({ lines, ...section }) => ({ ...section, body: lines.join('\n').trim() })), problems };
}

/**
 * Returns the notes of a release: its section of the changelog, with links that work outside of the repository.
 * @param {string} text the changelog
 * @param {string} version
 * @param {string} [source] address of the files of the release: `https://github.com/owner/name/blob/v0.1.0/`; without it links become text
 * @throws {ScriptError} when the changelog has no such section, or is not in its form
 */
export function releaseNotes(text, version, source) {
  const { sections, problems } = readChangelog(text);
  if (problems.length > 0) throw new ScriptError(`CHANGELOG.md is not in the form of Keep a Changelog.\n${problems.join('\n')}`);
  const section = sections.find((candidate) => candidate.version === version);
  if (section === undefined)
    throw new ScriptError(
      `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD". Rename "${UNRELEASED}" to it, and begin an empty "${UNRELEASED}" above.`,
    );
  if (section.body === '') throw new ScriptError(`The section of ${version} in CHANGELOG.md is empty. Say what has changed for users.`);
  const notes = section.body.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, label, target) => {
    if (/^[a-z]+:/.test(target)) return whole;
    return source === undefined ? label : `[${label}](${source}${posix.normalize(target)})`;
  });
  return `${notes}\n\nHow to install and verify: ${source === undefined ? 'docs/install.md' : `[docs/install.md](${source}docs/install.md)`}\n`;
}

function isDate(text) {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Compares versions by their numbers; a pre-release is older than its release. */
function compareVersions(left, right) {
  const [a, b] = [left, right].map((version) => version.split('-')[0].split('.').map(Number));
  const different = a.findIndex((number, index) => number !== b[index]);
  if (different !== -1) return a[different] - b[different];
  return Number(right.includes('-')) - Number(left.includes('-')) || left.localeCompare(right, 'en', { numeric: true });
}

/** Runs `node scripts/launch.mjs scripts/release/notes.mjs [--source URL] [--out FILE]`: prints the notes, or writes them. */
function run() {
  const { values } = parseArgs({ options: { source: { type: 'string' }, out: { type: 'string' } } });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const source = values.source?.replace(/\/*$/, '/');
  const notes = releaseNotes(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, source);
  if (values.out === undefined) {
    console.log(notes);
    return 0;
  }
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, notes);
  return 0;
}

if (process.argv[1] === import.meta.filename) await main(async () => run());
