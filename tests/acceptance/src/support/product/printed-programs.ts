import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from '@jest/globals';
import { ROOT } from './product.ts';

const PRINTED_URL = 'http://127.0.0.1:8080';
const run = promisify(execFile);

/** Languages of the tested programs in docs, with the word after the fence and the required program. */
export const LANGUAGES = [
  { language: 'curl', fence: 'sh', needs: 'bash' },
  { language: 'Python', fence: 'python', needs: 'python3' },
  { language: 'JavaScript', fence: 'js', needs: 'node' },
] as const;
type Fence = (typeof LANGUAGES)[number]['fence'];

/**
 * Folder of the libraries for the C# programs on Debian (libnewtonsoft-json5.0-cil, libmono-system-net-http4.0-cil; compiler: mono-mcs).
 */
const JSON_LIBRARY = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const HTTP_LIBRARY = '/usr/lib/mono/4.5/System.Net.Http.dll';

/** Defines a test that needs a program or a file; if that is missing, a skipped one that names it. */
export function itWith(needs: string, title: string, test: () => Promise<void>, limitMs: number): void {
  if (existsSync(needs) || hasProgram(needs)) it(title, test, limitMs);
  else describe.skip(title, () => it(`needs ${needs}`, () => undefined));
}

export function itWithCSharp(title: string, test: () => Promise<void>, limitMs: number): void {
  const missing = [JSON_LIBRARY, HTTP_LIBRARY].find((library) => !existsSync(library));
  itWith(missing ?? 'mcs', title, test, limitMs);
}

export function itWithPandas(title: string, test: () => Promise<void>, limitMs: number): void {
  const { status } = spawnSync('python3', ['-c', 'import pandas'], { timeout: 60_000 });
  itWith(status === 0 ? 'python3' : 'pandas', title, test, limitMs);
}

function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { timeout: 60_000 }).error === undefined;
}

/**
 * Returns a new name of a file from which a program finds the packages of these tests, as after `npm install`.
 * It lies below `node_modules`, where no check of the sources reads it while a test removes it.
 */
export function programFile(extension: string): string {
  const folder = join(ROOT, 'tests/acceptance/node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${randomUUID()}.${extension}`);
}

export interface RunningProgram {
  output: () => string;
  /** Ends the program and its children. @returns its exit code */
  stop: () => Promise<number | null>;
}

export interface RunOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** Starts a program in a process group of its own. */
export function launch([program, ...args]: readonly [string, ...string[]], { cwd, env }: RunOptions = {}): RunningProgram {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output: () => output,
    stop: () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
      return ended;
    },
  };
}

export class PrintedPrograms {
  private readonly text: string;
  private readonly files: string[] = [];

  /**
   * @param page relative to the root
   * @param url address that replaces the printed one
   */
  constructor(page: string, url: string) {
    this.text = readFileSync(join(ROOT, page), 'utf8').replaceAll(PRINTED_URL, url);
  }

  /** Returns blocks with exactly these words after the fence: `sh`, `sh file=part.png`. */
  blocks(words: string): string[] {
    return [...this.text.matchAll(/^```(.+)\n([^]*?)^```$/gm)].filter(([, found]) => found === words).map(([, , code]) => code ?? '');
  }

  /** Creates the files that the page needs. */
  async makeFiles(cwd: string): Promise<void> {
    for (const [, words = ''] of this.text.matchAll(/^```(sh file=.+)$/gm))
      await run('bash', ['-euc', this.blocks(words)[0] ?? ''], { cwd });
  }

  /** Returns program and arguments for the only block of a language. */
  command(fence: Fence): [string, ...string[]] {
    const [code, ...more] = this.blocks(fence);
    if (code === undefined || more.length > 0) throw new Error(`expected one program of ${fence}, not ${more.length + (code ? 1 : 0)}`);
    if (fence === 'sh') return ['bash', '-euo', 'pipefail', '-c', code];
    if (fence === 'python') return ['python3', '-c', code];
    return [process.execPath, this.write('mjs', code)];
  }

  /** Compiles the C# program without running it: Debian's runtime crashes on some machines. @throws with the compiler's messages */
  async compileCSharp(): Promise<void> {
    const [code = ''] = this.blocks('csharp');
    const name = /^static class (\w+)$/m.exec(code)?.[1] ?? '';
    // The compiler of Mono accepts no entry point that returns a task.
    const entry = this.write('cs', `static class Entry { static void Main() { ${name}.Main().GetAwaiter().GetResult(); } }`);
    const options = ['-main:Entry', '-nowarn:28', '-warnaserror', `-r:${HTTP_LIBRARY}`, `-r:${JSON_LIBRARY}`];
    await run('mcs', [this.write('cs', code), entry, `-out:${this.file('exe')}`, ...options], { timeout: 120_000 });
  }

  /** @returns standard output. @throws with both outputs when the program fails */
  async run(fence: Fence, { cwd, env }: RunOptions = {}): Promise<string> {
    const [program, ...args] = this.command(fence);
    return (await run(program, args, { cwd, env: { ...process.env, ...env }, timeout: 120_000, maxBuffer: 2 ** 26 })).stdout;
  }

  remove(): void {
    for (const file of this.files) rmSync(file, { force: true });
  }

  private write(extension: string, code: string): string {
    const file = this.file(extension);
    writeFileSync(file, code);
    return file;
  }

  private file(extension: string): string {
    const file = programFile(extension);
    this.files.push(file);
    return file;
  }
}
