import { runAsProcess } from './command-line/command.js';
import { exportCommand } from './exchange/export-command.js';

await runAsProcess(exportCommand);
