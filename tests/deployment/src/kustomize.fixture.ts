import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { findProgram, ProgramMissingError, type ProgramSource } from '@sinebar/local-servers';
import type { KubernetesObject } from './kubernetes-objects.fixture.ts';

const KUSTOMIZE: ProgramSource = {
  name: 'kustomize',
  // First version with fields of "labels" and with patches that have a target and delete.
  minimum: [5, 0, 0],
  goPackage: 'sigs.k8s.io/kustomize/kustomize/v5',
  goVersion: 'v5.6.0',
  versionArgs: ['version'],
};

type Render = (folder: string) => KubernetesObject[];

/** Why a test with kustomize is skipped. */
export const NO_KUSTOMIZE = 'no kubectl or kustomize, and no Go to build it';

/** Finds `kubectl kustomize`, else kustomize on the PATH or built with Go; prints the reason when none is available. */
export async function findKustomize(): Promise<Render | undefined> {
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

function renderBy(program: string, command: string): Render {
  return (folder) => {
    const { status, stdout, stderr } = spawnSync(program, [command, folder], { encoding: 'utf8', maxBuffer: 2 ** 24 });
    if (status !== 0) throw new Error(`${folder} cannot be rendered: ${stderr}`);
    return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  };
}
