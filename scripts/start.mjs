import { main } from './command.mjs';
import { runBuilt } from './run-built.mjs';

/** `npm start`: everything in one process, from a fresh clone on. */
await main(() => runBuilt('services/standalone/dist/main.js', process.argv.slice(2)));
