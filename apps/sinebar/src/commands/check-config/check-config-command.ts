import { commandText } from '@sinebar/contracts';
import type { SettingDefinitions } from '@sinebar/runtime';
import { runAsProcess, UsageError, type Command } from '../../command-line/command.ts';
import { settingsOf } from '../../compose.ts';
import { SERVICE_NAMES } from '../../services.ts';
import { databaseFormSettings, standaloneSettings } from '../../settings.ts';
import { settingsReport } from './settings-table.ts';

/** Settings of the product in one process, and of each service in one of its own. */
async function settingsOfParts(): Promise<Readonly<Record<string, SettingDefinitions>>> {
  const services = await Promise.all(SERVICE_NAMES.map(async (name) => [name, await settingsOf([name])] as const));
  return { standalone: standaloneSettings, database: databaseFormSettings, ...Object.fromEntries(services) };
}

const HELP = `
${commandText('check-config [PART]')}

Lists the settings in force with their values, sources and meanings, and what must be changed.

PART: standalone (the default), database (${commandText('start --database')}), inspection, raw-data or events

Exit code 0: no problem; 1: a setting must be changed; 2: wrong use.
`;

const checkConfigCommand: Command<Record<string, never>> = {
  name: 'check-config',
  help: HELP,
  options: {},
  words: [],
  furtherWords: 'PART',
  run: async ({ words: [name = 'standalone', ...others] }, { env, print }) => {
    const parts = await settingsOfParts();
    const definitions = parts[name];
    if (!definitions || others.length > 0) {
      throw new UsageError(`There is no part ${[name, ...others].join(' ')}. Choose one of ${Object.keys(parts).join(', ')}.`);
    }
    const everything = Object.assign({}, ...Object.values(parts)) as SettingDefinitions;
    const { text, sound } = settingsReport(name, definitions, everything, env);
    print(text);
    return sound ? 0 : 1;
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(checkConfigCommand, words);
