import { defineRoute, reply, type Route } from '@sinebar/http';
import { readerOf, workOf } from '../../shared/request-context.js';
import { type PlanStateReader } from '../plan-state.js';
import {
  catalogAddress,
  changedCatalogsBody,
  deletedCatalogsAddress,
  deletedEntriesAddress,
  entriesBody,
  newCatalogsBody,
} from './catalogs-schemas.js';
import { CatalogsService, type CatalogsServiceDependencies } from './catalogs-service.js';
import { catalogsDocumentation } from './catalogs-documentation.js';

/** spec: inspection-service.md, Catalogs */
export function catalogsRoutes({ states, ...deps }: CatalogsServiceDependencies & { states: PlanStateReader }): Route[] {
  const service = new CatalogsService(deps);

  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/catalogs',
      permission: 'signed-in',
      deadline: 'read',
      documentation: catalogsDocumentation.list,
      handle: (request) => states.answer(readerOf(request, 'catalogs'), async (session) => JSON.stringify(await service.list(session))),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/catalogs/:uuid',
      permission: 'signed-in',
      deadline: 'read',
      documentation: catalogsDocumentation.get,
      params: catalogAddress,
      handle: (request) =>
        states.answer(
          readerOf(request, 'catalog'),
          async (session) => JSON.stringify(await service.get(request.params.uuid, session)),
          (session) => service.refuseUnknown(request.params.uuid, session),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/dataServiceRest/catalogs',
      permission: 'catalog:write',
      deadline: 'long',
      documentation: catalogsDocumentation.create,
      body: newCatalogsBody,
      handle: async ({ body, context }) => {
        await service.create(body, workOf(context));
        return reply.empty(201);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/dataServiceRest/catalogs/:uuid',
      permission: 'catalog:write',
      deadline: 'long',
      documentation: catalogsDocumentation.addEntries,
      params: catalogAddress,
      body: entriesBody,
      handle: async ({ params, body, context }) => {
        await service.addEntries(params.uuid, body, workOf(context));
        return reply.empty(201);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/dataServiceRest/catalogs',
      permission: 'catalog:write',
      deadline: 'long',
      documentation: catalogsDocumentation.update,
      body: changedCatalogsBody,
      handle: async ({ body, context }) => {
        await service.update(body, workOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/dataServiceRest/catalogs',
      permission: 'catalog:write',
      deadline: 'long',
      documentation: catalogsDocumentation.deleteAll,
      handle: async ({ context }) => {
        await service.delete(workOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/dataServiceRest/catalogs/:uuid',
      permission: 'catalog:write',
      deadline: 'long',
      documentation: catalogsDocumentation.delete,
      params: deletedCatalogsAddress,
      handle: async ({ params, path, context }) => {
        // The one address here in which a trailing slash has a meaning (spec: decisions.md 1.4).
        if (path.endsWith('/')) await service.deleteAllEntries(params.uuid, workOf(context));
        else await service.delete(workOf(context), params.uuid);
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/dataServiceRest/catalogs/:uuid/:keys',
      permission: 'catalog:write',
      deadline: 'long',
      documentation: catalogsDocumentation.deleteEntries,
      params: deletedEntriesAddress,
      handle: async ({ params, context }) => {
        await service.deleteEntries(params.uuid, params.keys, workOf(context));
        return reply.empty();
      },
    }),
  ];
}
