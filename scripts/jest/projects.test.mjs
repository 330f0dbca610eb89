import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../bootstrap.mjs';

const PROJECTS = ['unit', 'page', 'integration', 'acceptance', 'faults', 'engines'];

/** Lists the files that jest runs with these arguments. */
function listed(...args) {
  const jest = ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests', '--json', ...args];
  const files = JSON.parse(
    execFileSync(process.execPath, jest, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LONG: '' },
    }),
  );
  return files.map((file) => relative(ROOT, file)).sort();
}

/** Lists the files of a folder of sources whose names are those of tests. */
function testsBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.test\.(ts|tsx|mjs)$/.test(file));
}

/** Reads the projects of a run that names the engines, which has all of them. */
async function allProjects() {
  process.argv.push('engines');
  const { default: config } = await import('../../jest.config.js?all');
  process.argv.pop();
  return config.projects;
}

/** Names the projects that run a file, by their patterns. */
function projectsOf(file, projects) {
  const path = join(ROOT, file);
  const takes = ({ testMatch, testPathIgnorePatterns }) =>
    testMatch.some((glob) => matchesGlob(path, glob.replace('<rootDir>', ROOT))) &&
    !testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(path));
  return projects.filter(takes).map(({ displayName }) => displayName);
}

describe('the projects of jest', () => {
  let tests;
  const byProject = Object.fromEntries(PROJECTS.map((project) => [project, []]));
  let inOtherThanOne;
  beforeAll(async () => {
    const packages = ['apps', 'packages', 'services', 'tests'].flatMap((parent) =>
      readdirSync(join(ROOT, parent)).map((name) => join(parent, name, 'src')),
    );
    tests = [...packages, 'scripts'].flatMap(testsBelow).sort();
    const projects = await allProjects();
    expect(projects.map(({ displayName }) => displayName)).toEqual(PROJECTS);
    const found = tests.map((file) => [file, projectsOf(file, projects)]);
    inOtherThanOne = found.filter(([, { length }]) => length !== 1);
    for (const [file, names] of found) for (const name of names) byProject[name].push(file);
  });

  it('run every test, each in one project', () => {
    expect(inOtherThanOne).toEqual([]);
    expect(listed('--selectProjects', ...PROJECTS)).toEqual(tests);
  });

  it.each(PROJECTS)('have tests in %s', (project) => expect(byProject[project].length).toBeGreaterThan(5));

  it('leave faults and engines out where no test is named', () => {
    const { unit, page, integration, acceptance } = byProject;
    expect(listed()).toEqual([...unit, ...page, ...integration, ...acceptance].sort());
  });

  it('run the faults that a path names', () => {
    expect(listed('standby.faults')).toEqual(['tests/acceptance/src/specs/standby.faults.test.ts']);
  });
});
