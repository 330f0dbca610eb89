import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workloadsOf, type KubernetesObject } from './kubernetes-objects.fixture.ts';

/**
 * Runs the command by which a pod of the proxy adapts its configuration to the cluster, with folders of its own.
 * @param objects of a form with the proxy
 * @param files configuration by file name
 * @returns the files that the command made, by name
 * @throws Error when the command fails or writes to stderr
 */
export function adaptToCluster(
  objects: readonly KubernetesObject[],
  files: Record<string, string>,
  resolvConf: string,
): Record<string, string> {
  const proxy = workloadsOf([...objects]).find(({ name }) => name === 'proxy');
  const [shell = '', option = '', script = ''] = proxy?.pod.initContainers?.[0]?.command ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-proxy-'));
  try {
    writeFileSync(join(folder, 'resolv.conf'), resolvConf);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    const cluster = join(folder, 'cluster');
    mkdirSync(cluster);
    const here = script
      .replaceAll('/etc/resolv.conf', `'${folder}/resolv.conf'`)
      .replaceAll('/etc/sinebar-proxy/', `${folder}/`)
      .replaceAll('/etc/nginx-cluster/', `${cluster}/`);
    const { status, stderr } = spawnSync(shell, [option, here], { encoding: 'utf8' });
    if (status !== 0 || stderr !== '') throw new Error(`the command ended with ${status}: ${stderr}`);
    return Object.fromEntries(readdirSync(cluster).map((file) => [file, readFileSync(join(cluster, file), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Addresses of the servers in a configuration of nginx whose names are resolved again and again. */
export function resolvedServers(configuration = ''): string[] {
  return [...configuration.matchAll(/server (\S+) resolve/g)].map(([, address = '']) => address);
}
