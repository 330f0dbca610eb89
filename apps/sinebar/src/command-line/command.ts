import { parseArgs, type ParseArgsConfig } from 'node:util';
import { SinebarError } from '@sinebar/client';
import { ServiceError } from '@sinebar/contracts';
import { SettingsError } from '@sinebar/runtime';
import { StartRefusedError } from '@sinebar/local-servers';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parsed arguments of a command, as `parseArgs` returns them. */
export interface Typed<O extends Options> {
  values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>['values'];
  /** Positional arguments, as many as the command names. */
  words: string[];
}

export interface Command<O extends Options> {
  /** Name of the command behind `npm run`. */
  name: string;
  help: string;
  options: O;
  /** Names of the required positional arguments: `TARGET`. */
  words: readonly string[];
  /** Name of any number of further positional arguments; without it they are refused. */
  furtherWords?: string;
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

/** Thrown for wrong use of a command: exit code 2, with a pointer to `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Error that is printed as a sentence, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const WRONG_USE = 2;
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
  const complain = (text: string): void => void context.stderr.write(`${text}\n`);
  try {
    if (argv.some((word) => word === '--help' || word === '-h')) {
      context.print(command.help.trim());
      return 0;
    }
    return await command.run(read(command, argv), context);
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}\nHow it is used: npm run ${command.name} -- --help`);
      return WRONG_USE;
    }
    if (context.signal.aborted) {
      complain('Interrupted.');
      return INTERRUPTED;
    }
    complain(sentenceOf(error));
    return failureCode;
  }
}

export async function runAsProcess<const O extends Options>(
  command: Command<O>,
  failureCode?: number,
  argv: readonly string[] = process.argv.slice(2),
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

function read<O extends Options>({ options, words, furtherWords }: Command<O>, argv: readonly string[]): Typed<O> {
  let parsed;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const missing = words.slice(parsed.positionals.length);
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(' ')}.`);
  const surplus = furtherWords === undefined ? parsed.positionals.slice(words.length) : [];
  if (surplus.length > 0) throw new UsageError(`Not understood: ${surplus.join(' ')}.`);
  return { values: parsed.values, words: parsed.positionals };
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
    error instanceof CommandError || error instanceof StartRefusedError || error instanceof SettingsError || error instanceof ServiceError;
  return isSentence || code ? error.message : (error.stack ?? error.message);
}
