import { runAsProcess } from '../command-line/command.ts';
import { importFilesCommand } from './import-files/import-files-command.ts';

await runAsProcess(importFilesCommand);
