import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { Configuration, JWK } from 'oidc-provider';
import { ProviderStore } from './provider-store.ts';
import { BROWSER_CLIENT, DESKTOP, OTHER_RESOURCE, type ProviderAccount, type ProviderStart } from './provider-messages.ts';

/** Name of the API at the provider; programs need not ask for it. */
const RESOURCE = 'urn:sinebar';
const COOKIE_KEYS = [randomBytes(32).toString('base64url')];
const DAY_S = 86_400;

export async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' };
}

/**
 * Configures the provider like a typical one: PKCE is required, access tokens are JSON Web Tokens for the server, refresh tokens are used
 * once.
 * @param keys the first one signs
 */
export function providerConfiguration(
  { audience, accessTokenLifetimeS, programs, pages }: ProviderStart,
  accounts: ReadonlyMap<string, ProviderAccount>,
  keys: JWK[],
): Configuration {
  const resourceServer = { scope: '', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } } as const;
  return {
    adapter: ProviderStore,
    clients: [
      {
        client_id: DESKTOP.id,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [DESKTOP.redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
      ...(pages.length === 0
        ? []
        : [
            {
              client_id: BROWSER_CLIENT,
              token_endpoint_auth_method: 'none' as const,
              grant_types: ['authorization_code', 'refresh_token'],
              redirect_uris: pages,
              id_token_signed_response_alg: 'ES256' as const,
            },
          ]),
      ...programs.map(({ id, secret }) => ({
        client_id: id,
        client_secret: secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        id_token_signed_response_alg: 'ES256' as const,
      })),
    ],
    jwks: { keys },
    // Pages ask the token endpoint themselves.
    clientBasedCORS: (_context, origin, client) =>
      client.clientId === BROWSER_CLIENT && pages.some((page) => new URL(page).origin === origin),
    cookies: { keys: COOKIE_KEYS },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    ttl: {
      AccessToken: accessTokenLifetimeS,
      ClientCredentials: accessTokenLifetimeS,
      Grant: DAY_S,
      IdToken: DAY_S,
      Interaction: DAY_S,
      RefreshToken: DAY_S,
      Session: DAY_S,
    },
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({ ...resourceServer, audience: resource === OTHER_RESOURCE ? resource : audience }),
      },
    },
    interactions: { url: (_context, interaction) => `/sign-in/${interaction.uid}` },
    findAccount: (_context, name) => {
      const account = accounts.get(name);
      if (!account) return undefined;
      return { accountId: name, claims: () => ({ sub: name, preferred_username: name, groups: account.groups }) };
    },
    extraTokenClaims: (_context, token) => {
      const account = 'accountId' in token ? accounts.get(token.accountId ?? '') : undefined;
      const person = account && { preferred_username: account.name, groups: account.groups };
      return { azp: token.clientId, ...person };
    },
    // Some providers include `nbf`, which reveals a clock that is ahead.
    formats: {
      customizers: {
        jwt: (_context, _token, { payload }) => {
          payload['nbf'] = payload['iat'];
        },
      },
    },
  };
}
