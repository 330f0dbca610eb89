import { databaseSettings, databaseUrl } from './backing-settings.ts';
import { plantSettings } from './plant-settings.ts';
import { defineSettings, settingType, type SettingsOf } from './settings.ts';

/** Settings of the command that creates the database role of a service: the role, and the administrator that creates it. */
export const roleSettings = defineSettings({
  ...plantSettings,
  DATABASE_URL: { ...databaseSettings.DATABASE_URL, description: 'the address that the service will use; names the role to make' },
  DATABASE_PASSWORD: databaseSettings.DATABASE_PASSWORD,
  DATABASE_ADMINISTRATOR_URL: {
    schema: settingType.url(['postgres', 'postgresql']),
    description: 'the same database, as a user who may create roles, schemas and extensions there',
    secret: true,
  },
  DATABASE_ADMINISTRATOR_PASSWORD: {
    schema: settingType.optionalText(),
    description: 'password of the administrator as it is, not percent-encoded; takes precedence over one in DATABASE_ADMINISTRATOR_URL',
    secret: true,
  },
  SINEBAR_START_TIMEOUT_S: databaseSettings.SINEBAR_START_TIMEOUT_S,
});

export function roleOptions(settings: SettingsOf<typeof roleSettings>) {
  return {
    serviceUrl: databaseUrl(settings),
    administratorUrl: databaseUrl({
      DATABASE_URL: settings.DATABASE_ADMINISTRATOR_URL,
      DATABASE_PASSWORD: settings.DATABASE_ADMINISTRATOR_PASSWORD,
    }),
    startTimeoutMs: settings.SINEBAR_START_TIMEOUT_S * 1000,
  };
}
