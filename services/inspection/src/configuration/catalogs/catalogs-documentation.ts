import { catalogSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../../shared/documentation.js';

const tag = 'Catalogs';
const errors = ['NotFound', 'AlreadyExists', 'InUse', 'Conflict'] as const;
const catalog = {
  uuid: '8c376bee-ffe3-4ee4-abb9-a55b492e69ad',
  name: 'Machines',
  validAttributes: [2009],
  catalogEntries: [{ key: 1, attributes: { '2009': 'Lathe 7' } }],
};
const parameters = {
  uuid: { description: 'Uuid of the catalog', example: catalog.uuid },
  keys: { description: 'Keys of entries, as a list', example: '{1}' },
};

export const catalogsDocumentation = {
  list: {
    tag,
    summary: 'Read all catalogs',
    headers: CACHE_CONDITION,
    responses: cachedAnswers('The catalogs with their entries', z.array(catalogSchema), [catalog]),
    errors: [],
  },
  get: {
    tag,
    summary: 'Read one catalog',
    parameters,
    headers: CACHE_CONDITION,
    responses: cachedAnswers('A list with the one catalog and its entries', z.array(catalogSchema), [catalog]),
    errors: ['NotFound'],
  },
  create: {
    tag,
    summary: 'Create catalogs',
    description: 'All or none. The key -1 stands for the next free one; a catalog without entries gets one with key 0.',
    body: { description: 'The new catalogs', example: [catalog] },
    responses: { 201: answers.created },
    errors,
  },
  addEntries: {
    tag,
    summary: 'Add entries to a catalog',
    parameters,
    body: {
      description: 'The new entries; the key -1 stands for the next free one',
      example: [{ key: -1, attributes: { '2009': 'Lathe 8' } }],
    },
    responses: { 201: answers.created },
    errors,
  },
  update: {
    tag,
    summary: 'Replace catalogs',
    description: 'All or none. Entries that are not sent are gone; valid attributes that are left out stay.',
    body: { description: 'The catalogs, found by their uuids', example: [catalog] },
    responses: { 200: answers.done },
    errors,
  },
  deleteAll: { tag, summary: 'Delete all catalogs', responses: { 200: answers.done }, errors },
  delete: {
    tag,
    summary: 'Delete catalogs',
    description: 'With a slash at the end of the address the entries are deleted, not the catalogs.',
    parameters: {
      uuid: {
        description: 'Uuid of the catalog, or a list of them in braces, of which those that do not exist are ignored',
        example: `{${catalog.uuid}}`,
      },
    },
    responses: { 200: answers.done },
    errors,
  },
  deleteEntries: { tag, summary: 'Delete entries of a catalog', parameters, responses: { 200: answers.done }, errors },
} satisfies Record<string, AnyRouteDocumentation>;
