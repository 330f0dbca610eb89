import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';

const tag = 'Documentation';
const text = z.string();

export const docsDocumentation = {
  page: {
    tag,
    summary: 'A page to read and to try this interface',
    responses: {
      200: { description: 'The page', content: { schema: text, example: '<!doctype html>…', contentType: 'text/html' } },
      304: answers.unchanged,
    },
    errors: [],
  },
  file: {
    tag,
    summary: 'What the page consists of',
    parameters: { file: { description: 'Name of a script, style or picture', example: 'page.js' } },
    responses: {
      200: { description: 'The file', content: { schema: text, example: 'window.ui = …', contentType: '*/*' } },
      304: answers.unchanged,
    },
    errors: ['NotFound'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
