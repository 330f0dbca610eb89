import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../bootstrap.mjs';
import { readChangelog, releaseNotes } from './notes.mjs';

const CHANGELOG = `# Changelog

## [Unreleased]

## [0.2.0] - 2027-02-28

### Added

- Reports ([how](docs/files.md#reports), [standard](https://example.com/a)).

## [0.1.0] - 2026-12-01

### Fixed

- One thing.
`;

describe('CHANGELOG.md', () => {
  it('has the form of Keep a Changelog', () => {
    const { sections, problems } = readChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
    expect(problems).toEqual([]);
    expect(sections.length).toBeGreaterThan(0);
  });
});

describe('notes of a release', () => {
  it('are the section of its version, with links to the files of the release', () => {
    const notes = releaseNotes(CHANGELOG, '0.2.0', 'https://github.com/o/r/blob/v0.2.0/');
    expect(notes).toContain('[how](https://github.com/o/r/blob/v0.2.0/docs/files.md#reports)');
    expect(notes).toContain('[standard](https://example.com/a)');
    expect(notes).not.toContain('One thing');
    expect(notes).toContain('[docs/install.md](https://github.com/o/r/blob/v0.2.0/docs/install.md)');
  });

  it('have no dead links where nobody knows the address of the files', () => {
    expect(releaseNotes(CHANGELOG, '0.2.0')).toContain('- Reports (how, [standard](https://example.com/a)).');
  });

  it('are refused with what to do when the changelog has no section, or an empty one', () => {
    expect(() => releaseNotes(CHANGELOG, '0.3.0')).toThrow('Rename "## [Unreleased]" to it');
    expect(() => releaseNotes('## [0.3.0] - 2027-01-01\n', '0.3.0')).toThrow('is empty');
  });

  it.each([
    ['## 0.1.0\n', 'Line 1: "## 0.1.0" is neither'],
    ['## [0.1.0] - 2027-02-30\n', '2027-02-30 is no day'],
    ['## [0.1.0] - 2027-02-01\n### New\n', 'Line 2: "New" is no kind'],
    ['## [0.1.0] - 2027-02-01\n### Fixed\n### Fixed\n', 'Line 3: "Fixed" is there twice'],
    ['## [0.1.0] - 2027-02-01\n## [0.2.0] - 2027-03-01\n', '0.1.0 stands before 0.2.0'],
    ['## [1.0.0-rc.1] - 2027-02-01\n## [1.0.0] - 2027-03-01\n', '1.0.0-rc.1 stands before 1.0.0'],
    ['## [0.1.0] - 2027-02-01\n## [Unreleased]\n', '"## [Unreleased]" is the first section'],
  ])('are refused for %j', (text, problem) => {
    expect(readChangelog(text).problems.join('\n')).toContain(problem);
    expect(() => releaseNotes(text, '0.1.0')).toThrow('is not in the form');
  });
});
