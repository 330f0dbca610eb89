import { runAsProcess } from '../command-line/command.ts';
import { importCommand } from './transfer/import-command.ts';

await runAsProcess(importCommand);
