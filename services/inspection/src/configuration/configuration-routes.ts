import { configurationSchema, type AnyAttributeDefinition } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../shared/documentation.ts';
import { readerOf, workOf } from '../shared/request-context.ts';
import { type PlanStateReader } from './plan-state.ts';
import type { AttributeDefinition, AttributeEntity, Configuration } from './configuration.ts';
import { definitionsBody, deletedAttributeKeys, entityTypeParameter } from './configuration-schemas.ts';
import { ConfigurationService, type ConfigurationServiceDependencies } from './configuration-service.ts';

const TAG = 'Configuration';
const CHANGE_ERRORS = ['NotFound', 'Conflict', 'InUse', 'AlreadyExists'] as const;
const CREATED = { tag: TAG, responses: { 201: answers.created }, errors: CHANGE_ERRORS };
const DONE = { tag: TAG, responses: { 200: answers.done }, errors: CHANGE_ERRORS };
const EXAMPLE: AnyAttributeDefinition = {
  key: 1001,
  description: 'Part number',
  definitionType: 'AttributeDefinition',
  type: 'AlphaNumeric',
  length: 30,
};
const PARAMETERS = {
  entityType: { description: 'part, characteristic, measurement, value or catalog, also in the plural', example: 'part' },
  keys: { description: 'Keys of the attributes, as a list', example: '{1001}' },
};

/** Versioning mode as clients see it (spec: decisions.md 3.7). */
export type VersioningType = 'Off' | 'On' | 'Client';

const entityAddress = z.object({ entityType: entityTypeParameter });

export interface ConfigurationRouteDependencies extends ConfigurationServiceDependencies {
  versioningType: VersioningType;
  states: PlanStateReader;
}

/** spec: inspection-service.md, Configuration */
export function configurationRoutes({ versioningType, states, ...deps }: ConfigurationRouteDependencies): Route[] {
  const service = new ConfigurationService(deps);
  const change = { permission: 'configuration:write', deadline: 'long' } as const;
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/configuration',
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Read all attribute definitions',
        headers: CACHE_CONDITION,
        responses: cachedAnswers('The definitions by entity type', configurationSchema, {
          partAttributes: [EXAMPLE],
          characteristicAttributes: [],
          measurementAttributes: [{ key: 4, description: 'Time', definitionType: 'AttributeDefinition', type: 'DateTime' }],
          valueAttributes: [{ key: 1, description: 'Measured value', definitionType: 'AttributeDefinition', type: 'Float' }],
          catalogAttributes: [],
          versioningType: 'Off',
        }),
        errors: [],
      },
      handle: (request) =>
        states.answer(readerOf(request, 'configuration'), (_session, { configuration }) =>
          Promise.resolve(JSON.stringify({ ...answerOf(configuration), versioningType })),
        ),
    }),
    defineRoute({
      ...change,
      method: 'POST',
      path: '/dataServiceRest/configuration/:entityType',
      documentation: {
        ...CREATED,
        summary: 'Create attribute definitions',
        description: 'All or none.',
        parameters: PARAMETERS,
        body: { description: 'The new definitions', example: [EXAMPLE] },
      },
      params: entityAddress,
      body: definitionsBody,
      handle: async ({ params, body, context }) => {
        await service.create(params.entityType, body, workOf(context));
        return reply.empty(201);
      },
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: '/dataServiceRest/configuration/:entityType',
      documentation: {
        ...DONE,
        summary: 'Change attribute definitions',
        description: 'All or none.',
        parameters: PARAMETERS,
        body: { description: 'The definitions, found by their keys', example: [EXAMPLE] },
      },
      params: entityAddress,
      body: definitionsBody,
      handle: async ({ params, body, context }) => {
        await service.update(params.entityType, body, workOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/dataServiceRest/configuration',
      deletes: { selectedBy: [] },
      documentation: { ...DONE, summary: 'Delete all attribute definitions' },
      handle: async ({ context }) => {
        await service.delete(workOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/dataServiceRest/configuration/:entityType',
      deletes: { selectedBy: [] },
      documentation: {
        ...DONE,
        summary: 'Delete the attribute definitions of one entity type',
        parameters: PARAMETERS,
      },
      params: entityAddress,
      handle: async ({ params, context }) => {
        await service.delete(workOf(context), params.entityType);
        return reply.empty();
      },
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: '/dataServiceRest/configuration/:entityType/:keys',
      deletes: 'item',
      documentation: {
        ...DONE,
        summary: 'Delete attribute definitions',
        parameters: PARAMETERS,
      },
      params: entityAddress.extend({ keys: deletedAttributeKeys }),
      handle: async ({ params, context }) => {
        await service.delete(workOf(context), params.entityType, params.keys);
        return reply.empty();
      },
    }),
  ];
}

function answerOf({ definitions }: Configuration) {
  const all = [...definitions.values()];
  const listOf = (entity: AttributeEntity) => all.filter((definition) => definition.entity === entity).map(documentedMembers);
  return {
    partAttributes: listOf('part'),
    characteristicAttributes: listOf('characteristic'),
    measurementAttributes: listOf('measurement'),
    valueAttributes: listOf('value'),
    catalogAttributes: listOf('catalog'),
  };
}

/** Selects the documented members only, because clients refuse others (spec: decisions.md 3.7). */
function documentedMembers({ key, description, type, length, catalog }: AttributeDefinition) {
  if (type === 'Catalog') return { key, description, catalog, definitionType: 'CatalogAttributeDefinition' };
  return { key, description, type, ...(length !== null && { length }), definitionType: 'AttributeDefinition' };
}
