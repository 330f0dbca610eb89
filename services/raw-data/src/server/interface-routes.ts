import { SUPPORTED_VERSIONS, type InterfaceInformation } from '@sinebar/contracts';
import { defineRoute, reply, type Route } from '@sinebar/http';
import { interfaceDocumentation } from './interface-documentation.js';

/**
 * @param version of the server, for its service information
 * spec: raw-data-service.md, Interface and service information
 */
export function interfaceRoutes(version: string): Route[] {
  const information: InterfaceInformation = { supportedVersions: SUPPORTED_VERSIONS.rawDataService };
  const shared = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  return [
    defineRoute({
      ...shared,
      path: '/rawDataServiceRest',
      documentation: interfaceDocumentation.versions,
      handle: () => Promise.resolve(reply.json(information)),
    }),
    defineRoute({
      ...shared,
      path: '/rawDataServiceRest/serviceInformation',
      documentation: interfaceDocumentation.serviceInformation,
      handle: () => Promise.resolve(reply.json({ version })),
    }),
  ];
}
