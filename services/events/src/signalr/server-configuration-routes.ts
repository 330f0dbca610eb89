import { AUTHENTICATION_TYPES, type AuthenticationType } from '@sinebar/authentication';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';

const serverConfigurationSchema = z
  .object({
    authentication_types_supported: z
      .array(z.enum(AUTHENTICATION_TYPES))
      .describe('`None` where everything is open, otherwise the ways to sign in that the server is set up for'),
  })
  .meta({ id: 'ServerConfiguration' });

/** Makes the routes that SignalR clients read before signing in. spec: signalr.md, Before the connection */
export function serverConfigurationRoutes(types: readonly AuthenticationType[]): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/.well-known/ServerConfiguration',
      documentation: {
        tag: 'Events',
        summary: 'How clients of events sign in',
        description: 'Clients of SignalR ask here before they connect at `/events`.',
        responses: {
          200: answers.json('The ways to sign in', serverConfigurationSchema, { authentication_types_supported: ['Basic'] }),
        },
        errors: [],
      },
      permission: 'open',
      deadline: 'read',
      handle: () => Promise.resolve(reply.json({ authentication_types_supported: types })),
    }),
  ];
}
