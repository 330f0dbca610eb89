/** Commands by name. The program of each is loaded only when it runs; it reads the rest of the command line and sets the exit code. */
const COMMANDS: Readonly<Record<string, { does: string; load: (services: string) => Promise<unknown> }>> = {
  start: { does: 'runs the product, or one of its services: --services inspection, raw-data or events', load: startProgram },
  migrate: { does: 'brings the database of a service up to date: --services inspection or raw-data', load: migrateProgram },
  'prepare-role': { does: 'prepares the database role of a service: --services inspection or raw-data', load: roleProgram },
  access: { does: 'hashes passwords and explains the access policy', load: () => import('../../../services/inspection/src/access.ts') },
  doctor: { does: 'looks for damage in the stores', load: () => import('./commands/doctor.ts') },
  backup: { does: 'writes a backup', load: () => import('./commands/backup.ts') },
  restore: { does: 'restores a backup', load: () => import('./commands/restore.ts') },
  export: { does: 'writes a part of the inspection plan into an archive', load: () => import('./commands/export.ts') },
  import: { does: 'reads such an archive', load: () => import('./commands/import.ts') },
  'import-files': { does: 'imports files of measured values', load: () => import('./commands/import-files.ts') },
  plants: { does: 'lists, creates, places and removes plants', load: () => import('./commands/plants.ts') },
  'check-config': { does: 'lists all settings with their values', load: () => import('./commands/check-config.ts') },
  demo: { does: 'fills a running server with a demo', load: () => import('./commands/demo/main.ts') },
  sweep: { does: 'compares the file store with the database', load: () => import('../../../services/raw-data/src/sweep.ts') },
};

function startProgram(services: string): Promise<unknown> {
  switch (services) {
    case '':
      return import('./commands/start/main.ts');
    case 'inspection':
      return import('../../../services/inspection/src/main.ts');
    case 'raw-data':
      return import('../../../services/raw-data/src/main.ts');
    case 'events':
      return import('../../../services/events/src/main.ts');
    default:
      return refuse(`There is no service ${services}.`);
  }
}

function migrateProgram(services: string): Promise<unknown> {
  if (services === 'inspection') return import('../../../services/inspection/src/migrate.ts');
  if (services === 'raw-data') return import('../../../services/raw-data/src/migrate.ts');
  return refuse('Name the service whose database is migrated: --services inspection or --services raw-data.');
}

function roleProgram(services: string): Promise<unknown> {
  if (services === 'inspection') return import('../../../services/inspection/src/prepare-role.ts');
  if (services === 'raw-data') return import('../../../services/raw-data/src/prepare-role.ts');
  return refuse('Name the service whose role is prepared: --services inspection or --services raw-data.');
}

function refuse(sentence: string): Promise<void> {
  const lines = Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(14)}${does}`);
  process.stderr.write(`${[sentence, 'Commands; each prints its options with --help:', ...lines].join('\n')}\n`);
  process.exitCode = 2;
  return Promise.resolve();
}

const [node = '', file = '', name = '', ...words] = process.argv;
const command = COMMANDS[name];
if (!command) await refuse(name === '' ? 'Name a command.' : `There is no command ${name}.`);
else {
  const i = words.indexOf('--services');
  const [, services = ''] = i < 0 ? [] : words.splice(i, 2);
  process.argv = [node, file, ...words];
  await command.load(services);
}
