import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '@sinebar/contracts';
import { answers, basePathOf, defineRoute, REVALIDATED, type Reply, type Route } from '@sinebar/http';
import { programFile } from '@sinebar/runtime';
import { z } from 'zod';
import { page, script } from './docs-page.ts';
import { fileReply, StaticFolder, staticFile, type StaticFile } from './static-files.ts';

const TAG = 'Documentation';
const FOLDER = fileURLToPath(programFile(import.meta.url, '../../node_modules/swagger-ui-dist', 'swagger-ui'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'favicon-32x32.png'];

/** Allows scripts and styles of this server only, none inline; styles may contain pictures. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the page at `/docs` with the OpenAPI documents of all services, without authentication. */
export function docsRoutes(): Route[] {
  const files = new StaticFolder(FOLDER, FILES);
  const open = { method: 'GET', permission: 'open', deadline: 'read' } as const;
  return [
    defineRoute({
      ...open,
      path: '/docs',
      documentation: {
        tag: TAG,
        summary: 'A page to read and to try this interface',
        responses: {
          200: { description: 'The page', content: { schema: z.string(), example: '<!doctype html>…', contentType: 'text/html' } },
          304: answers.unchanged,
        },
        errors: [],
      },
      handle: ({ headers, context }) => Promise.resolve(answer(staticFile('index.html', Buffer.from(page(basePathOf(context)))), headers)),
    }),
    defineRoute({
      ...open,
      path: '/docs/:file',
      documentation: {
        tag: TAG,
        summary: 'What the page consists of',
        parameters: { file: { description: 'Name of a script, style or picture', example: 'page.js' } },
        responses: {
          200: { description: 'The file', content: { schema: z.string(), example: 'window.ui = …', contentType: '*/*' } },
          304: answers.unchanged,
        },
        errors: ['NotFound'],
      },
      params: z.object({ file: z.string() }),
      handle: async ({ params: { file }, headers, context }) => {
        const found = file === 'page.js' ? staticFile(file, Buffer.from(script(basePathOf(context)))) : await files.file(file);
        if (!found) throw new ServiceError('NotFound', `There is no /docs/${file}. The page is /docs.`);
        return answer(found, headers);
      },
    }),
  ];
}

function answer(file: StaticFile, headers: IncomingHttpHeaders): Reply {
  return fileReply(file, headers, { 'Cache-Control': REVALIDATED, 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
}
