import type { AnyRouteDocumentation } from '@sinebar/http';

export const attributeUsageDocumentation = {
  tag: 'Configuration',
  summary: 'Whether an attribute value is in use',
  parameters: {
    key: { description: 'Key of the attribute', example: '1001' },
    value: { description: 'The value; it may hold slashes and may stand in quotation marks', example: 'P-4711' },
  },
  responses: { 204: { description: 'It is in use, as far as the caller may see; 404 when it is not' } },
  errors: ['NotFound'],
} satisfies AnyRouteDocumentation;
