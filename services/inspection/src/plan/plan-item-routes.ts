import { characteristicSchema, partSchema, ServiceError } from '@sinebar/contracts';
import type { AttributeSelection, PlanItemKind, SearchCondition } from '@sinebar/query-language';
import {
  answers,
  booleanParameter,
  defineRoute,
  depthParameter,
  reply,
  uuidListParameter,
  uuidParameter,
  type RequestContext,
  type Route,
} from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, countSchema } from '../shared/documentation.ts';
import { attributeSelectionParameter, partPathParameter, searchConditionParameter, selectionOf } from '../shared/parameters.ts';
import { readerOf, workOf } from '../shared/request-context.ts';
import type { ItemSelection } from './changes/plan-deletion.ts';
import { ITEM_EXAMPLES } from './plan-examples.ts';
import { PLAN_PARAMETERS, TAGS } from './plan-parameter-texts.ts';
import { creationSchema, searchOn, updateSchema } from './plan-parameters.ts';
import type { PlanReading, PlanReadModel } from './reading/plan-read-model.ts';
import type { Caller, PlanService } from './plan-service.ts';

export interface PlanRouteDependencies {
  plan: PlanService;
  reads: PlanReadModel;
  caseSensitive: boolean;
}

export const PATHS = { part: '/dataServiceRest/parts', characteristic: '/dataServiceRest/characteristics' } as const;
const SCHEMAS = { part: partSchema, characteristic: characteristicSchema };
/** Levels below the part when `depth` is not given (spec: inspection-service.md, Parts, Characteristics). */
const DEFAULT_DEPTH = { part: 1, characteristic: 65_535 };

/** Path parameters of a route for one item. */
export const itemAddress = z.object({ uuid: uuidParameter });

/** Both kinds have these parameters; only the names for uuids and attributes differ. */
interface SelectionQuery {
  partUuids?: string[] | undefined;
  charUuids?: string[] | undefined;
  partPath?: string | undefined;
  depth?: number | undefined;
  searchCondition?: SearchCondition | undefined;
}
interface AttributesQuery {
  requestedPartAttributes?: AttributeSelection | undefined;
  requestedCharacteristicAttributes?: AttributeSelection | undefined;
  withHistory: boolean;
}
type QuerySchema<Q> = z.ZodObject<z.ZodRawShape> & z.ZodType<Q>;

const selection = {
  partPath: partPathParameter.optional(),
  depth: depthParameter.optional(),
  searchCondition: searchConditionParameter.optional(),
};
const SELECTION_QUERY: Readonly<Record<PlanItemKind, QuerySchema<SelectionQuery>>> = {
  part: z.object({ partUuids: uuidListParameter.optional(), ...selection }),
  characteristic: z.object({ charUuids: uuidListParameter.optional(), ...selection }),
};
const withHistory = booleanParameter.default(false);
const ATTRIBUTES_QUERY: Readonly<Record<PlanItemKind, QuerySchema<AttributesQuery>>> = {
  part: z.object({ requestedPartAttributes: attributeSelectionParameter.optional(), withHistory }),
  characteristic: z.object({ requestedCharacteristicAttributes: attributeSelectionParameter.optional(), withHistory }),
};
const KEEP_EMPTY = { part: ['requestedPartAttributes'], characteristic: ['requestedCharacteristicAttributes'] };
const versioningQuery = z.object({ versioningEnabled: booleanParameter.default(false) });

/**
 * Routes that parts and characteristics share: list, count, get, create, update and delete one.
 * spec: inspection-service.md, Parts, Characteristics; decisions.md 4.7
 */
