import { catalogSchema } from '@sinebar/contracts';
import { answers, defineRoute, refuseBody, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../../shared/documentation.ts';
import { readerOf, workOf } from '../../shared/request-context.ts';
import { type PlanStateReader } from '../plan-state.ts';
import {
  catalogAddress,
  changedCatalogsBody,
  deletedCatalogsAddress,
  deletedEntriesAddress,
  entriesBody,
  newCatalogsBody,
} from './catalogs-schemas.ts';
import { CatalogsService, type CatalogsServiceDependencies } from './catalogs-service.ts';

const TAG = 'Catalogs';
const CHANGE_ERRORS = ['NotFound', 'AlreadyExists', 'InUse', 'Conflict'] as const;
const CREATED = { tag: TAG, responses: { 201: answers.created }, errors: CHANGE_ERRORS };
const DONE = { tag: TAG, responses: { 200: answers.done }, errors: CHANGE_ERRORS };
const EXAMPLE = {
  uuid: '8c376bee-ffe3-4ee4-abb9-a55b492e69ad',
  name: 'Machines',
  validAttributes: [2009],
  catalogEntries: [{ key: 1, attributes: { '2009': 'Lathe 7' } }],
};
const PARAMETERS = {
  uuid: { description: 'Uuid of the catalog', example: EXAMPLE.uuid },
  keys: { description: 'Keys of entries, as a list', example: '{1}' },
};

/** spec: inspection-service.md, Catalogs */
export function catalogsRoutes({ states, ...deps }: CatalogsServiceDependencies & { states: PlanStateReader }): Route[] {
  const service = new CatalogsService(deps);
  const change = { permission: 'catalog:write', deadline: 'long' } as const;
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/catalogs',
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Read all catalogs',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The catalogs with their entries', z.array(catalogSchema), [EXAMPLE]),
        errors: [],
      },
      handle: (request) => states.answer(readerOf(request, 'catalogs'), async (session) => JSON.stringify(await service.list(session))),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/catalogs/:uuid',
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Read one catalog',
        parameters: PARAMETERS,
        headers: CACHE_CONDITION,
        responses: cachedAnswers('A list with the one catalog and its entries', z.array(catalogSchema), [EXAMPLE]),
        errors: ['NotFound'],
      },
      params: catalogAddress,
      handle: (request) =>
        states.answer(
          readerOf(request, 'catalog'),
          async (session) => JSON.stringify(await service.get(request.params.uuid, session)),
          (session) => service.refuseUnknown(request.params.uuid, session),
        ),
    }),
    defineRoute({
      ...change,
      method: 'POST',
      path: '/dataServiceRest/catalogs',
      documentation: {
        ...CREATED,
        summary: 'Create catalogs',
        description: 'All or none. The key -1 stands for the next free one; a catalog without entries gets one with key 0.',
        body: { description: 'The new catalogs', example: [EXAMPLE] },
      },
      body: newCatalogsBody,
      handle: async ({ body, context }) => {
        await service.create(body, workOf(context));
        return reply.empty(201);
      },
    }),
    defineRoute({
      ...change,
      method: 'POST',
      path: '/dataServiceRest/catalogs/:uuid',
      documentation: {
        ...CREATED,
        summary: 'Add entries to a catalog',
        parameters: PARAMETERS,
        body: {
          description: 'The new entries; the key -1 stands for the next free one',
          example: [{ key: -1, attributes: { '2009': 'Lathe 8' } }],
        },
      },
      params: catalogAddress,
      body: entriesBody,
      handle: async ({ params, body, context }) => {
        await service.addEntries(params.uuid, body, workOf(context));
        return reply.empty(201);
      },
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: '/dataServiceRest/catalogs',
      documentation: {
        ...DONE,
        summary: 'Replace catalogs',
        description: 'All or none. The entries that are sent replace all of them; a member that is left out stays as it is.',
        body: { description: 'The catalogs, found by their uuids', example: [EXAMPLE] },
      },
      body: changedCatalogsBody,
      handle: async ({ body, context }) => {
        await service.update(body, workOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/dataServiceRest/catalogs',
      deletes: { selectedBy: [] },
      documentation: { ...DONE, summary: 'Delete all catalogs' },
      handle: async ({ context }) => {
        await service.delete(workOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/dataServiceRest/catalogs/:uuid',
      deletes: 'item',
      documentation: {
        ...DONE,
        summary: 'Delete catalogs',
        description: 'With a slash at the end of the address the entries are deleted, not the catalogs.',
        parameters: {
          uuid: {
            description: 'Uuid of the catalog, or a list of them in braces, of which those that do not exist are ignored',
            example: `{${EXAMPLE.uuid}}`,
          },
        },
      },
      params: deletedCatalogsAddress,
      handle: async ({ params, path, context, stream }) => {
        // A trailing slash has a meaning only here (spec: decisions.md 1.4).
        if (path.endsWith('/')) {
          await refuseBody(stream, context.signal);
          await service.deleteAllEntries(params.uuid, workOf(context));
        } else await service.delete(workOf(context), params.uuid);
        return reply.empty();
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/dataServiceRest/catalogs/:uuid/:keys',
      deletes: 'item',
      documentation: {
        ...DONE,
        summary: 'Delete entries of a catalog',
        parameters: PARAMETERS,
      },
      params: deletedEntriesAddress,
      handle: async ({ params, context }) => {
        await service.deleteEntries(params.uuid, params.keys, workOf(context));
        return reply.empty();
      },
    }),
  ];
}
