import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A failure that is printed as a sentence, without a stack trace. */
export class ScriptError extends Error {}

/**
 * Runs a command without its output. A progress line counts seconds on a terminal; elsewhere one line is printed every ten seconds.
 * @param {string} title description of the work: `Installing packages`
 * @param {readonly string[]} commandLine program and arguments
 * @param {{ cwd: string, env?: Record<string, string | undefined>, print?: (text: string) => void }} options
 * @throws {ScriptError} with the whole output when the command fails
 */
export async function runWithProgress(title, [program, ...args], { cwd, env = process.env, print = (text) => process.stderr.write(text) }) {
  const startedAt = Date.now();
  const line = () => `${title} … ${Math.round((Date.now() - startedAt) / 1000)} s`;
  const isTerminal = process.stderr.isTTY === true;
  print(isTerminal ? line() : `${title} …\n`);
  const timer = setInterval(() => print(isTerminal ? `\r${line()}` : `${line()}\n`), isTerminal ? 1000 : 10_000);
  const result = await run([program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }).finally(() => {
    clearInterval(timer);
    print(isTerminal ? `\r${line()}\n` : '');
  });
  if (result.code !== 0)
    throw new ScriptError(`${result.output.trimEnd()}\n\n${title} failed: ${[program, ...args].join(' ')} ended with code ${result.code}`);
}

/**
 * Runs a command; a signal that ends this process ends the command first.
 * @param {readonly string[]} commandLine
 * @param {import('node:child_process').SpawnOptions & { onOutput?: (text: string, stream: 'stdout' | 'stderr') => void, timeoutMs?: number
 * }} options
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>} the exit code (128 + signal, as in shells), and the output of
 * pipes
 */
export function run([program, ...args], { onOutput = () => undefined, timeoutMs, ...options }) {
  return new Promise((resolve, reject) => {
    // Windows starts .cmd files only in a shell.
    const child = spawn(program, args, { ...options, shell: program.endsWith('.cmd') });
    let output = '';
    for (const stream of ['stdout', 'stderr']) {
      child[stream]?.setEncoding('utf8').on('data', (text) => {
        output += text;
        onOutput(text, stream);
      });
    }
    let timedOut = false;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, timeoutMs);
    // Ctrl-C in a terminal reaches the command as well, and a second signal could mean "exit at once".
    const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal));
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const settle = () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, forward);
    };
    child.once('error', (error) => {
      settle();
      reject(new ScriptError(`${program} cannot be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      settle();
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output, timedOut });
    });
  });
}

/** Runs a script's main function; a returned number is the exit code. A failure ends the process at once, whatever still runs in it. */
export async function main(work) {
  try {
    const code = await work();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error);
    process.exit(1);
  }
}
