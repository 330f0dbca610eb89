import { runAccessCommand } from '@sinebar/authentication/access-command';
import { backupCommand } from './backup/backup-command.ts';
import { restoreCommand } from './backup/restore-command.ts';
import { runAsProcess } from './command-line/command.ts';
import { COULD_NOT_CHECK, doctorCommand } from './doctor/doctor-command.ts';
import { exportCommand } from './exchange/export-command.ts';
import { importCommand } from './exchange/import-command.ts';
import { runPlants } from './plants/run-plants.ts';

/** Commands of the image "tools" by name; each sets the exit code of the process. */
const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  backup: (argv) => runAsProcess(backupCommand, undefined, argv),
  restore: (argv) => runAsProcess(restoreCommand, undefined, argv),
  doctor: (argv) => runAsProcess(doctorCommand, COULD_NOT_CHECK, argv),
  export: (argv) => runAsProcess(exportCommand, undefined, argv),
  import: (argv) => runAsProcess(importCommand, undefined, argv),
  plants: (argv) => runPlants(argv, () => Promise.resolve(undefined)),
  access: async (argv) => {
    const output = (line: string): void => void process.stdout.write(`${line}\n`);
    process.exitCode = await runAccessCommand(argv, process.env, { input: process.stdin, output, errors: process.stderr });
  },
};

const [name = '', ...argv] = process.argv.slice(2);
const run = COMMANDS[name];
if (run) await run(argv);
else {
  const usage =
    `Name a command: ${Object.keys(COMMANDS).join(', ')}. ` +
    'Each prints its options with --help; "npm run NAME --" in them is "tools NAME" here.';
  process.stderr.write(`${name === '' || name.startsWith('-') ? '' : `There is no command ${name}. `}${usage}\n`);
  process.exitCode = name === '--help' ? 0 : 2;
}
