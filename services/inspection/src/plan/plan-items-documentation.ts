import { characteristicSchema, partSchema } from '@sinebar/contracts';
import type { AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, countSchema, PART_UUID } from '../shared/documentation.js';
import { ITEM_EXAMPLES, planParameters } from './plan-documentation.js';

const cached = {
  tag: 'Inspection plan',
  headers: CACHE_CONDITION,
  parameters: {
    ...planParameters,
    paths: { description: 'These items and what is below them; not together with `parentUuids`', example: '{/Pump}' },
    parentUuids: { description: 'What is below these items, without themselves', example: `{${PART_UUID}}` },
    itemUuids: { description: 'Only these items', example: `{${PART_UUID}}` },
    restrictToEntity: {
      description: 'None (the default), Part, Characteristic (with the parts that have some) or CharacteristicWithoutIntermediateParts',
      example: 'Part',
    },
  },
} as const;

export const planItemsDocumentation = {
  list: {
    ...cached,
    summary: 'Read parts and characteristics in one list',
    responses: cachedAnswers('The items, parents before children', z.array(z.union([partSchema, characteristicSchema])), [
      ITEM_EXAMPLES.part,
      ITEM_EXAMPLES.characteristic,
    ]),
    errors: ['NotFound'],
  },
  count: {
    ...cached,
    summary: 'Count parts and characteristics',
    responses: cachedAnswers('How many', countSchema, { count: 2 }),
    errors: ['NotFound'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
