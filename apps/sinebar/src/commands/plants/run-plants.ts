import type { ParseArgsConfig } from 'node:util';
import { runAsProcess, UsageError, type Command } from '../../command-line/command.ts';
import { plantsCommands, type Ask } from './plants-command.ts';

type Run = <const O extends NonNullable<ParseArgsConfig['options']>>(
  command: Command<O>,
  failureCode: number | undefined,
  argv: readonly string[],
) => Promise<void>;

/** Runs `npm run plants -- ACTION …`: the first word chooses the command. */
export async function runPlants(argv: readonly string[], ask: Ask, run: Run = runAsProcess): Promise<void> {
  const { list, create, distribute, move, remove } = plantsCommands(ask);
  const [action = '', ...rest] = argv;
  switch (action) {
    case 'list':
      return await run(list, undefined, rest);
    case 'create':
      return await run(create, undefined, rest);
    case 'distribute':
      return await run(distribute, undefined, rest);
    case 'move':
      return await run(move, undefined, rest);
    case 'remove':
      return await run(remove, undefined, rest);
    default: {
      const sentence = action === '' ? 'Name an action' : `There is no action ${action}`;
      const refuse = () => Promise.reject(new UsageError(`${sentence}: list, create, distribute, move or remove.`));
      return await run({ ...list, run: refuse }, undefined, action.startsWith('-') ? argv : []);
    }
  }
}
