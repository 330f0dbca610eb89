import { streamOfPlant } from '@sinebar/contracts';
import { plantSettings } from './plant-settings.ts';
import { defineSettings, settingType, type SettingsOf } from './settings.ts';

const RAW_PASSWORD =
  'has an @ behind its host: percent-encode the reserved characters of the password (@ is %40, / is %2F), or give it as DATABASE_PASSWORD';

/** An unencoded `/`, `?` or `#` in a password ends the host too early; where digits stand before it, they even look like a port. */
function hasNoRawPassword(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, pathname, search, hash } = new URL(text);
  return username !== '' || !`${pathname}${search}${hash}`.includes('@');
}

/** Settings of a process that keeps data in PostgreSQL. */
export const databaseSettings = defineSettings({
  ...plantSettings,
  DATABASE_URL: {
    schema: settingType.url(['postgres', 'postgresql']).refine(hasNoRawPassword, RAW_PASSWORD),
    description: 'PostgreSQL 15 or newer, postgres://user:password@host:port/database',
    secret: true,
  },
  DATABASE_PASSWORD: {
    schema: settingType.optionalText(),
    description: 'password of the database user as it is, not percent-encoded; takes precedence over one in DATABASE_URL',
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

/** Limits of answers that are sent while they are read from the database. */
export const streamSettings = defineSettings({
  SINEBAR_STREAMS_PER_CLIENT: {
    schema: settingType.integer({ min: 0, max: 500 }, 0),
    description:
      'streaming answers that one user, or one address without a user, may read at a time; 0 is all connections for them but one',
  },
  SINEBAR_STREAM_LIMIT_S: {
    schema: settingType.integer({ min: 0, max: 604_800 }, 3_600),
    description:
      'seconds after which a streaming answer ends, complete or not: it holds a state of the database as of its beginning; 0 is no limit',
  },
});

export function streamLimits(settings: SettingsOf<typeof streamSettings>) {
  return { perClient: settings.SINEBAR_STREAMS_PER_CLIENT, totalMs: settings.SINEBAR_STREAM_LIMIT_S * 1000 };
}

/**
 * Builds the database address with the password that applies.
 * A password parameter overrides one in the address, and it also works for a Unix socket, whose address has no place for it.
 */
export function databaseUrl({
  DATABASE_URL,
  DATABASE_PASSWORD,
}: Pick<SettingsOf<typeof databaseSettings>, 'DATABASE_URL' | 'DATABASE_PASSWORD'>): string {
  const url = new URL(DATABASE_URL);
  if (DATABASE_PASSWORD === undefined) return url.href;
  if (url.searchParams.has('password')) url.searchParams.delete('password');
  url.search = `${url.search === '' ? '?' : `${url.search}&`}password=${encodeURIComponent(DATABASE_PASSWORD)}`;
  return url.href;
}

/** Settings of a process that talks to the others over NATS. */
export const busSettings = defineSettings({
  ...plantSettings,
  NATS_URL: {
    schema: settingType.urls(['nats', 'tls']),
    description: 'NATS 2.10 or newer with JetStream; several servers of a cluster separated by commas',
    secret: true,
  },
  NATS_USER: {
    schema: settingType.optionalText(),
    description: 'user of the message broker as it is, not percent-encoded; takes precedence over one in NATS_URL',
  },
  NATS_PASSWORD: {
    schema: settingType.optionalText(),
    description: 'password of that user as it is, not percent-encoded; takes precedence over one in NATS_URL',
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

export function busOptions(settings: SettingsOf<typeof busSettings>) {
  return {
    ...streamOfPlant(settings.SINEBAR_PLANT),
    servers: settings.NATS_URL,
    credentials: { user: settings.NATS_USER, password: settings.NATS_PASSWORD },
    stream: {
      maxAgeMs: settings.SINEBAR_EVENTS_MAX_AGE_HOURS * HOUR_MS,
      maxBytes: settings.SINEBAR_EVENTS_MAX_BYTES,
      replicas: settings.SINEBAR_NATS_REPLICAS,
    },
  };
}
