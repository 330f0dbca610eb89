import { eventsProcessSettings } from '@sinebar/events';
import { inspectionProcessSettings } from '@sinebar/inspection';
import { rawDataProcessSettings } from '@sinebar/raw-data';
import type { SettingDefinitions } from '@sinebar/runtime';
import { standaloneSettings } from './start/config.ts';
import { settingsReport } from './check-config/settings-table.ts';

const PARTS: Readonly<Record<string, SettingDefinitions>> = {
  standalone: standaloneSettings,
  inspection: inspectionProcessSettings,
  'raw-data': rawDataProcessSettings,
  events: eventsProcessSettings,
};

const name = process.argv[2] ?? 'standalone';
const definitions = PARTS[name];
if (definitions) {
  const everything = Object.assign({}, ...Object.values(PARTS)) as SettingDefinitions;
  const { text, sound } = settingsReport(name, definitions, everything, process.env);
  console.log(text);
  process.exitCode = sound ? 0 : 1;
} else {
  console.error(`There is no part ${name}. Choose one of ${Object.keys(PARTS).join(', ')}.`);
  process.exitCode = 2;
}
