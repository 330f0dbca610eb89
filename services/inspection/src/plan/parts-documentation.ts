import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { planParameters, planReads, TAGS } from './plan-documentation.js';

const errors = ['NotFound', 'InUse', 'Conflict'] as const;

export const partsDocumentation = {
  ...planReads('part'),
  delete: {
    tag: TAGS.part,
    summary: 'Delete parts with everything below them',
    description: 'Characteristics, measurements and files go with them. One of the parameters is needed; an unknown one is refused.',
    parameters: {
      ...planParameters,
      partPath: { description: 'The part; `partUuids` counts before it. The root part `/` is emptied and stays', example: '/Pump' },
    },
    responses: { 200: answers.done },
    errors,
  },
  clear: {
    tag: TAGS.part,
    summary: 'Empty a part',
    description: 'It stays, with its own files; what is below it, and its measurements, are deleted.',
    parameters: { ...planParameters, keep: { description: '`subParts` keeps the parts below', example: 'subParts' } },
    responses: { 200: answers.done },
    errors,
  },
} satisfies Record<string, AnyRouteDocumentation>;
