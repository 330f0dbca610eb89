import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CHANGE_CONDITIONS, FILES, targetParameters } from '../targets/file-parameter-texts.ts';
import { readKey, readTarget } from '../targets/target.ts';
import type { ObjectService } from './object-service.ts';

/** spec: raw-data-service.md, Raw data objects (DELETE); decisions.md 6.1, 6.4 */
export function deleteRoutes({ objects }: { objects: Pick<ObjectService, 'delete' | 'deleteAll'> }): Route[] {
  const path = '/rawDataServiceRest/rawData/:entity/:uuid';
  return [
    defineRoute({
      method: 'DELETE',
      path,
      deletes: { selectedBy: [] },
      documentation: {
        tag: FILES,
        summary: 'Delete all files of a target',
        description: 'With conditions, `If-Match` has to list the ETag of every file, and the newest file counts for the time.',
        parameters: targetParameters,
        headers: CHANGE_CONDITIONS,
        responses: { 200: answers.done },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      permission: 'rawData:write',
      deadline: 'long',
      params: z.object({ entity: z.string(), uuid: z.string() }),
      handle: async ({ params, headers, context }) => {
        await objects.deleteAll(readTarget(params.entity, params.uuid), headers, context);
        return reply.empty(200);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:key`,
      deletes: 'item',
      documentation: {
        tag: FILES,
        summary: 'Delete a file',
        parameters: targetParameters,
        headers: CHANGE_CONDITIONS,
        responses: { 200: answers.done },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      permission: 'rawData:write',
      deadline: 'write',
      params: z.object({ entity: z.string(), uuid: z.string(), key: z.string() }),
      handle: async ({ params, headers, context }) => {
        await objects.delete(readTarget(params.entity, params.uuid), readKey(params.key), headers, context);
        return reply.empty(200);
      },
    }),
  ];
}
