import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS, type InterfaceInformation } from '@sinebar/runtime';
import { z } from 'zod';

const tag = 'Service';

/** @param version of the server, for its service information. spec: raw-data-service.md, Interface and service information */
export function interfaceRoutes(version: string): Route[] {
  const information: InterfaceInformation = { supportedVersions: SUPPORTED_VERSIONS.rawDataService };
  const shared = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  return [
    defineRoute({
      ...shared,
      path: '/rawDataServiceRest',
      documentation: {
        tag,
        summary: 'Versions of the interface for files',
        responses: { 200: answers.json('The versions', interfaceInformationSchema, information) },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json(information)),
    }),
    defineRoute({
      ...shared,
      path: '/rawDataServiceRest/serviceInformation',
      documentation: {
        tag,
        summary: 'The version of the service',
        responses: { 200: answers.json('The version', z.object({ version: z.string() }), { version: '0.1.0' }) },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ version })),
    }),
  ];
}
