import { main, ScriptError } from './command.mjs';
import { runBuilt } from './run-built.mjs';

/** `node scripts/run.mjs <built file> [arguments]`, from a fresh clone on. */
await main(async () => {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) throw new ScriptError('usage: node scripts/run.mjs <built file> [arguments]');
  await runBuilt(file, args);
});
