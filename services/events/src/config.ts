import { authenticationSettings } from '@sinebar/authentication';
import { busSettings, defineSettings, serverSettings, settingType, type SettingsOf } from '@sinebar/service-kit';

/** Settings of the event gateway, whatever process it runs in. */
export const eventsSettings = defineSettings({
  SINEBAR_SOCKET_POLLING: {
    schema: settingType.flag(true),
    description: 'let clients use HTTP long polling besides WebSocket (on or off); stock clients begin with polling',
  },
  SINEBAR_CORS_ORIGINS: {
    schema: settingType.list(),
    description: 'origins of web pages that may connect besides the server itself, comma separated; * allows all',
  },
  SINEBAR_SOCKET_BUFFER_BYTES: {
    schema: settingType.integer({ min: 64 * 1024, max: 2 ** 30 }, 2 ** 20),
    description: 'bytes that may wait for one client; a slower client is sent its events at its own pace',
  },
});

export type EventsSettings = SettingsOf<typeof eventsSettings>;

/** Settings of the event gateway as a process of its own. */
export const eventsProcessSettings = defineSettings({ ...serverSettings, ...authenticationSettings, ...busSettings, ...eventsSettings });
