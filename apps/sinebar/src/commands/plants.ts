import { createInterface } from 'node:readline/promises';
import { runPlants } from './plants/run-plants.ts';

/** Reads one line from the terminal; without one nobody can answer. */
async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

await runPlants(process.argv.slice(2), ask);
