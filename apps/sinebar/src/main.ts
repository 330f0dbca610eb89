interface Command {
  /** @param words the command line behind the name of the command */
  run: (words: readonly string[]) => Promise<void>;
}

/** Commands by name, each with what it does. A command is loaded only when it runs. */
const COMMANDS: Readonly<Record<string, readonly [does: string, load: () => Promise<Command>]>> = {
  start: ['runs the product, or one or several of its services', () => import('./commands/start/start-command.ts')],
  migrate: ['brings the databases of services up to date', () => import('./commands/migrate.ts')],
  'prepare-role': ['creates the database roles of services', () => import('./commands/prepare-role.ts')],
  access: ['hashes passwords, checks and explains the access policy', () => import('./commands/access.ts')],
  doctor: ['looks for damage in an installation', () => import('./commands/doctor/doctor-command.ts')],
  backup: ['copies an installation into a folder', () => import('./commands/backup/backup-command.ts')],
  'scheduled-backup': [
    'makes backups, now or each day, and removes old ones',
    () => import('./commands/scheduled-backup/scheduled-backup-command.ts'),
  ],
  restore: ['fills an empty installation from such a folder', () => import('./commands/backup/restore-command.ts')],
  'test-restore': ['proves that a backup can be restored', () => import('./commands/backup/test-restore-command.ts')],
  export: ['writes a part of a server into an archive', () => import('./commands/transfer/export-command.ts')],
  import: ['reads such an archive into another server', () => import('./commands/transfer/import-command.ts')],
  'import-files': ['imports files of measured values', () => import('./commands/import-files/import-files-command.ts')],
  plants: ['lists, creates, places and removes plants', () => import('./commands/plants/run-plants.ts')],
  reports: ['checks templates of reports, and prints those of the product', () => import('./commands/reports/reports-command.ts')],
  users: ['takes the name of a user out of all histories', () => import('./commands/users/users-command.ts')],
  'check-config': ['lists the settings with their values and problems', () => import('./commands/check-config/check-config-command.ts')],
  demo: ['fills a running server with a demo', () => import('./commands/demo/demo-command.ts')],
  sweep: ['compares the store for files with the database', () => import('./commands/sweep.ts')],
};

const [name = '', ...words] = process.argv.slice(2);
const [, load] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || [];
if (load) await (await load()).run(words);
else (await import('./command-line/overview.ts')).printOverview(name, COMMANDS);
