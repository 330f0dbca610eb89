import { createInterface } from 'node:readline/promises';
import { runAsProcess, UsageError, type Command } from '../../command-line/command.ts';
import type { Options } from '../../command-line/arguments.ts';
import { plantsCommands, type Ask } from './plants-command.ts';

type Run = <const O extends Options>(command: Command<O>, argv: readonly string[]) => Promise<void>;

export const run = (words: readonly string[]): Promise<void> => runPlants(words, askTerminal, runAsProcess);

/** Runs the command that the first word chooses. */
export async function runPlants(argv: readonly string[], ask: Ask, runCommand: Run): Promise<void> {
  const { list, create, distribute, move, remove } = plantsCommands(ask);
  const [action = '', ...rest] = argv;
  switch (action) {
    case 'list':
      return await runCommand(list, rest);
    case 'create':
      return await runCommand(create, rest);
    case 'distribute':
      return await runCommand(distribute, rest);
    case 'move':
      return await runCommand(move, rest);
    case 'remove':
      return await runCommand(remove, rest);
    default: {
      const sentence = action === '' ? 'Name an action' : `There is no action ${action}`;
      const refuse = () => Promise.reject(new UsageError(`${sentence}: list, create, distribute, move or remove.`));
      return await runCommand({ ...list, run: refuse }, action.startsWith('-') ? argv : []);
    }
  }
}

/** Reads one line from the terminal; without one nobody can answer. */
async function askTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
