import { runAsProcess } from './command-line/command.js';
import { importCommand } from './features/exchange/import-command.js';

await runAsProcess(importCommand);
