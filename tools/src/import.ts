import { runAsProcess } from './command-line/command.ts';
import { importCommand } from './exchange/import-command.ts';

await runAsProcess(importCommand);
