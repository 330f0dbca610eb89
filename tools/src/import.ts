import { runAsProcess } from './command-line/command.js';
import { importCommand } from './exchange/import-command.js';

await runAsProcess(importCommand);
