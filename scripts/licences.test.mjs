import { describe, expect, it } from '@jest/globals';
import { pnpmCommand, ROOT } from './bootstrap.mjs';
import { run } from './command.mjs';

/** Licences that allow everybody to use, change and distribute the files of Sinebar. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND BSL-1.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Unlicense',
];
/**
 * Packages under other licences: a separate shared library, loaded at run time and replaceable, as the LGPL requires; and fonts whose own
 * licence allows use, embedding and redistribution, which has no name in the list of SPDX.
 */
const ALLOWED_PACKAGES = { 'LGPL-3.0-or-later': /^@img\/sharp-libvips-/, Unknown: /^dejavu-fonts-ttf$/ };
/** What is delivered: all workspace packages but those of tests. */
const DELIVERED = ['./apps/*', './services/*', './packages/*', '!./packages/testing'];

/** Returns packages that `pnpm licenses list --json` has under a licence that is not allowed. */
const refusedPackages = (packagesByLicence) =>
  Object.entries(packagesByLicence)
    .filter(([licence]) => !ALLOWED.includes(licence))
    .flatMap(([licence, packages]) => packages.filter(({ name }) => !ALLOWED_PACKAGES[licence]?.test(name)))
    .map(({ name }) => name);

describe('packages delivered with Sinebar', () => {
  it('are under licences that allow use, change and redistribution', async () => {
    const filters = DELIVERED.flatMap((pattern) => ['--filter', pattern]);
    const command = [...(await pnpmCommand(ROOT)), ...filters, 'licenses', 'list', '--prod', '--json'];
    const { code, output } = await run(command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], timeoutMs: 60_000 });
    expect(code).toBe(0);
    const packagesByLicence = JSON.parse(output);
    const names = Object.values(packagesByLicence).flatMap((packages) => packages.map(({ name }) => name));
    // Direct dependencies and those of others, but none of development.
    expect(names).toEqual(expect.arrayContaining(['express', 'pg', 'socket.io', 'engine.io', 'zod']));
    expect(names).not.toContain('jest');
    expect(refusedPackages(packagesByLicence)).toEqual([]);
  });

  it('are refused under every other licence', () => {
    const licences = {
      MIT: [{ name: 'a' }],
      'GPL-3.0': [{ name: 'b' }],
      'MIT OR GPL-3.0': [{ name: 'c' }],
      Unknown: [{ name: 'd' }],
      'LGPL-3.0-or-later': [{ name: '@img/sharp-libvips-linux-x64' }, { name: 'e' }],
    };
    expect(refusedPackages(licences)).toEqual(['b', 'c', 'd', 'e']);
  });
});
