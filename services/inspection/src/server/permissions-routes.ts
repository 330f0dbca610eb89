import { createHash } from 'node:crypto';
import type { Principal } from '@sinebar/access-control';
import { PART_RIGHTS, permissionsSchema, SERVER_RIGHTS, type PartRight, type Permissions } from '@sinebar/contracts';
import { defineRoute, reply, type Route } from '@sinebar/http';
import { unmarkedPartPath } from '@sinebar/query-language';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../shared/documentation.ts';
import { partPathParameter } from '../shared/parameters.ts';
import { cacheHeaders, readerOf, unchanged } from '../shared/request-context.ts';

export function permissionsRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/permissions',
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: 'Service',
        summary: 'What the caller may do',
        description: 'For programs that offer only what is allowed. The services check each request again.',
        parameters: {
          partPath: {
            description:
              'Only the rights that hold on this part; the part need not exist. The list of a right is then empty or has one path',
            example: '/Pump/Housing',
          },
        },
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The rights', permissionsSchema, {
          userName: 'ada',
          partRights: {
            'plan:read': ['/pump'],
            'plan:write': [],
            'measurement:read': ['/pump', '/shaft/bearing'],
            'measurement:write': ['/pump'],
            'rawData:read': ['/'],
            'rawData:write': [],
            'note:write': ['/pump'],
          },
          serverRights: ['catalog:write'],
        } satisfies Permissions),
        errors: [],
      },
      query: z.object({ partPath: partPathParameter.optional() }),
      handle: (request) => {
        const text = JSON.stringify(permissionsOf(request.context.principal, request.query.partPath));
        const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
        return Promise.resolve(unchanged(readerOf(request, 'permissions'), { etag }) ?? reply.text(text, cacheHeaders(etag)));
      },
    }),
  ];
}

/** @param path stored path of a part; only rights that cover it are listed */
function permissionsOf(principal: Principal, path: string | undefined): Permissions {
  const pathsOf = (right: PartRight) =>
    principal
      .scopeOf(right)
      .prefixes.filter((prefix) => path === undefined || path.startsWith(prefix))
      .map(unmarkedPartPath);
  return {
    userName: principal.name,
    partRights: Object.fromEntries(PART_RIGHTS.map((right) => [right, pathsOf(right)])) as Permissions['partRights'],
    serverRights: SERVER_RIGHTS.filter((right) => principal.holds(right)),
  };
}
