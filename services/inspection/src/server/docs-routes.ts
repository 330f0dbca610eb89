import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { ServiceError } from '@sinebar/contracts';
import { answers, basePathOf, defineRoute, matchesEtag, reply, REVALIDATED, type Reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { page, script } from './docs-page.ts';

const TAG = 'Documentation';
const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'favicon-32x32.png'];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

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

interface PageFile {
  bytes: Buffer;
  etag: string;
  type: string;
}

/** Serves the page at `/docs` with the OpenAPI documents of all services, without authentication. */
export function docsRoutes(): Route[] {
  const read = new Map<string, Promise<PageFile>>();
  const fileOf = (name: string, base: string): Promise<PageFile> => {
    const key = `${base}/${name}`;
    const known = read.get(key) ?? load(name, base);
    read.set(key, known);
    // A failed read is not cached.
    known.catch(() => read.delete(key));
    return known;
  };
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
      handle: async ({ headers, context }) => answer(await fileOf('index.html', basePathOf(context)), headers),
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
        if (file !== 'page.js' && !FILES.includes(file))
          throw new ServiceError('NotFound', `There is no /docs/${file}. The page is /docs.`);
        return answer(await fileOf(file, basePathOf(context)), headers);
      },
    }),
  ];
}

async function load(name: string, base: string): Promise<PageFile> {
  const own: Readonly<Record<string, string>> = { 'index.html': page(base), 'page.js': script(base) };
  const bytes = own[name] === undefined ? await readFile(join(FOLDER, name)) : Buffer.from(own[name]);
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
  };
}

function answer({ bytes, etag, type }: PageFile, { 'if-none-match': sent }: IncomingHttpHeaders): Reply {
  const headers = {
    ETag: etag,
    'Cache-Control': REVALIDATED,
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  if (matchesEtag(sent, etag)) return reply.empty(304, headers);
  return reply.stream({ ...headers, 'Content-Type': type }, (sink) => {
    sink.write(bytes);
    return Promise.resolve();
  });
}
