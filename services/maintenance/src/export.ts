import { runAsProcess } from './command-line/command.js';
import { exportCommand } from './features/exchange/export-command.js';

await runAsProcess(exportCommand);
