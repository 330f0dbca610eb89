import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { bytesSchema, expectedMd5, fileHeaders } from '../objects/object-documentation.js';
import { CACHE_CONDITIONS, FILES, targetParameters } from '../targets/target-documentation.js';

export const thumbnailDocumentation = {
  tag: FILES,
  summary: 'A small picture of a file',
  description: '404 for files that there is none of: only pictures that can be read have one.',
  parameters: { ...targetParameters, ...expectedMd5 },
  headers: CACHE_CONDITIONS,
  responses: {
    200: {
      description: 'A picture, JPEG or PNG',
      headers: fileHeaders,
      content: { schema: bytesSchema, example: 'bytes of a picture', contentType: 'image/*' },
    },
    304: answers.unchanged,
  },
  errors: ['NotFound'],
} satisfies AnyRouteDocumentation;
