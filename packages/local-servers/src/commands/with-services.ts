import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { startBackingServices } from '../backing-services.ts';
import { interruption } from '../interruption.ts';

/**
 * Runs `with-services.js -- command args…`: starts the backing services, runs a command with their variables in its environment, and ends
 * with its exit code.
 * Prints missing services; the command decides whether it needs them.
 */
const [separator, command, ...args] = process.argv.slice(2);
if (separator !== '--' || command === undefined) {
  console.error('usage: with-services -- command [arguments]');
  process.exit(2);
}
const interrupted = interruption();
try {
  const services = await startBackingServices({
    environment: process.env,
    signal: interrupted.signal,
    onProgress: (line) => console.error(line),
  });
  for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
  try {
    process.exitCode = await run(command, args, { ...process.env, ...services.variables });
  } finally {
    await services.stop();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = interrupted.name() === undefined ? 1 : exitCodeOf(interrupted.name() as NodeJS.Signals);
}

function run(program: string, programArgs: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArgs, { stdio: 'inherit', env });
    const forward = () => {
      const name = interrupted.name();
      // Ctrl-C in a terminal reaches the command as well, and a second signal could mean "exit at once".
      if (name !== undefined && !(name === 'SIGINT' && process.stdin.isTTY)) child.kill(name);
    };
    interrupted.signal.addEventListener('abort', forward, { once: true });
    if (interrupted.signal.aborted) forward();
    child.once('error', (error) => reject(new Error(`${program} cannot be started: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal as NodeJS.Signals)));
  });
}

/** Returns the exit code that shells use for a process ended by a signal. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0);
}
