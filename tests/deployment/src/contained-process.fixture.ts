import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess, type RunningProcess } from '@sinebar/testing';
import { ROOT, serviceOf, type Labels, type Pod } from './rendered-overlay.fixture.js';

/** Path of the repository in a contained process. */
const SOURCE = '/source';
/** Folders of this machine that are mounted read-only. */
const SYSTEM = ['usr', 'bin', 'sbin', 'lib', 'lib64', 'opt', 'proc', 'dev'];
const SYSTEM_FILES = ['passwd', 'group', 'hosts', 'resolv.conf', 'nsswitch.conf', 'ld.so.cache', 'ssl'];

export function whyNotContained(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'not root on Linux, so no other user can be taken';
  const tried = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /tmp && setpriv --version'], { encoding: 'utf8' });
  return tried.status === 0 ? undefined : `file systems cannot be mounted here: ${tried.error?.message ?? tried.stderr.trim()}`;
}

export interface ContainedOptions {
  pod: Pod;
  /** An empty folder that becomes the root of the process. */
  root: string;
  environment: Labels;
  /** Folders that replace ConfigMaps and Secrets, by name. */
  mounted: Labels;
  command?: readonly string[];
  ready?: RegExp;
}

/**
 * Starts the first container of a pod like a kubelet: with the pod's user and group, without capabilities, on a read-only root, with only
 * the pod's volumes.
 * There is no image: it uses the programs of this machine and the code of the repository.
 */
export async function startContained(options: ContainedOptions): Promise<RunningProcess> {
  const script = [...rootCommands(), ...volumeCommands(options), 'mount -o remount,ro "$1"', execCommand(options)].join('\n');
  return await startProcess('unshare', ['--mount', '--propagation', 'private', 'sh', '-euc', script, 'sh', options.root], {
    timeoutMs: 60_000,
    ...(options.ready && { ready: options.ready }),
  });
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

function rootCommands(): string[] {
  const bound = (from: string, to: string) => `mount --rbind ${quoted(from)} "$1${to}" && mount -o remount,ro,bind "$1${to}"`;
  return [
    'umask 022',
    'mount -t tmpfs -o mode=755 none "$1"',
    `mkdir -p "$1/etc" "$1/node" "$1${SOURCE}"`,
    ...SYSTEM.map(
      (name) =>
        `if [ -L /${name} ]; then cp -d /${name} "$1/"; elif [ -d /${name} ]; then mkdir "$1/${name}"; ${bound(`/${name}`, `/${name}`)}; fi`,
    ),
    ...SYSTEM_FILES.map((name) => `if [ -e /etc/${name} ]; then cp -rL /etc/${name} "$1/etc/"; fi`),
    'touch "$1/node/node"',
    bound(process.execPath, '/node/node'),
    bound(ROOT, SOURCE),
  ];
}

function volumeCommands({ pod, mounted }: ContainedOptions): string[] {
  const { fsGroup } = pod.securityContext;
  return (pod.containers[0]?.volumeMounts ?? []).flatMap(({ name, mountPath }) => {
    const volume = pod.volumes?.find((candidate) => candidate.name === name);
    const target = `"$1"${quoted(mountPath)}`;
    if (volume?.emptyDir) {
      const size = volume.emptyDir.sizeLimit?.replace(/i$/, '').toLowerCase() ?? '50%';
      return [`mkdir -p ${target}`, `mount -t tmpfs -o size=${size},mode=2777,gid=${fsGroup} none ${target}`];
    }
    const folder = mounted[volume?.configMap?.name ?? volume?.secret?.secretName ?? ''];
    if (folder !== undefined)
      return [`mkdir -p ${target}`, `mount --bind ${quoted(folder)} ${target} && mount -o remount,ro,bind ${target}`];
    if (volume?.configMap?.optional ?? volume?.secret?.optional) return [`mkdir -p ${target}`];
    throw new Error(`nothing stands for the volume ${name}`);
  });
}

function execCommand({ pod, environment, command }: ContainedOptions): string {
  const [container] = pod.containers;
  const service = serviceOf(container?.image ?? '');
  if (container?.command === undefined || service === undefined) throw new Error('the container runs none of our services');
  const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
  const words = [
    ...['setpriv', `--reuid=${runAsUser}`, `--regid=${runAsGroup}`, `--groups=${fsGroup}`],
    ...['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--'],
    ...['env', '-i', `--chdir=${SOURCE}/services/${service}`, 'PATH=/node:/usr/bin:/bin'],
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ...(command ?? container.command),
  ];
  return `exec chroot "$1" ${words.map(quoted).join(' ')}`;
}

/** A folder like a mounted ConfigMap or Secret: its files are links through `..data`, which a change replaces. */
export class MountedFolder {
  readonly path: string;
  private version = 0;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { mode: 0o755 });
  }

  write(files: Labels): void {
    const version = `..version-${(this.version += 1)}`;
    mkdirSync(join(this.path, version), { mode: 0o755 });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(this.path, version, name), text, { mode: 0o644 });
      if (this.version === 1) symlinkSync(join('..data', name), join(this.path, name));
    }
    symlinkSync(version, join(this.path, '..data_tmp'));
    renameSync(join(this.path, '..data_tmp'), join(this.path, '..data'));
  }
}
