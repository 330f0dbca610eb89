import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { programFile } from '../support/product/printed-programs.ts';
import { PROGRAMS, ROOT, start, temporaryFolder, type StartedProduct } from '../support/product/product.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const TOUR = README.slice(README.indexOf('## Two-minute tour'), README.indexOf('## Run it for real'));
const PRINTED_URL = 'http://127.0.0.1:8080';
const run = promisify(execFile);

/** The code blocks of the tour, in their order. */
function blocks(language: string): string[] {
  return [...TOUR.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');
}

describe('the tour of the README', () => {
  const folder = temporaryFolder();
  const watcherFile = programFile('mjs');
  let product: StartedProduct;
  beforeAll(async () => {
    product = await start(PROGRAMS.standalone, { env: { SINEBAR_PORT: '0', SINEBAR_DATA_DIR: join(folder.path, 'data') } });
  }, 150_000);
  afterAll(async () => {
    await product.stop();
    folder.remove();
    rmSync(watcherFile, { force: true });
  }, 70_000);

  const here = (text: string) => text.replaceAll(PRINTED_URL, product.url);

  it('works as printed', async () => {
    const [first = '', values = '', last = ''] = blocks('sh');
    const [script = ''] = blocks('js');
    expect([first, values, last, script].every((block) => block.includes(PRINTED_URL))).toBe(true);
    writeFileSync(watcherFile, here(script));
    const watcher = spawn(process.execPath, [watcherFile], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let seen = '';
      let onOutput = () => undefined as void;
      watcher.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        seen += chunk;
        onOutput();
      });
      const says = (text: string) =>
        new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`the watcher did not print ${text}:\n${seen}`)), 15_000);
          onOutput = () => {
            if (!seen.includes(text)) return;
            clearTimeout(timer);
            resolve();
          };
          onOutput();
        });
      await says('connected');
      const { stdout } = await run('bash', ['-euc', here(first)]);
      expect(stdout).toContain('201 Created');
      expect(stdout).toContain('"path":"P:/Pump/"');
      expect(stdout).toContain('"fileName":"note.txt"');
      expect(stdout.trimEnd().endsWith('ground, then polished')).toBe(true);
      await says('RawDataCreated');
      const part = /^PART=.*$/m.exec(first)?.[0] ?? '';
      const measured = (await run('bash', ['-euc', here(`${part}\n${values}`)])).stdout;
      expect(measured.match(/201 Created/g)).toHaveLength(2);
      expect(measured).toContain('{"1":"20.010"}');
      await says('MeasurementCreated');
      expect((await run('bash', ['-euc', here(`${part}\n${last}`)])).stdout).toContain('200 OK');
      await says('PartDeleted');
      await says('RawDataDeleted');
    } finally {
      watcher.kill();
    }
  });

  it('names only folders, files and commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const named = [...README.matchAll(/`((?:services|packages|infra|acceptance|bench|docs|scripts)[\w./-]*)`|\]\((\S+?)\)/g)].map(
      (match) => match[1] ?? match[2] ?? '',
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const commands = [...README.matchAll(/(?:^|`)npm (?:run )?([\w:-]+)/gm)]
      .map((match) => match[1] ?? '')
      .filter((name) => name !== 'install');
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});
