import { z } from 'zod';
import { PART_RIGHTS, SERVER_RIGHTS } from './rights.ts';

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

/** Rights of the caller of a request. */
export const permissionsSchema = z
  .object({
    userName: z.string().describe('Name of the signed-in user; empty on a server without sign-in'),
    partRights: z
      .record(z.enum(PART_RIGHTS), z.array(z.string()))
      .describe('By right, the paths of the parts where it holds, each with everything below it. Names are in lower case, `ß` as `ss`'),
    serverRights: z.array(z.enum(SERVER_RIGHTS)).describe('Rights on the whole server'),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof permissionsSchema>;
