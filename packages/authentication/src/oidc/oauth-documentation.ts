import { interfaceInformationSchema, oAuthConfigurationSchema, SUPPORTED_VERSIONS, tokenInformationSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';

const tag = 'Sign-in';
const provider = {
  openIdAuthority: 'https://sso.example.com/realms/plant',
  clientId: 'sinebar',
  browserClientId: 'sinebar-browser',
  browserCompatibilityClientId: 'sinebar-browser',
  redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
  requestedScopes: 'openid profile offline_access',
  additionalEndpointBaseAddresses: [],
};

export const oAuthDocumentation = {
  versions: {
    tag,
    summary: 'Versions of the sign-in interface',
    responses: {
      200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.oAuthService }),
    },
    errors: [],
  },
  configuration: {
    tag,
    summary: 'Where clients sign in',
    description: '404 without OpenID Connect: then clients sign in with user name and password, or not at all.',
    responses: {
      200: answers.json('The provider, and how to ask it', oAuthConfigurationSchema, {
        accessTokenType: 0,
        supportedOidcAuthenticationFlows: 2,
        upstreamTokenInformation: provider,
        localTokenInformation: provider,
      }),
    },
    errors: ['NotFound'],
  },
  tokenInformation: {
    tag,
    summary: 'Where clients of earlier releases sign in',
    responses: { 200: answers.json('The provider', tokenInformationSchema, provider) },
    errors: ['NotFound'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
