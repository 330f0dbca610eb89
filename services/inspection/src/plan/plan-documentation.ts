import { characteristicSchema, partSchema } from '@sinebar/contracts';
import type { PlanItemKind } from '@sinebar/query-language';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers, CHARACTERISTIC_UUID, countSchema, PART_UUID } from '../shared/documentation.js';

/** Groups of the routes in the OpenAPI document. */
export const TAGS = { part: 'Parts', characteristic: 'Characteristics' } as const;

const shared = { attributes: { '1001': 'P-4711' }, version: 12, timestamp: '2026-01-05T08:30:00.000Z' };
const partExample = { uuid: PART_UUID, path: 'P:/Pump/', ...shared, charChangeDate: '2026-01-05T08:30:00.000Z' };
const characteristicExample = { uuid: CHARACTERISTIC_UUID, path: 'PC:/Pump/Diameter/', ...shared, attributes: { '2101': '20.0' } };
export const ITEM_EXAMPLES = { part: partExample, characteristic: characteristicExample };
const SCHEMAS = { part: partSchema, characteristic: characteristicSchema };

/** What readers of the plan may choose. */
export const planParameters = {
  uuid: { description: 'Uuid, in any case, with or without braces', example: PART_UUID },
  partUuids: { description: 'Only these parts', example: `{${PART_UUID}}` },
  charUuids: { description: 'Only these characteristics; counts before `partPath`', example: `{${CHARACTERISTIC_UUID}}` },
  partPath: { description: 'This part and what is below it, as far as `depth` says', example: '/Pump' },
  depth: { description: 'Levels below, 0 to 65535: 0 is the item itself', example: '1' },
  searchCondition: {
    description: 'Only items whose attributes fulfil this: `[key operator value]`, joined by `+`',
    example: '1001 In [P-4711]',
  },
  withHistory: { description: 'With earlier states, where the server keeps them; by default false', example: 'false' },
  requestedPartAttributes: {
    description: 'Attributes of parts in the answer: All, None or a list of keys; by default all',
    example: '{1001}',
  },
  requestedCharacteristicAttributes: {
    description: 'Attributes of characteristics in the answer: All, None or a list of keys; by default all',
    example: '{2101}',
  },
  versioningEnabled: {
    description: 'Whether the earlier state is kept, where the server leaves that to clients; by default false',
    example: 'false',
  },
};

/** Documentation of the reads of one kind of item. */
export function planReads(kind: PlanItemKind) {
  const words = `${kind}s`;
  const cached = { tag: TAGS[kind], headers: CACHE_CONDITION, parameters: planParameters };
  return {
    list: {
      ...cached,
      summary: `Read ${words}`,
      description: `Without a selection, those at the root, as deep as \`depth\` says by default: ${kind === 'part' ? 1 : 65_535} levels.`,
      responses: cachedAnswers(`The ${words}, parents before children`, z.array(SCHEMAS[kind]), [ITEM_EXAMPLES[kind]]),
      errors: ['NotFound'],
    },
    count: {
      ...cached,
      summary: `Count ${words}`,
      responses: cachedAnswers('How many', countSchema, { count: 1 }),
      errors: ['NotFound'],
    },
    get: {
      ...cached,
      summary: `Read one ${kind}`,
      responses: cachedAnswers(`The ${kind}`, SCHEMAS[kind], ITEM_EXAMPLES[kind]),
      errors: ['NotFound'],
    },
  } satisfies Record<string, AnyRouteDocumentation>;
}

/** Documentation of the changes of one kind of item. */
export function planChanges(kind: PlanItemKind) {
  const changed = { tag: TAGS[kind], parameters: planParameters };
  const { uuid, path } = ITEM_EXAMPLES[kind];
  return {
    create: {
      ...changed,
      summary: `Create ${kind}s`,
      description: 'All or none. The parents have to exist or to be in the same body.',
      body: { description: `The new ${kind}s`, example: [{ uuid, path, attributes: {}, comment: 'from the drawing' }] },
      responses: { 201: answers.created },
      errors: ['AlreadyExists', 'NotFound', 'Conflict'],
    },
    update: {
      ...changed,
      summary: `Change, rename or move ${kind}s`,
      description: 'All or none. What is left out stays as it is; attributes that are sent replace all of them.',
      body: { description: `The ${kind}s, found by their uuids`, example: [{ uuid, path, attributes: {} }] },
      responses: { 200: answers.done },
      errors: ['NotFound', 'AlreadyExists', 'Conflict'],
    },
    deleteOne: {
      ...changed,
      summary: `Delete one ${kind} with everything below it`,
      responses: { 200: answers.done },
      errors: ['NotFound', 'InUse', 'Conflict'],
    },
  } satisfies Record<string, AnyRouteDocumentation>;
}
