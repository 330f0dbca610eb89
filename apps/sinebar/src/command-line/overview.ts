import { commandText } from '@sinebar/contracts';
import { PRODUCT_VERSION } from '@sinebar/runtime';

const WRONG_USE = 2;

/** Answers a command line without a known command: `--help`, `--version`, or what is wrong. */
export function printOverview(name: string, commands: Readonly<Record<string, readonly [does: string, ...unknown[]]>>): void {
  if (name === '--version') return void process.stdout.write(`${PRODUCT_VERSION}\n`);
  const lines = Object.entries(commands).map(([command, [does]]) => `  ${command.padEnd(18)}${does}`);
  const overview = `${[`Commands; each prints its options with --help, such as ${commandText('start --help')}:`, ...lines].join('\n')}\n`;
  if (name === '--help' || name === '-h') return void process.stdout.write(overview);
  process.stderr.write(`${name === '' ? 'Name a command.' : `There is no command ${name}.`}\n${overview}`);
  process.exitCode = WRONG_USE;
}
