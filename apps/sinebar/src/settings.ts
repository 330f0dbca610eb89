import { authenticationSettings } from '@sinebar/authentication';
import { eventsSettings } from '@sinebar/events';
import { inspectionSettings } from '@sinebar/inspection';
import { rawDataSettings } from '@sinebar/raw-data';
import {
  databaseSettings,
  defineSettings,
  LOG_LEVELS,
  managementSettings,
  serverSettings,
  settingType,
  type SettingsOf,
} from '@sinebar/runtime';
import { webSettings } from './web/logo-file.ts';

/** Settings of the product in one process, with everything embedded. */
export const standaloneSettings = defineSettings({
  ...serverSettings,
  ...authenticationSettings,
  ...managementSettings('off'),
  SINEBAR_LOG_LEVEL: {
    schema: settingType.choice(LOG_LEVELS, 'warn'),
    description: `how much is written to standard error: ${LOG_LEVELS.join(', ')}`,
  },
  SINEBAR_DATA_DIR: {
    schema: settingType.text('sinebar-data'),
    description: 'folder for the database and the files, from the current folder on; made when it does not exist',
  },
  SINEBAR_EVENT_LOG_MESSAGES: {
    schema: settingType.integer({ min: 1_000, max: 100_000_000 }, 1_000_000),
    description: 'change messages kept for clients that reconnect',
  },
  SINEBAR_EVENT_LOG_BYTES: {
    schema: settingType.integer({ min: 2 ** 20, max: 2 ** 40 }, 256 * 2 ** 20),
    description: 'bytes of change messages kept for clients that reconnect',
  },
  ...inspectionSettings,
  ...webSettings,
  ...rawDataSettings,
  ...eventsSettings,
});

export type StandaloneSettings = SettingsOf<typeof standaloneSettings>;

/** Settings of the product in one process on a database of its own server. */
export const databaseFormSettings = defineSettings({ ...standaloneSettings, ...databaseSettings });
