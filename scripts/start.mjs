import { main } from './command.mjs';
import { runBuilt } from './run-built.mjs';

/** Runs `npm start`: all services in one process, also in a fresh clone. */
await main(() => runBuilt('dist/standalone.js', process.argv.slice(2)));
