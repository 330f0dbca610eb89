import { statSync } from 'node:fs';

/** A step that cannot be done here; the message says why. */
export class SkippedStep extends Error {}

/** @typedef {{ name: string, run: () => Promise<string | readonly string[] | undefined> }} Step what it returns is shown: a sentence, or files with their sizes */

/**
 * Runs steps one after the other, also behind one that fails.
 * @param {readonly Step[]} steps
 * @param {(line: string) => void} print gets a line when a step begins, and the output of one that fails
 * @returns {Promise<{ table: string, failed: number }>}
 */
export async function runSteps(steps, print) {
  const rows = [];
  for (const { name, run } of steps) {
    print(`${name} …`);
    const startedAt = Date.now();
    const row = await run().then(
      (found) => ({ result: 'done', detail: detailOf(found) }),
      (error) => {
        if (error instanceof SkippedStep) return { result: 'SKIPPED', detail: error.message };
        print(error.stack ?? String(error));
        return { result: 'FAILED', detail: error.message.split('\n').find((line) => line.trim() !== '') ?? '' };
      },
    );
    rows.push({ name, ...row, seconds: ((Date.now() - startedAt) / 1000).toFixed(1) });
  }
  return { table: formatTable(rows), failed: rows.filter(({ result }) => result === 'FAILED').length };
}

function detailOf(found) {
  return Array.isArray(found)
    ? found.map((file) => `${file.split('/').at(-1)} ${sizeText(statSync(file).size)}`).join(', ')
    : (found ?? '');
}

export function sizeText(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function formatTable(rows) {
  const width = (key) => Math.max(...rows.map((row) => row[key].length));
  const [names, results, seconds] = ['name', 'result', 'seconds'].map(width);
  return rows
    .map((row) => `${row.name.padEnd(names)}  ${row.result.padEnd(results)}  ${row.seconds.padStart(seconds)} s  ${row.detail}`.trimEnd())
    .join('\n');
}
