import { runAsProcess } from './command-line/command.js';
import { backupCommand } from './backup/backup-command.js';

await runAsProcess(backupCommand);
