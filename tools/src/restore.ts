import { runAsProcess } from './command-line/command.js';
import { restoreCommand } from './backup/restore-command.js';

await runAsProcess(restoreCommand);