export function planItemRoutes(kind: PlanItemKind, { plan, reads, caseSensitive }: PlanRouteDependencies): Route[] {
  const [path, schema, example] = [PATHS[kind], SCHEMAS[kind], ITEM_EXAMPLES[kind]];
  const documentation = { tag: TAGS[kind], parameters: PLAN_PARAMETERS };
  const cached = { ...documentation, headers: CACHE_CONDITION };
  const selectionIn = (query: SelectionQuery): PlanReading['selection'] => {
    const uuids = kind === 'part' ? query.partUuids : query.charUuids;
    return (configuration) => ({
      kinds: [kind],
      uuids,
      paths: [query.partPath ?? ''],
      depth: uuids ? query.depth : (query.depth ?? DEFAULT_DEPTH[kind]),
      ownCharacteristicsOnly: kind === 'characteristic',
      search: searchOn(kind, query.searchCondition, configuration, caseSensitive),
    });
  };
  const attributesIn = (query: AttributesQuery) => ({
    attributes: {
      part: kind === 'part' ? selectionOf(query.requestedPartAttributes) : [],
      characteristic: kind === 'characteristic' ? selectionOf(query.requestedCharacteristicAttributes) : [],
    },
    withHistory: query.withHistory,
  });

  return [
    defineRoute<unknown, SelectionQuery & AttributesQuery>({
      method: 'GET',
      path,
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        ...cached,
        summary: `Read ${kind}s`,
        description: `Without a selection, those at the root, as deep as \`depth\` says by default: ${DEFAULT_DEPTH[kind]} levels.`,
        responses: cachedAnswers(`The ${kind}s, parents before children`, z.array(schema), [example]),
        errors: ['NotFound'],
      },
      query: SELECTION_QUERY[kind].extend(ATTRIBUTES_QUERY[kind].shape) as unknown as QuerySchema<SelectionQuery & AttributesQuery>,
      keepEmpty: KEEP_EMPTY[kind],
      handle: (request) =>
        reads.list({ selection: selectionIn(request.query), ...attributesIn(request.query) }, readerOf(request, `${kind}s`)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/count`,
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        ...cached,
        summary: `Count ${kind}s`,
        responses: cachedAnswers('How many', countSchema, { count: 1 }),
        errors: ['NotFound'],
      },
      query: SELECTION_QUERY[kind],
      handle: (request) => reads.count(selectionIn(request.query), readerOf(request, `${kind}s/count`)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:uuid`,
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        ...cached,
        summary: `Read one ${kind}`,
        responses: cachedAnswers(`The ${kind}`, schema, example),
        errors: ['NotFound'],
      },
      params: itemAddress,
      query: ATTRIBUTES_QUERY[kind],
      keepEmpty: KEEP_EMPTY[kind],
      handle: (request) => reads.get(kind, request.params.uuid, attributesIn(request.query), readerOf(request, kind)),
    }),
    defineRoute({
      method: 'POST',
      path,
      permission: 'plan:write',
      deadline: 'write',
      documentation: {
        ...documentation,
        summary: `Create ${kind}s`,
        description: 'All or none. The parents have to exist or to be in the same body.',
        body: {
          description: `The new ${kind}s`,
          example: [{ uuid: example.uuid, path: example.path, attributes: {}, comment: 'from the drawing' }],
        },
        responses: { 201: answers.created },
        errors: ['AlreadyExists', 'NotFound', 'Conflict'],
      },
      query: versioningQuery,
      body: creationSchema(kind),
      handle: async ({ body, query, context }) => {
        await plan.create(kind, body, { ...callerOf(context), ...query });
        return reply.empty(201);
      },
    }),
    defineRoute({
      method: 'PUT',
      path,
      permission: 'plan:write',
      deadline: 'long',
      documentation: {
        ...documentation,
        summary: `Change, rename or move ${kind}s`,
        description: 'All or none. What is left out stays as it is; attributes that are sent replace all of them.',
        body: {
          description: `The ${kind}s, found by their uuids`,
          example: [{ uuid: example.uuid, path: example.path, attributes: {} }],
        },
        responses: { 200: answers.done },
        errors: ['NotFound', 'AlreadyExists', 'Conflict'],
      },
      query: versioningQuery,
      body: updateSchema(kind),
      handle: async ({ body, query, context }) => {
        await plan.update(kind, body, { ...callerOf(context), ...query });
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:uuid`,
      deletes: 'item',
      permission: 'plan:write',
      deadline: 'long',
      documentation: {
        ...documentation,
        summary: `Delete one ${kind} with everything below it`,
        responses: { 200: answers.done },
        errors: ['NotFound', 'InUse', 'Conflict'],
      },
      params: itemAddress,
      handle: async ({ params, context }) => {
        await plan.delete(kind, { by: 'uuid', uuid: params.uuid }, callerOf(context));
        return reply.empty();
      },
    }),
  ];
}

export function callerOf(context: RequestContext): Caller {
  return { ...workOf(context), principal: context.principal };
}

/** Selects the items of a DELETE by parameters. @throws ServiceError 400 without a selector. spec: decisions.md 4.8 */
export function chosenOf(uuids: readonly string[] | undefined, paths: readonly string[] | undefined, examples: string): ItemSelection {
  if (uuids?.length === 0)
    throw new ServiceError('InvalidRequest', 'The list of uuids is empty, so nothing was deleted. Name what to delete.');
  if (uuids) return { by: 'uuids', uuids };
  if (paths) return { by: 'paths', paths };
  throw new ServiceError('InvalidRequest', `Say what to delete: ${examples}.`);
}
