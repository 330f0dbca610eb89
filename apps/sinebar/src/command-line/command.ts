import { SinebarError } from '@sinebar/client';
import { ServiceError, StartRefusal } from '@sinebar/contracts';
import { SettingsError } from '@sinebar/runtime';
import { withArguments, UsageError, type Arguments, type Options, type Typed } from './arguments.ts';

export { UsageError };

export interface Command<O extends Options> extends Arguments<O> {
  /** @returns the exit code */
  run: (typed: Typed<O>, context: CommandContext) => Promise<number>;
}

export interface CommandContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  print: (line: string) => void;
  stderr: NodeJS.WriteStream;
}

/** Error that is printed as a sentence, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Exit code that shells use for SIGINT. */
const INTERRUPTED = 130;

/**
 * Runs a command line: parses arguments, runs the command, prints failures as sentences.
 * @param failureCode exit code of a command that could not do its work
 * @returns the exit code
 */
export async function runCommandLine<const O extends Options>(
  command: Command<O>,
  argv: readonly string[],
  context: CommandContext,
  failureCode = 1,
): Promise<number> {
  try {
    return await withArguments(command, argv, context, (typed) => command.run(typed, context));
  } catch (error) {
    context.stderr.write(`${context.signal.aborted ? 'Interrupted.' : sentenceOf(error)}\n`);
    return context.signal.aborted ? INTERRUPTED : failureCode;
  }
}

/** Runs a command line in this process, and sets its exit code. */
export async function runAsProcess<const O extends Options>(
  command: Command<O>,
  argv: readonly string[],
  failureCode?: number,
): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      ending.abort(new Error('interrupted'));
    });
  }
  process.stdout.on('error', () => undefined);
  const { env, stderr } = process;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  process.exitCode = await runCommandLine(command, argv, { env, signal: ending.signal, print, stderr }, failureCode);
}

/** Formats a failure: a sentence for failures that users can solve, the stack for a defect. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SinebarError) {
    const details = error.details.map(({ field, message }) => `\n  ${field}: ${message}`).join('');
    return `The server refused${error.status === 0 ? '' : ` (${error.status})`}: ${error.message}${details}`;
  }
  const code = 'code' in error && typeof error.code === 'string';
  const isSentence =
    error instanceof CommandError || error instanceof StartRefusal || error instanceof SettingsError || error instanceof ServiceError;
  return isSentence || code ? error.message : (error.stack ?? error.message);
}
