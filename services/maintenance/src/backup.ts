import { runAsProcess } from './command-line/command.js';
import { backupCommand } from './features/backup/backup-command.js';

await runAsProcess(backupCommand);
