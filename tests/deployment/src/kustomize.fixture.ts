import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findProgram, ProgramMissingError, type ProgramSource } from '@sinebar/local-servers';
import { ROOT, type KubernetesObject } from './kubernetes-objects.fixture.ts';

export const KUBERNETES = join(ROOT, 'infra/kubernetes');
export const OVERLAYS = readdirSync(join(KUBERNETES, 'overlays'));

const KUSTOMIZE: ProgramSource = {
  name: 'kustomize',
  // First version with fields of "labels" and with patches that have a target and delete.
  minimum: [5, 0, 0],
  goPackage: 'sigs.k8s.io/kustomize/kustomize/v5',
  goVersion: 'v5.6.0',
  versionArgs: ['version'],
};

export type Render = (folder: string) => KubernetesObject[];

/** Why a suite about rendered overlays is skipped where there is no renderer. */
export const NO_RENDERER = 'no kubectl or kustomize, and no Go to build it';

/** Finds `kubectl kustomize`, else kustomize on the PATH or built with Go; prints the reason when none is available. */
export async function findRenderer(): Promise<Render | undefined> {
  if (spawnSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' }).status === 0) return renderBy('kubectl', 'kustomize');
  try {
    return renderBy(
      await findProgram(KUSTOMIZE, { environment: process.env, onProgress: (line) => process.stderr.write(`${line}\n`) }),
      'build',
    );
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/** Returns the objects of all our overlays by their names. */
export function renderOverlays(render: Render): Record<string, KubernetesObject[]> {
  return Object.fromEntries(OVERLAYS.map((name) => [name, render(join(KUBERNETES, 'overlays', name))]));
}

function renderBy(program: string, command: string): Render {
  return (folder) => {
    const { status, stdout, stderr } = spawnSync(program, [command, folder], { encoding: 'utf8', maxBuffer: 2 ** 24 });
    if (status !== 0) throw new Error(`${folder} cannot be rendered: ${stderr}`);
    return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  };
}

/** Overlay with the proxy of several plants, which runs none of our services. */
export const PLANTS_PROXY = 'plants-proxy';
