import { main, ScriptError } from './command.mjs';
import { runBuilt } from './run-built.mjs';

/** Runs `node scripts/run.mjs <built file> [arguments]`, also in a fresh clone. */
await main(async () => {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) throw new ScriptError('usage: node scripts/run.mjs <built file> [arguments]');
  await runBuilt(file, args);
});
