import { z } from 'zod';

/** What a client needs to get a token from the provider. spec: decisions.md 8.1 */
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

/** Enumerations as numbers, as clients know them. */
export const oAuthConfigurationSchema = z
  .object({
    accessTokenType: z.int(),
    supportedOidcAuthenticationFlows: z.int(),
    upstreamTokenInformation: tokenInformationSchema,
    localTokenInformation: tokenInformationSchema,
  })
  .meta({ id: 'OAuthConfiguration' });
