import { DEFAULT_MAX_EXPANSION } from '@sinebar/http';
import { guardSettings, perUserSettings } from './guard-settings.ts';
import { LOG_LEVELS } from '../logger.ts';
import { plantSettings } from './plant-settings.ts';
import { defineSettings, settingType, type SettingsOf } from './settings.ts';

/** Settings of the management address, for operators and not for clients. */
export function managementSettings(defaultPort: number | 'off') {
  return defineSettings({
    SINEBAR_MANAGEMENT_PORT: {
      schema: settingType.portOrOff(defaultPort),
      description: 'port for /metrics and health, without authentication; 0 takes a free one, off opens none and measures nothing',
    },
    SINEBAR_MANAGEMENT_HOST: { schema: settingType.text('127.0.0.1'), description: 'address to listen on for /metrics and health' },
  });
}

export const serverSettings = defineSettings({
  ...plantSettings,
  SINEBAR_HOST: { schema: settingType.text('127.0.0.1'), description: 'address to listen on' },
  SINEBAR_PORT: { schema: settingType.integer({ min: 0, max: 65535 }, 8080), description: 'port to listen on; 0 takes a free one' },
  ...managementSettings(9464),
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: settingType.url(['http', 'https']).optional(),
    description:
      'where spans are sent by OTLP over HTTP, http://collector:4318; without it none are made; other OTEL_ variables count, too',
  },
  OTEL_SERVICE_NAME: {
    schema: settingType.optionalText(),
    description: 'name of this process in its spans; by default sinebar- and the name of the service',
  },
  SINEBAR_LOG_LEVEL: { schema: settingType.choice(LOG_LEVELS, 'info'), description: `how much is logged: ${LOG_LEVELS.join(', ')}` },
  SINEBAR_PUBLIC_URL: {
    schema: settingType.url(['http', 'https']).optional(),
    description:
      'address under which clients reach the server, for absolute links; it may have a path, which the proxy takes away; ' +
      'by default taken from each request',
  },
  ...guardSettings,
  ...perUserSettings,
  SINEBAR_SERVER_NAME: { schema: settingType.text('Sinebar'), description: 'name of the server in its service information' },
  SINEBAR_DEBUG_ERRORS: {
    schema: settingType.flag(false),
    description: 'send stack traces in error bodies (on or off); never on in production',
  },
  SINEBAR_BODY_LIMIT_BYTES: {
    schema: settingType.integer({ min: 1024, max: 2 ** 30 }, 64 * 2 ** 20),
    description: 'largest JSON body, bytes after decompression',
  },
  SINEBAR_BODIES_IN_FLIGHT_BYTES: {
    schema: settingType.integer({ min: 1024, max: 2 ** 33 }, 256 * 2 ** 20),
    description: 'bytes of all JSON bodies in memory at once',
  },
  SINEBAR_MAX_DECOMPRESSION_RATIO: {
    schema: settingType.integer({ min: 1, max: 1_000_000 }, DEFAULT_MAX_EXPANSION),
    description: 'how many times as large as it was sent a compressed body or upload may become, once it is larger than 8 MiB',
  },
  SINEBAR_DRAIN_MS: {
    schema: settingType.integer({ min: 0, max: 60_000 }, 0),
    description: 'milliseconds between "not ready" and the end of accepting connections when the service is stopped',
  },
  SINEBAR_HEALTH_PEERS: {
    schema: settingType.list(),
    description:
      'addresses of the other services, comma separated, whose health is part of /healthServiceRest/all; ' +
      'a | between those of replicas, of which one is enough',
  },
});

export type ServerSettings = SettingsOf<typeof serverSettings>;
