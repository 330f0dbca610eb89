import { parseArgs, type ParseArgsConfig } from 'node:util';
import { commandText } from '@sinebar/contracts';

export type Options = NonNullable<ParseArgsConfig['options']>;

/** Parsed arguments of a command, as `parseArgs` returns them. */
export interface Typed<O extends Options> {
  values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>['values'];
  /** Positional arguments, as many as the command names. */
  words: string[];
}

/** Arguments that a command takes. */
export interface Arguments<O extends Options> {
  /** Name of the command. */
  name: string;
  help: string;
  options: O;
  /** Names of the required positional arguments: `TARGET`. */
  words: readonly string[];
  /** Name of any number of further positional arguments; without it they are refused. */
  furtherWords?: string;
}

export interface Output {
  print: (line: string) => void;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

export const PROCESS_OUTPUT: Output = { print: (line) => void process.stdout.write(`${line}\n`), stderr: process.stderr };

/** Thrown for wrong use of a command: exit code 2, with a pointer to `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const WRONG_USE = 2;

/**
 * Parses a command line and works with it. Prints the help instead where it is asked for.
 * @returns the exit code: that of the work, or 2 for wrong use, which is explained
 */
export async function withArguments<const O extends Options>(
  command: Arguments<O>,
  argv: readonly string[],
  output: Output,
  work: (typed: Typed<O>) => Promise<number>,
): Promise<number> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    output.print(command.help.trim());
    return 0;
  }
  try {
    return await work(read(command, argv));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.stderr.write(`${error.message}\nHow it is used: ${commandText(`${command.name} --help`)}\n`);
    return WRONG_USE;
  }
}

function read<O extends Options>({ options, words, furtherWords }: Arguments<O>, argv: readonly string[]): Typed<O> {
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
