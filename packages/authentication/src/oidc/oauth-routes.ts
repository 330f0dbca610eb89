import { oAuthConfigurationSchema, ServiceError, tokenInformationSchema, type TokenInformation } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { usesOidc, type AuthenticationSettings } from '../settings.ts';

/** Two enumeration values, which are numbers for clients. */
const ACCESS_TOKEN_TYPE_AUTO = 0;
const FLOW_AUTHORIZATION_CODE = 2;

const TAG = 'Sign-in';
const EXAMPLE: TokenInformation = {
  openIdAuthority: 'https://sso.example.com/realms/plant',
  clientId: 'sinebar',
  browserClientId: 'sinebar-browser',
  browserCompatibilityClientId: 'sinebar-browser',
  redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
  requestedScopes: 'openid profile offline_access',
  additionalEndpointBaseAddresses: [],
};

/** @returns undefined without OpenID Connect */
export function tokenInformation(settings: AuthenticationSettings): TokenInformation | undefined {
  const { SINEBAR_OIDC_ISSUER: openIdAuthority, SINEBAR_OIDC_CLIENT_ID: clientId } = settings;
  if (!usesOidc(settings.SINEBAR_AUTHENTICATION) || openIdAuthority === undefined || clientId === undefined) return undefined;
  const browserClientId = settings.SINEBAR_OIDC_BROWSER_CLIENT_ID ?? clientId;
  return {
    openIdAuthority,
    clientId,
    browserClientId,
    browserCompatibilityClientId: settings.SINEBAR_OIDC_BROWSER_COMPATIBILITY_CLIENT_ID ?? browserClientId,
    redirectUri: settings.SINEBAR_OIDC_REDIRECT_URI,
    requestedScopes: settings.SINEBAR_OIDC_SCOPES,
    additionalEndpointBaseAddresses: [],
  };
}

/**
 * Routes with the address of the provider, which clients read before they sign in; 404 without OpenID Connect.
 * `oauthTokenInformation` is for clients without `oAuthConfiguration`: they take the provider's data without the other members.
 * spec: decisions.md 8.1, 5.12
 */
export function oAuthRoutes(information: TokenInformation | undefined): Route[] {
  const open = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  const known = (): TokenInformation => {
    if (!information) throw new ServiceError('NotFound', 'This server does not use OpenID Connect.');
    return information;
  };
  return [
    defineRoute({
      ...open,
      path: '/oAuthServiceRest',
      documentation: {
        tag: TAG,
        summary: 'Versions of the sign-in interface',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.oAuthService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.oAuthService })),
    }),
    defineRoute({
      ...open,
      path: '/oAuthServiceRest/oAuthConfiguration',
      documentation: {
        tag: TAG,
        summary: 'Where clients sign in',
        description: '404 without OpenID Connect: then clients sign in with user name and password, or not at all.',
        responses: {
          200: answers.json('The provider, and how to ask it', oAuthConfigurationSchema, {
            accessTokenType: ACCESS_TOKEN_TYPE_AUTO,
            supportedOidcAuthenticationFlows: FLOW_AUTHORIZATION_CODE,
            upstreamTokenInformation: EXAMPLE,
            localTokenInformation: EXAMPLE,
          }),
        },
        errors: ['NotFound'],
      },
      handle: async () =>
        Promise.resolve(
          reply.json({
            accessTokenType: ACCESS_TOKEN_TYPE_AUTO,
            supportedOidcAuthenticationFlows: FLOW_AUTHORIZATION_CODE,
            upstreamTokenInformation: known(),
            localTokenInformation: known(),
          }),
        ),
    }),
    defineRoute({
      ...open,
      path: '/oAuthServiceRest/oauthTokenInformation',
      documentation: {
        tag: TAG,
        summary: 'Where clients of earlier releases sign in',
        responses: { 200: answers.json('The provider', tokenInformationSchema, EXAMPLE) },
        errors: ['NotFound'],
      },
      handle: async () => Promise.resolve(reply.json(known())),
    }),
  ];
}
