import { authenticationSettings } from '@sinebar/authentication';
import { DATE_ORDERS } from '@sinebar/exchange';
import {
  busSettings,
  databaseSettings,
  defineSettings,
  serverSettings,
  settingType,
  spoolSettings,
  streamSettings,
  type SettingsOf,
} from '@sinebar/runtime';
import { SHOWN_USERS } from './shared/answers/shown-users.ts';

/** Settings that the inspection service has in every deployment. */
export const inspectionSettings = defineSettings({
  ...streamSettings,
  ...spoolSettings,
  SINEBAR_INSPECTION_POOL: {
    schema: settingType.integer({ min: 2, max: 500 }, 10),
    description: 'database connections of the inspection service for requests',
  },
  SINEBAR_INSPECTION_STREAM_POOL: {
    schema: settingType.integer({ min: 1, max: 500 }, 6),
    description: 'database connections of the inspection service for streaming answers',
  },
  SINEBAR_VERSIONING: {
    schema: settingType.choice(['off', 'on', 'client'], 'off'),
    description: 'keep earlier states of the inspection plan: off, on, or client (as each request asks with versioningEnabled)',
  },
  SINEBAR_SEARCH_CASE_SENSITIVE: {
    schema: settingType.flag(false),
    description: 'whether searches tell upper from lower case when a request does not say (on or off)',
  },
  SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS: {
    schema: settingType.flag(true),
    description: 'whether parts that have measurements may be deleted, with these (on or off)',
  },
  SINEBAR_IMPORTS_PER_USER: {
    schema: settingType.integer({ min: 0, max: 1000 }, 2),
    description:
      'files that one user, or one address without sign-in, may import at the same time in each process; further ones wait; 0 sets no limit',
  },
  SINEBAR_REQUIRED_CAPABILITY: {
    schema: settingType.optionalDecimal({ min: 0.1, max: 10 }),
    description: 'Ppk that a characteristic needs to count as capable when its attribute 8520 does not say; 1.33 if not set',
  },
  SINEBAR_ALARM_MAX_AGE_H: {
    schema: settingType.integer({ min: 1, max: 87_600 }, 24),
    description:
      'hours after its time of measurement in which a value that is stored raises alarms that are told; those of older ones are only listed',
  },
  SINEBAR_REPORT_DAYS: {
    schema: settingType.integer({ min: 1, max: 36_500 }, 90),
    description: 'days for which reports are kept',
  },
  SINEBAR_REPORT_TEMPLATES: {
    schema: settingType.optionalText(),
    description: 'folder with templates of reports of the plant, YAML files; sinebar reports check FILE says what is wrong in one',
  },
  SINEBAR_SHOW_USERS: {
    schema: settingType.choice(SHOWN_USERS, 'all'),
    description:
      'whose names histories, comments of versions, exclusions and notes show: of all users, only the own one of the reader (own), or of none',
  },
  SINEBAR_DATE_ORDER: {
    schema: settingType.optionalChoice(DATE_ORDERS),
    description:
      'order of day, month and year in dates with slashes in imported files when a request names none: dmy, mdy or ymd; by default that of the format',
  },
  SINEBAR_SMTP_URL: {
    schema: settingType.url(['smtp', 'smtps']).optional(),
    description:
      'server that takes mail about alarms: smtps://user:password@mail.example:465, or smtp://mail.example:587, which is encrypted where the server offers it; without it none is sent',
  },
  SINEBAR_MAIL_FROM: {
    schema: settingType.optionalText(),
    description: 'sender of mail: sinebar@example.com, or Sinebar <sinebar@example.com>; required with SINEBAR_SMTP_URL',
  },
  SINEBAR_MAIL_DOMAINS: {
    schema: settingType.list(),
    description:
      'domains of addresses that every user may have told about alarms, comma separated; others than the own one need policy:write',
  },
  SINEBAR_WEBHOOK_HOSTS: {
    schema: settingType.list(),
    description: 'hosts of webhooks that may have private addresses and plain http, comma separated; others must be public, over https',
  },
  SINEBAR_OFFLINE_RIGHTS_DAYS: {
    schema: settingType.integer({ min: 1, max: 3650 }, 30),
    description: 'days for which a user of OpenID Connect is told about alarms by the rights of the last token',
  },
});
export type InspectionSettings = SettingsOf<typeof inspectionSettings>;

export const inspectionProcessSettings = defineSettings({
  ...serverSettings,
  ...authenticationSettings,
  ...databaseSettings,
  ...busSettings,
  ...inspectionSettings,
});
