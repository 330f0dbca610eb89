import { z } from 'zod';

/** Settings with which a client gets a token from the provider. spec: decisions.md 8.1 */
export const tokenInformationSchema = z
  .object({
    openIdAuthority: z.string(),
    clientId: z.string(),
    browserClientId: z.string(),
    browserCompatibilityClientId: z.string(),
    redirectUri: z.string(),
    requestedScopes: z.string(),
    additionalEndpointBaseAddresses: z.array(z.string()).readonly(),
  })
  .meta({ id: 'TokenInformation' });
export type TokenInformation = z.infer<typeof tokenInformationSchema>;

/** Enumerations are numbers, as clients expect them. */
export const oAuthConfigurationSchema = z
  .object({
    accessTokenType: z.int(),
    supportedOidcAuthenticationFlows: z.int(),
    upstreamTokenInformation: tokenInformationSchema,
    localTokenInformation: tokenInformationSchema,
  })
  .meta({ id: 'OAuthConfiguration' });
