import { authenticationSettings } from '@sinebar/authentication';
import { busSettings, corsSettings, defineSettings, serverSettings, settingType, type SettingsOf } from '@sinebar/runtime';

/** Settings of the event gateway in any process. */
export const eventsSettings = defineSettings({
  SINEBAR_SOCKET_POLLING: {
    schema: settingType.flag(true),
    description: 'let clients use HTTP long polling besides WebSocket (on or off); stock clients begin with polling',
  },
  ...corsSettings,
  SINEBAR_SOCKET_BUFFER_BYTES: {
    schema: settingType.integer({ min: 64 * 1024, max: 2 ** 30 }, 2 ** 20),
    description: 'bytes that may wait for one client; a slower client is sent its events at its own pace',
  },
  SINEBAR_SOCKET_MESSAGE_BYTES: {
    schema: settingType.integer({ min: 1024, max: 2 ** 24 }, 64 * 1024),
    description: 'largest message that a client may send over a socket, bytes; clients send credentials and subscriptions, nothing else',
  },
  SINEBAR_SOCKET_PING_INTERVAL_MS: {
    schema: settingType.integer({ min: 1_000, max: 600_000 }, 25_000),
    description: 'milliseconds between two heartbeats that are sent to a client',
  },
  SINEBAR_SOCKET_PING_TIMEOUT_MS: {
    schema: settingType.integer({ min: 1_000, max: 600_000 }, 20_000),
    description: 'milliseconds that a client has to answer a heartbeat before its connection is closed',
  },
  SINEBAR_WAITING_REQUESTS_PER_USER: {
    schema: settingType.integer({ min: 0, max: 1_000_000 }, 100),
    description: 'requests for changes that one user, or one address without sign-in, may have waiting at the same time; 0 sets no limit',
  },
  SINEBAR_SOCKETS_PER_USER: {
    schema: settingType.integer({ min: 0, max: 1_000_000 }, 1_000),
    description: 'connections to events that one user may have at the same time; 0 sets no limit',
  },
  SINEBAR_SOCKETS_PER_ADDRESS: {
    schema: settingType.integer({ min: 0, max: 1_000_000 }, 10_000),
    description: 'connections to events that may come from one address at the same time, a proxy included; 0 sets no limit',
  },
  SINEBAR_TOKEN_WARNING_S: {
    schema: settingType.integer({ min: 0, max: 86_400 }, 60),
    description: 'seconds before the end of its credentials at which a client of events is warned',
  },
});

export type EventsSettings = SettingsOf<typeof eventsSettings>;

/** Settings of the event gateway as a process of its own. */
export const eventsProcessSettings = defineSettings({ ...serverSettings, ...authenticationSettings, ...busSettings, ...eventsSettings });
