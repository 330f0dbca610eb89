import { runAsProcess } from './command-line/command.ts';
import { exportCommand } from './exchange/export-command.ts';

await runAsProcess(exportCommand);
