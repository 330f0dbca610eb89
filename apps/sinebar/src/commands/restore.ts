import { runAsProcess } from '../command-line/command.ts';
import { restoreCommand } from './backup/restore-command.ts';

await runAsProcess(restoreCommand);
