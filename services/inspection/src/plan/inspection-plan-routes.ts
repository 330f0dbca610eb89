import { characteristicSchema, partSchema, ServiceError } from '@sinebar/contracts';
import type { PlanItemKind } from '@sinebar/query-language';
import { booleanParameter, defineRoute, depthParameter, uuidListParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, countSchema, PART_UUID } from '../shared/documentation.ts';
import { readerOf } from '../shared/request-context.ts';
import { ITEM_EXAMPLES } from './plan-examples.ts';
import { PLAN_PARAMETERS } from './plan-parameter-texts.ts';
import type { PlanRouteDependencies } from './plan-item-routes.ts';
import { attributeSelectionParameter, searchConditionParameter, selectionOf } from '../shared/parameters.ts';
import { pathListParameter, searchOn } from './plan-parameters.ts';
import type { PlanReading } from './reading/plan-read-model.ts';

const DEFAULT_DEPTH = 65_535;

/** Values of `restrictToEntity` in lower case. */
const RESTRICTIONS = ['none', 'part', 'characteristic', 'characteristicwithoutintermediateparts'] as const;
type Restriction = (typeof RESTRICTIONS)[number];

const KINDS: Readonly<Record<Restriction, readonly PlanItemKind[]>> = {
  none: ['part', 'characteristic'],
  part: ['part'],
  characteristic: ['part', 'characteristic'],
  characteristicwithoutintermediateparts: ['characteristic'],
};

const restrictionParameter = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(RESTRICTIONS, 'must be None, Part, Characteristic or CharacteristicWithoutIntermediateParts'));

const selectionQuery = {
  depth: depthParameter.optional(),
  paths: pathListParameter.optional(),
  parentUuids: uuidListParameter.optional(),
  itemUuids: uuidListParameter.optional(),
  restrictToEntity: restrictionParameter.default('none'),
  searchCondition: searchConditionParameter.optional(),
};

const DOCUMENTATION = {
  tag: 'Inspection plan',
  headers: CACHE_CONDITION,
  parameters: {
    ...PLAN_PARAMETERS,
    paths: { description: 'These items and what is below them; not together with `parentUuids`', example: '{/Pump}' },
    parentUuids: { description: 'What is below these items, without themselves', example: `{${PART_UUID}}` },
    itemUuids: { description: 'Only these items', example: `{${PART_UUID}}` },
    restrictToEntity: {
      description: 'None (the default), Part, Characteristic (with the parts that have some) or CharacteristicWithoutIntermediateParts',
      example: 'Part',
    },
  },
};

/** Routes that answer parts and characteristics in one list, parents before children. spec: decisions.md 4.9 */
export function inspectionPlanRoutes({ reads, caseSensitive }: PlanRouteDependencies): Route[] {
  const selection = (query: z.output<z.ZodObject<typeof selectionQuery>>): PlanReading['selection'] => {
    if (query.paths && query.parentUuids) throw new ServiceError('InvalidRequest', 'Give either paths or parentUuids, not both.');
    const { restrictToEntity: restriction } = query;
    return (configuration) => ({
      kinds: KINDS[restriction],
      uuids: query.itemUuids ?? query.parentUuids,
      without: query.itemUuids ? undefined : query.parentUuids,
      paths: query.paths ?? [''],
      depth: query.itemUuids ? query.depth : (query.depth ?? DEFAULT_DEPTH),
      search: searchOn(
        restriction.startsWith('characteristic') ? 'characteristic' : 'part',
        query.searchCondition,
        configuration,
        caseSensitive,
      ),
      onlyPartsWithCharacteristics: restriction === 'characteristic',
    });
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/inspectionPlanItems',
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        ...DOCUMENTATION,
        summary: 'Read parts and characteristics in one list',
        responses: cachedAnswers('The items, parents before children', z.array(z.union([partSchema, characteristicSchema])), [
          ITEM_EXAMPLES.part,
          ITEM_EXAMPLES.characteristic,
        ]),
        errors: ['NotFound'],
      },
      query: z.object({
        ...selectionQuery,
        requestedPartAttributes: attributeSelectionParameter.optional(),
        requestedCharacteristicAttributes: attributeSelectionParameter.optional(),
        withHistory: booleanParameter.default(false),
      }),
      keepEmpty: ['requestedPartAttributes', 'requestedCharacteristicAttributes'],
      handle: (request) => {
        const { requestedPartAttributes, requestedCharacteristicAttributes, withHistory } = request.query;
        const attributes = { part: selectionOf(requestedPartAttributes), characteristic: selectionOf(requestedCharacteristicAttributes) };
        return reads.list({ selection: selection(request.query), attributes, withHistory }, readerOf(request, 'inspectionPlanItems'));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/inspectionPlanItems/count',
      permission: 'plan:read',
      deadline: 'read',
      documentation: {
        ...DOCUMENTATION,
        summary: 'Count parts and characteristics',
        responses: cachedAnswers('How many', countSchema, { count: 2 }),
        errors: ['NotFound'],
      },
      query: z.object(selectionQuery),
      handle: (request) => reads.count(selection(request.query), readerOf(request, 'inspectionPlanItems/count')),
    }),
  ];
}
