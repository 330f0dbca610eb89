import { runAsProcess } from './command-line/command.js';
import { restoreCommand } from './features/backup/restore-command.js';

await runAsProcess(restoreCommand);
