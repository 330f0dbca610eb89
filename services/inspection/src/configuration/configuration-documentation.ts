import { configurationSchema, type AnyAttributeDefinition } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { CACHE_CONDITION, cachedAnswers } from '../shared/documentation.js';

const tag = 'Configuration';
const errors = ['NotFound', 'Conflict', 'InUse', 'AlreadyExists'] as const;
const definition: AnyAttributeDefinition = {
  key: 1001,
  description: 'Part number',
  definitionType: 'AttributeDefinition',
  type: 'AlphaNumeric',
  length: 30,
};
const parameters = {
  entityType: { description: 'part, characteristic, measurement, value or catalog, also in the plural', example: 'part' },
  keys: { description: 'Keys of the attributes, as a list', example: '{1001}' },
};

export const configurationDocumentation = {
  get: {
    tag,
    summary: 'Read all attribute definitions',
    headers: CACHE_CONDITION,
    responses: cachedAnswers('The definitions by entity type', configurationSchema, {
      partAttributes: [definition],
      characteristicAttributes: [],
      measurementAttributes: [{ key: 4, description: 'Time', definitionType: 'AttributeDefinition', type: 'DateTime' }],
      valueAttributes: [{ key: 1, description: 'Measured value', definitionType: 'AttributeDefinition', type: 'Float' }],
      catalogAttributes: [],
      versioningType: 'Off',
    }),
    errors: [],
  },
  create: {
    tag,
    summary: 'Create attribute definitions',
    description: 'All or none.',
    parameters,
    body: { description: 'The new definitions', example: [definition] },
    responses: { 201: answers.created },
    errors,
  },
  update: {
    tag,
    summary: 'Change attribute definitions',
    description: 'All or none.',
    parameters,
    body: { description: 'The definitions, found by their keys', example: [definition] },
    responses: { 200: answers.done },
    errors,
  },
  deleteAll: { tag, summary: 'Delete all attribute definitions', responses: { 200: answers.done }, errors },
  deleteOfEntity: {
    tag,
    summary: 'Delete the attribute definitions of one entity type',
    parameters,
    responses: { 200: answers.done },
    errors,
  },
  delete: { tag, summary: 'Delete attribute definitions', parameters, responses: { 200: answers.done }, errors },
} satisfies Record<string, AnyRouteDocumentation>;
