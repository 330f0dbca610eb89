import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { planParameters, planReads, TAGS } from './plan-documentation.js';

export const characteristicsDocumentation = {
  ...planReads('characteristic'),
  delete: {
    tag: TAGS.characteristic,
    summary: 'Delete characteristics with everything below them',
    description: 'Their values and files go with them. One of the parameters is needed; an unknown one is refused.',
    parameters: {
      ...planParameters,
      charPath: { description: 'The characteristic; `charUuids` counts before it', example: '/Pump/Diameter' },
    },
    responses: { 200: answers.done },
    errors: ['NotFound', 'Conflict'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
