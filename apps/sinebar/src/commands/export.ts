import { runAsProcess } from '../command-line/command.ts';
import { exportCommand } from './transfer/export-command.ts';

await runAsProcess(exportCommand);
