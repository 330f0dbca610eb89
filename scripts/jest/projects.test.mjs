import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
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

describe('the projects of jest', () => {
  const byProject = {};
  beforeAll(() => {
    for (const project of PROJECTS) byProject[project] = listed('--selectProjects', project);
  });

  it('run every test, each in one project', () => {
    const packages = ['apps', 'packages', 'services', 'tests'].flatMap((parent) =>
      readdirSync(join(ROOT, parent)).map((name) => join(parent, name, 'src')),
    );
    const tests = [...packages, 'scripts'].flatMap(testsBelow).sort();
    expect(Object.values(byProject).flat().sort()).toEqual(tests);
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
