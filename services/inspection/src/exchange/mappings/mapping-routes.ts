import { tableMappingListSchema } from '@sinebar/contracts';
import { tableMappingSchema } from '@sinebar/exchange';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHANGE_CONDITION, CHANGED } from '../../shared/documentation.ts';
import { replyText } from '../../shared/answers/text-etag.ts';
import { callerOf } from '../../shared/request-context.ts';
import { MAPPING_EXAMPLE } from '../exchange-examples.ts';
import { mappingName } from '../imports/import-parameters.ts';
import type { MappingService } from './mapping-service.ts';

const TAG = 'Files';
const PATH = '/exchangeServiceRest/mappings';
const EXAMPLE: unknown = JSON.parse(MAPPING_EXAMPLE);

const mappingAddress = z.object({ name: mappingName });
const parameters = { name: { description: 'Name of the mapping, 1 to 100 characters without /', example: 'gauge 7' } };

/** Mappings of tables that are kept by name; an import names one with `mapping=@name`. */
export function mappingRoutes(service: MappingService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'List the mappings of tables',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The names', tableMappingListSchema, [{ name: 'gauge 7', user: 'ada', time: '2026-03-02T06:00:00.000Z' }]),
        errors: [],
      },
      handle: async (request) => replyText(request.headers['if-none-match'], await service.list(callerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:name`,
      permission: 'signed-in',
      deadline: 'read',
      // The validator is also a condition of changes, so it must not depend on a coding.
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read a mapping of tables',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The mapping', tableMappingSchema, EXAMPLE),
        errors: ['NotFound'],
      },
      params: mappingAddress,
      handle: async (request) => replyText(request.headers['if-none-match'], await service.read(request.params.name, callerOf(request))),
    }),
    defineRoute({
      method: 'PUT',
      path: `${PATH}/:name`,
      permission: 'configuration:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Keep a mapping of tables',
        description: 'Creates the mapping, or replaces the one with the name. Imports name it with `mapping=@name`.',
        headers: CHANGE_CONDITION,
        body: { description: 'The mapping', example: EXAMPLE },
        responses: { 200: CHANGED },
        errors: ['PreconditionFailed'],
      },
      params: mappingAddress,
      body: tableMappingSchema,
      handle: async (request) => {
        const { etag } = await service.put(request.params.name, request.body, callerOf(request));
        return reply.empty(200, { ETag: etag });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:name`,
      deletes: 'item',
      permission: 'configuration:write',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Delete a mapping of tables',
        description: 'Files that were imported with it stay.',
        headers: CHANGE_CONDITION,
        responses: { 200: answers.done },
        errors: ['NotFound', 'PreconditionFailed'],
      },
      params: mappingAddress,
      handle: async (request) => {
        await service.delete(request.params.name, callerOf(request));
        return reply.empty(200);
      },
    }),
  ];
}
