import { defineSettings, proxySettings, settingType, type SettingsOf } from '@sinebar/runtime';

export const AUTHENTICATION_MODES = ['none', 'basic', 'oidc', 'basic+oidc'] as const;
export type AuthenticationMode = (typeof AUTHENTICATION_MODES)[number];

/** Authentication settings, the same for every process of one server. spec: decisions.md 8.1, 8.2 */
export const authenticationSettings = defineSettings({
  SINEBAR_AUTHENTICATION: {
    schema: settingType.choice(AUTHENTICATION_MODES, 'none'),
    description: `how users sign in: ${AUTHENTICATION_MODES.join(', ')}; with none everybody may do everything`,
  },
  SINEBAR_ACCESS_POLICY: {
    schema: settingType.optionalText(),
    description: 'path of the access policy file (docs/access-policy.md); read again whenever it changes',
  },
  ...proxySettings,
  SINEBAR_OIDC_ISSUER: {
    schema: settingType.url(['https', 'http']).optional(),
    description: 'address of the OpenID Connect provider, as its tokens name it in iss',
  },
  SINEBAR_OIDC_AUDIENCE: {
    schema: settingType.list(),
    description: 'values of aud of which a token must have one, comma separated; with ID tokens the client ids',
  },
  SINEBAR_OIDC_NAME_CLAIM: {
    schema: settingType.text('preferred_username'),
    description: 'claim that names a user in the logs; without it the subject is taken',
  },
  SINEBAR_OIDC_CLOCK_SKEW_S: {
    schema: settingType.integer({ min: 0, max: 300 }, 30),
    description: 'seconds by which the clocks of provider and server may differ',
  },
  SINEBAR_OIDC_CLIENT_ID: {
    schema: settingType.optionalText(),
    description: 'client id that programs on a desktop use at the provider',
  },
  SINEBAR_OIDC_BROWSER_CLIENT_ID: {
    schema: settingType.optionalText(),
    description: 'client id that pages in a browser use; by default that of the programs',
  },
  SINEBAR_OIDC_BROWSER_COMPATIBILITY_CLIENT_ID: {
    schema: settingType.optionalText(),
    description: 'client id that older pages in a browser use; by default that of the other pages',
  },
  SINEBAR_OIDC_REDIRECT_URI: {
    schema: settingType.text('urn:ietf:wg:oauth:2.0:oob'),
    description: 'where the provider sends programs back to',
  },
  SINEBAR_OIDC_SCOPES: {
    schema: settingType.text('openid profile email offline_access'),
    description: 'scopes that clients ask the provider for, with blanks between them',
  },
});

export type AuthenticationSettings = SettingsOf<typeof authenticationSettings>;

/** Finds settings that contradict each other, each with the name of a variable. */
export function authenticationProblems(settings: AuthenticationSettings): string[] {
  const mode = settings.SINEBAR_AUTHENTICATION;
  const problems: string[] = [];
  if (mode !== 'none' && settings.SINEBAR_ACCESS_POLICY === undefined) {
    problems.push(
      `SINEBAR_ACCESS_POLICY: is required with SINEBAR_AUTHENTICATION=${mode}: it says who may do what (docs/access-policy.md)`,
    );
  }
  if (usesOidc(mode)) {
    const required = (name: 'SINEBAR_OIDC_ISSUER' | 'SINEBAR_OIDC_CLIENT_ID') => {
      if (settings[name] === undefined)
        problems.push(`${name}: is required with SINEBAR_AUTHENTICATION=${mode} (${authenticationSettings[name].description})`);
    };
    required('SINEBAR_OIDC_ISSUER');
    required('SINEBAR_OIDC_CLIENT_ID');
    if (settings.SINEBAR_OIDC_AUDIENCE.length === 0) {
      problems.push(
        `SINEBAR_OIDC_AUDIENCE: is required with SINEBAR_AUTHENTICATION=${mode}: without it tokens made for other servers would be taken`,
      );
    }
  }
  return problems;
}

/** Finds settings that work but are probably mistakes. */
export function authenticationRemarks(settings: AuthenticationSettings): string[] {
  const mode = settings.SINEBAR_AUTHENTICATION;
  const remarks: string[] = [];
  if (mode === 'none' && settings.SINEBAR_ACCESS_POLICY !== undefined) {
    remarks.push('SINEBAR_ACCESS_POLICY is set but not used: with SINEBAR_AUTHENTICATION=none everybody may do everything');
  }
  if (!usesOidc(mode) && settings.SINEBAR_OIDC_ISSUER !== undefined) {
    remarks.push(`SINEBAR_OIDC_ISSUER is set but not used: SINEBAR_AUTHENTICATION is ${mode}`);
  }
  if (usesOidc(mode) && settings.SINEBAR_OIDC_ISSUER?.startsWith('http:')) {
    remarks.push('SINEBAR_OIDC_ISSUER begins with http: whoever can change what travels on that way can make tokens');
  }
  return remarks;
}

export function usesBasic(mode: AuthenticationMode): boolean {
  return mode === 'basic' || mode === 'basic+oidc';
}

export function usesOidc(mode: AuthenticationMode): boolean {
  return mode === 'oidc' || mode === 'basic+oidc';
}

/** Ways to sign in, as clients of events name them. spec: signalr.md, Before the connection */
export const AUTHENTICATION_TYPES = ['None', 'Basic', 'OpenIDConnect'] as const;
export type AuthenticationType = (typeof AUTHENTICATION_TYPES)[number];

export function authenticationTypesOf(mode: AuthenticationMode): AuthenticationType[] {
  if (mode === 'none') return ['None'];
  return [...(usesBasic(mode) ? (['Basic'] as const) : []), ...(usesOidc(mode) ? (['OpenIDConnect'] as const) : [])];
}
