import { commandText } from '@sinebar/contracts';
import { CommandError, runAsProcess, UsageError, type Command } from '../../command-line/command.ts';
import { openStore } from '../../stores/open-store.ts';
import { withConnection } from '../backup/connection.ts';
import { readPlants } from '../plants/plant-store.ts';
import { forgetUser } from './forget-user.ts';

const HELP = `
${commandText('users forget NAME [--dry-run]')}

Removes the name of a user from everything that keeps who did it: the histories of evaluations and of the settings of the plant,
exclusions, notes, alarms, planned stops, mappings of tables, views that all users see, and comments in the form [NAME]: reason. What was
done stays, without a name; own views are deleted. It works on each plant of the database, or on the one of SINEBAR_PLANT, while the product runs or is stopped.

  NAME        the name as answers show it; upper and lower case count
  --dry-run   only counts

Installation:
  SINEBAR_DATA_DIR=<folder>      the standalone product (default: sinebar-data)
  DATABASE_URL, S3_…             the distributed services; SINEBAR_FILE_DIR if files are in a folder

Exit code 0: done; 1: not done, with the reason; 2: wrong use.
`;

const WHAT: Readonly<Record<string, string>> = {
  evaluation_history: 'changes of evaluations',
  evaluation_exclusion: 'exclusions',
  plant_settings: 'changes of settings',
  note: 'notes',
  saved_view: 'saved views',
  table_mapping: 'mappings of tables',
  alarm: 'alarms',
  alarm_step: 'steps of alarms',
  alarm_mute: 'planned stops',
  report: 'kept reports, which are deleted',
  alarm_owner: 'owners of subscriptions and schedules, which are deleted',
  plan_item: 'comments of parts and characteristics',
  plan_item_history: 'comments of earlier versions',
  measurement: 'comments of measurements',
};

const options = { 'dry-run': { type: 'boolean' } } as const;

export const usersCommand: Command<typeof options> = {
  name: 'users',
  help: HELP,
  options,
  words: ['forget', 'NAME'],
  run: async ({ values, words: [action = '', name = ''] }, context) => {
    if (action !== 'forget') throw new UsageError(`There is no action ${action}: forget.`);
    if (name === '') throw new UsageError('Name a user.');
    const dryRun = values['dry-run'] === true;
    const store = await openStore(context);
    try {
      await withConnection(store.databaseUrl, context.signal, async (client) => {
        const plants = (await readPlants(client)).filter((plant) => store.plant === '' || plant === store.plant);
        if (plants.length === 0) throw new CommandError(`There is no plant in ${store.name}.`);
        for (const plant of plants) {
          const counts = await forgetUser(client, plant, name, dryRun);
          const found = counts.filter(({ count }) => count > 0).map(({ table, count }) => `${count} ${WHAT[table]}`);
          const where = plant === '' ? '' : `Plant ${plant}: `;
          context.print(
            `${where}${dryRun ? 'Would remove' : 'Removed'} the name from ${found.length === 0 ? 'nothing' : found.join(', ')}.`,
          );
        }
      });
      return 0;
    } finally {
      await store.close();
    }
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(usersCommand, words);
