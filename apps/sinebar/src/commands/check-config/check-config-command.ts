import { commandText } from '@sinebar/contracts';
import { eventsProcessSettings } from '@sinebar/events';
import { inspectionProcessSettings } from '@sinebar/inspection';
import { rawDataProcessSettings } from '@sinebar/raw-data';
import type { SettingDefinitions } from '@sinebar/runtime';
import { runAsProcess, UsageError, type Command } from '../../command-line/command.ts';
import { databaseFormSettings, standaloneSettings } from '../../settings.ts';
import { webSettings } from '../../web/logo-file.ts';
import { settingsReport } from './settings-table.ts';

const PARTS: Readonly<Record<string, SettingDefinitions>> = {
  standalone: standaloneSettings,
  database: databaseFormSettings,
  inspection: { ...inspectionProcessSettings, ...webSettings },
  'raw-data': rawDataProcessSettings,
  events: eventsProcessSettings,
};

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
  run: ({ words: [name = 'standalone', ...others] }, { env, print }) => {
    const definitions = PARTS[name];
    if (!definitions || others.length > 0) {
      throw new UsageError(`There is no part ${[name, ...others].join(' ')}. Choose one of ${Object.keys(PARTS).join(', ')}.`);
    }
    const everything = Object.assign({}, ...Object.values(PARTS)) as SettingDefinitions;
    const { text, sound } = settingsReport(name, definitions, everything, env);
    print(text);
    return Promise.resolve(sound ? 0 : 1);
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(checkConfigCommand, words);
