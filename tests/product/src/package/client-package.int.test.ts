import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeUnless, eventually } from '@sinebar/testing';
import { hasPrograms, LIMIT_MS, nodeProgram, packClient, QUIET } from './npm-programs.fixture.ts';

const run = promisify(execFile);
const COMPILER = join(import.meta.dirname, '../../../../node_modules/@typescript/native/bin/tsc');

describeUnless(hasPrograms ? undefined : 'npm fetches no packages', 'the client as a package of npm', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-client-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const file = await packClient(join(folder, 'packed'));
    await run('npm', ['install', file, ...QUIET], { cwd: folder });
  }, LIMIT_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['node20', 'present'] as const)('runs without the workspace on Node: %s', async (node) => {
    const server = createServer((request, response) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify([{ uuid: request.url }])),
    ).listen(0, '127.0.0.1');
    await eventually(() => server.listening);
    const program = `
      import { SinebarClient } from '@sinebar/client';
      import { fileStore } from '@sinebar/client/node';
      const url = 'http://127.0.0.1:${(server.address() as AddressInfo).port}';
      const [part] = await new SinebarClient({ url }).parts.list({ partPath: '/Pump' });
      console.log(part.uuid, typeof fileStore('position.json'));`;
    await writeFile(join(folder, 'program.mjs'), program);
    const { stdout } = await run(nodeProgram(node), ['program.mjs'], { cwd: folder });
    server.close();
    expect(stdout).toBe('/dataServiceRest/parts?partPath=%2FPump object\n');
  });

  it('has types', async () => {
    const program = `
      import { SinebarClient } from '@sinebar/client';
      const [part] = await new SinebarClient({ url: 'http://127.0.0.1:8080' }).parts.list({ partPath: '/' });
      export const right: string | undefined = part?.uuid;
      export const wrong: number | undefined = part?.uuid;`;
    await writeFile(join(folder, 'program.ts'), program);
    const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', 'program.ts'];
    const found = await run(process.execPath, [COMPILER, ...words], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(found.match(/error TS\d+/g)).toEqual(['error TS2322']);
    expect(found).toMatch(/^program\.ts\W+5\b/);
  });
});
