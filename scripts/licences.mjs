import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Licences that allow everybody to use, change and distribute the files of Sinebar. */
const ALLOWED = new Set(
  [
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BSL-1.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'PostgreSQL',
    'Unlicense',
  ].map((id) => id.toLowerCase()),
);

/** Accepted packages under other licences, each with the reason. */
const EXCEPTIONS = [
  // A separate shared library, loaded at run time and replaceable, as the LGPL requires.
  { name: /^@img\/sharp-libvips-/, licence: 'LGPL-3.0-or-later' },
];

/**
 * Lists packages that are delivered with the workspace packages of some folders: their dependencies, recursively, as installed for this
 * platform.
 * @param {string} root of the workspace
 * @param {readonly string[]} folders relative to it, such as `services/events`
 * @returns {{ name: string, version: string, licence: string }[]} by name, without the workspace's own packages
 */
export function deliveredPackages(root, folders) {
  const found = new Map();
  const visited = new Set();
  const visit = (folder) => {
    if (visited.has(folder)) return;
    visited.add(folder);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (folder.includes('node_modules'))
      found.set(folder, { name: manifest.name, version: manifest.version, licence: licenceOf(manifest) });
    const names = [manifest.dependencies, manifest.optionalDependencies, manifest.peerDependencies].flatMap((each) =>
      Object.keys(each ?? {}),
    );
    for (const name of names) {
      const dependency = resolveFrom(folder, name);
      if (dependency !== undefined) visit(dependency);
      else if (manifest.dependencies?.[name] !== undefined && manifest.optionalDependencies?.[name] === undefined)
        throw new Error(`${name}, which ${manifest.name} needs, is not installed`);
    }
  };
  for (const folder of folders) visit(realpathSync(join(root, folder)));
  return [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Lists the workspace folders whose packages are delivered. */
export function deliveredFolders(root) {
  return ['apps', 'packages', 'services'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => folder !== 'packages/testing' && existsSync(join(root, folder, 'package.json'))),
  );
}

/** Whether an SPDX expression, such as `(MIT OR GPL-3.0) AND ISC`, is satisfied by ALLOWED; a package may be an exception. */
export function isAllowed({ name, licence }) {
  if (EXCEPTIONS.some((exception) => exception.name.test(name) && exception.licence === licence)) return true;
  const tokens = licence.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const term = () => {
    const token = tokens[at++];
    if (token !== '(') return ALLOWED.has(token?.toLowerCase());
    const inside = either();
    return tokens[at++] === ')' && inside;
  };
  const all = () => {
    let result = term();
    while (tokens[at]?.toUpperCase() === 'AND' && ++at) result = term() && result;
    return result;
  };
  const either = () => {
    let result = all();
    while (tokens[at]?.toUpperCase() === 'OR' && ++at) result = all() || result;
    return result;
  };
  const result = either();
  return result && at === tokens.length;
}

/** Reads the licence; old packages have an object or a list. */
function licenceOf({ license, licenses }) {
  const named = [license ?? licenses ?? []].flat().map((each) => (typeof each === 'string' ? each : each.type));
  return named.length === 0 ? 'none named' : named.join(' OR ');
}

/** Finds a package as Node does: beside or above the folder. */
function resolveFrom(folder, name) {
  for (let above = folder; ; above = dirname(above)) {
    const path = join(above, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
    if (above === dirname(above)) return undefined;
  }
}
