import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages of Debian that the image needs, without those that these depend on: Node, the shell of the health check, and dates for backups. */
const WANTED = ['base-files', 'base-passwd', 'bash', 'coreutils', 'dash', 'libatomic1', 'libc6', 'libstdc++6', 'tzdata'];
/** Dependencies of these that only their own scripts use. */
const LEFT_OUT = ['debconf', 'debianutils', 'dpkg', 'libdebconfclient0'];
/** What is not in a package of Debian. */
const MORE = ['etc/localtime', 'etc/nsswitch.conf', 'usr/local/bin/node', 'usr/local/LICENSE'];
const UNREAD = /^\/usr\/share\/(?:bash-completion|doc-base|info|lintian|locale|man|menu)\//;
const STATUS = 'var/lib/dpkg/status';
const USER = 10001;

/**
 * Runs `node image-root.mjs <base> <target>`: copies what the image needs from the files of a base image, whatever the processor of that, so
 * nothing of it is run. Without package managers, npm and programs of other users' rights a break-in finds little to work with.
 * The list of packages of Debian, which scanners read, holds those that are copied.
 */
export function makeImageRoot(base, target) {
  const packages = readPackages(base);
  const kept = withDependencies(packages, WANTED);
  // Folders such as /bin are links in Debian.
  for (const name of readdirSync(base).filter((each) => lstatSync(join(base, each)).isSymbolicLink())) {
    copy(base, target, `/${name}`);
    mkdirSync(join(target, readlinkSync(join(base, name))), { recursive: true });
  }
  for (const name of kept) for (const path of filesOf(base, packages.get(name))) copy(base, target, path);
  for (const path of MORE) copy(base, target, `/${path}`);
  write(
    target,
    STATUS,
    [...kept]
      .sort()
      .map((name) => `${packages.get(name).stanza}\n`)
      .join('\n'),
  );
  for (const [file, line] of [
    ['etc/passwd', `sinebar:x:${USER}:${USER}::/nonexistent:/usr/sbin/nologin`],
    ['etc/group', `sinebar:x:${USER}:`],
  ])
    write(target, file, `${readFileSync(join(base, file), 'utf8').trimEnd()}\n${line}\n`);
}

/** @returns packages by name, with the names of those they need */
function readPackages(base) {
  const stanzas = readFileSync(join(base, STATUS), 'utf8')
    .trim()
    .split(/\n{2,}/);
  return new Map(
    stanzas.map((stanza) => {
      const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
      const needs = `${field('Depends')}, ${field('Pre-Depends')}`.split(', ').filter((need) => need !== '');
      return [field('Package'), { name: field('Package'), architecture: field('Architecture'), stanza, needs }];
    }),
  );
}

function withDependencies(packages, names, found = new Set()) {
  for (const name of names) {
    if (found.has(name) || LEFT_OUT.includes(name)) continue;
    if (!packages.has(name)) throw new Error(`The base image has no package ${name}.`);
    found.add(name);
    for (const need of packages.get(name).needs) {
      const alternatives = need.split('|').map((each) => each.trim().split(/[\s:]/)[0]);
      const present = alternatives.find((each) => packages.has(each));
      if (present !== undefined) withDependencies(packages, [present], found);
    }
  }
  return found;
}

function filesOf(base, { name, architecture }) {
  const info = join(base, 'var/lib/dpkg/info');
  const list = [`${name}.list`, `${name}:${architecture}.list`].find((file) => existsSync(join(info, file)));
  if (list === undefined) throw new Error(`The base image does not list the files of the package ${name}.`);
  return readFileSync(join(info, list), 'utf8')
    .split('\n')
    .filter((path) => path !== '' && path !== '/.' && !UNREAD.test(path));
}

function copy(base, target, path) {
  const [from, to] = [join(base, path), join(target, path)];
  // Slim images lack documentation that their packages list.
  const entry = lstatSync(from, { throwIfNoEntry: false });
  if (entry === undefined) return;
  if (entry.isSymbolicLink()) {
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(readlinkSync(from), to);
  } else if (entry.isDirectory()) {
    mkdirSync(to, { recursive: true });
    chmodSync(to, entry.mode);
  } else cpSync(from, to, { preserveTimestamps: true });
}

function write(target, path, text) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}

if (process.argv[1] === import.meta.filename) makeImageRoot(...process.argv.slice(2));
