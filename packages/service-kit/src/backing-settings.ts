import { defineSettings, settingType, type SettingsOf } from './settings.js';

/** Settings of a process that keeps data in PostgreSQL. */
export const databaseSettings = defineSettings({
  DATABASE_URL: {
    schema: settingType.url(['postgres', 'postgresql']),
    description: 'PostgreSQL 15 or newer, postgres://user:password@host:port/database',
    secret: true,
  },
  SINEBAR_MIGRATE: {
    schema: settingType.flag(true),
    description: 'bring the database schema up to date at start; off waits until another process has done it',
  },
  SINEBAR_START_TIMEOUT_S: {
    schema: settingType.integer({ min: 1, max: 86_400 }, 300),
    description: 'seconds to wait at start for a database that is not there yet',
  },
});

/** Settings of a process that talks to the others over NATS. */
export const busSettings = defineSettings({
  NATS_URL: {
    schema: settingType.urls(['nats', 'tls'], 'nats://127.0.0.1:4222'),
    description: 'NATS 2.10 or newer with JetStream; several servers of a cluster separated by commas',
    secret: true,
  },
  SINEBAR_NATS_REPLICAS: {
    schema: settingType.integer({ min: 1, max: 5 }, 1),
    description:
      'copies of the event stream in a NATS cluster, whose servers should be 2.12 or newer; what the inspection service is given counts',
  },
  SINEBAR_EVENTS_MAX_AGE_HOURS: {
    schema: settingType.integer({ min: 1, max: 87_600 }, 168),
    description: 'hours for which events can be resumed; what the inspection service is given counts',
  },
  SINEBAR_EVENTS_MAX_BYTES: {
    schema: settingType.integer({ min: 2 ** 20, max: 2 ** 43 }, 2 ** 30),
    description:
      'bytes of the event stream, reserved by the broker; the oldest events go first; what the inspection service is given counts',
  },
});

const HOUR_MS = 3_600_000;

/** The settings in the shape that the NATS bus takes. */
export function busOptions(settings: SettingsOf<typeof busSettings>) {
  return {
    servers: settings.NATS_URL,
    stream: {
      maxAgeMs: settings.SINEBAR_EVENTS_MAX_AGE_HOURS * HOUR_MS,
      maxBytes: settings.SINEBAR_EVENTS_MAX_BYTES,
      replicas: settings.SINEBAR_NATS_REPLICAS,
    },
  };
}
