import { defineSettings, settingType } from './settings.ts';
import { isProxyName, isHostName } from '@sinebar/http';

/** Settings for proxies whose headers about the client are trusted. */
export const proxySettings = defineSettings({
  SINEBAR_TRUSTED_PROXIES: {
    schema: settingType
      .list()
      .refine((names) => names.every(isProxyName), 'must be addresses, networks such as 10.0.0.0/8, or the words loopback and private'),
    description: 'proxies whose X-Forwarded-For, -Proto and -Host are believed: addresses, networks, loopback, private; comma separated',
  },
});

/** Settings for pages of other origins that may use the server. */
export const corsSettings = defineSettings({
  SINEBAR_CORS_ORIGINS: {
    schema: settingType.list(),
    description: 'origins of web pages that may use the server besides its own, comma separated; * allows all',
  },
});

/** Settings that limit the shared resources of one user. */
export const perUserSettings = defineSettings({
  SINEBAR_SEARCHES_PER_USER: {
    schema: settingType.integer({ min: 0, max: 10_000 }, 32),
    description: 'searches that one user, or one address without sign-in, may run at the same time in each process; 0 sets no limit',
  },
});

/** Settings that distinguish pages of this server from others. spec: decisions.md 10.6 */
export const guardSettings = defineSettings({
  ...proxySettings,
  ...corsSettings,
  SINEBAR_HOSTS: {
    schema: settingType
      .list()
      .refine((names) => names.every(isHostName), 'must be names or addresses such as quality.example.com, without scheme and path'),
    description: 'names and addresses under which clients reach the server besides SINEBAR_PUBLIC_URL, comma separated; others are refused',
  },
});
