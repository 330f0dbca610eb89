import { runAccessCommand } from '@sinebar/authentication/access-command';

export async function run(words: readonly string[]): Promise<void> {
  const output = (line: string): void => void process.stdout.write(`${line}\n`);
  process.exitCode = await runAccessCommand(words, process.env, { input: process.stdin, output, errors: process.stderr });
}
