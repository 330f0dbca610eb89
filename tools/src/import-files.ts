import { runAsProcess } from './command-line/command.js';
import { importFilesCommand } from './import-files/import-files-command.js';

await runAsProcess(importFilesCommand);
