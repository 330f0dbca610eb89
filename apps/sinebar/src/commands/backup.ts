import { runAsProcess } from '../command-line/command.ts';
import { backupCommand } from './backup/backup-command.ts';

await runAsProcess(backupCommand);
