import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '@sinebar/contracts';
import { answers, defineRoute, reply, REVALIDATED, type Reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import type { ConsoleSite } from './console-site.ts';
import { fileReply } from './static-files.ts';

export interface ConsoleDependencies {
  /** The built page; `undefined` when it is not built. */
  site: ConsoleSite | undefined;
  /** Origins besides the server's own that the page asks to sign in: those of the OpenID Connect provider. */
  signInOrigins: () => Promise<readonly string[]>;
}

const TAG = 'Console';
/** Views are at most this many levels below `/console/`; the page grows with each level. */
const MAX_VIEW_LEVELS = 10;
const YEAR_S = 31_536_000;
const IMMUTABLE = `public, max-age=${YEAR_S}, immutable`;
/** A drawing that somebody opens by itself runs no script and loads nothing. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const NOT_BUILT = 'The console is not built. The command "npm start" builds it.';
const PAGE = { description: 'The page', content: { schema: z.string(), example: '<!doctype html>…', contentType: 'text/html' } };

/** Serves the console at `/console`, without authentication: the page signs in by itself. */
export function consoleRoutes({ site, signInOrigins }: ConsoleDependencies): Route[] {
  const open = { method: 'GET', permission: 'open', deadline: 'read', contentCoding: 'identity' } as const;
  const page = async (depth: number, headers: IncomingHttpHeaders): Promise<Reply> => {
    if (site === undefined) throw new ServiceError('NotFound', NOT_BUILT);
    return fileReply(site.pageAt(depth), headers, {
      'Cache-Control': REVALIDATED,
      'Content-Security-Policy': policyOf(await signInOrigins()),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    });
  };
  return [
    defineRoute({
      ...open,
      path: '/',
      documentation: {
        tag: TAG,
        summary: 'Lead browsers to the console',
        responses: { 302: { description: 'The console, for a client that wants a page' } },
        errors: ['NotFound'],
      },
      handle: ({ headers }) => {
        if (!wantsPage(headers)) throw new ServiceError('NotFound', 'There is nothing at /. The page /docs describes the interface.');
        return Promise.resolve(reply.empty(302, { Location: 'console/', Vary: 'Accept' }));
      },
    }),
    defineRoute({
      ...open,
      path: '/console',
      documentation: {
        tag: TAG,
        summary: 'The page on which people look at quality',
        responses: { 200: PAGE, 302: { description: 'The same address with a slash at its end' }, 304: answers.unchanged },
        errors: ['NotFound'],
      },
      handle: ({ path, headers }) => {
        // Relative addresses of the page need the slash.
        if (!path.endsWith('/')) return Promise.resolve(reply.empty(302, { Location: `${path.slice(1)}/` }));
        return page(0, headers);
      },
    }),
    defineRoute({
      ...open,
      path: '/console/assets/:file',
      documentation: {
        tag: TAG,
        summary: 'What the page consists of',
        parameters: { file: { description: 'Name with the hash of the content', example: 'index-Dx3k2Lq9.js' } },
        responses: {
          200: { description: 'The file', content: { schema: z.string(), example: 'import{…}', contentType: '*/*' } },
          304: answers.unchanged,
        },
        errors: ['NotFound'],
      },
      params: z.object({ file: z.string() }),
      handle: async ({ params: { file }, headers }) => {
        const found = await site?.assets.file(file);
        if (!found) throw new ServiceError('NotFound', `There is no file ${file} in this version of the console.`);
        return fileReply(found, headers, { 'Cache-Control': IMMUTABLE });
      },
    }),
    defineRoute({
      ...open,
      path: '/console/logo',
      documentation: {
        tag: TAG,
        summary: 'The logo that the page shows, of the setting SINEBAR_LOGO',
        responses: {
          200: { description: 'A PNG or SVG file', content: { schema: z.string(), example: '<svg …', contentType: 'image/*' } },
          304: answers.unchanged,
        },
        errors: ['NotFound'],
      },
      handle: ({ headers }) => {
        if (!site?.logo) throw new ServiceError('NotFound', 'This server has no logo. The setting SINEBAR_LOGO names its file.');
        return Promise.resolve(fileReply(site.logo, headers, { 'Cache-Control': REVALIDATED, 'Content-Security-Policy': LOGO_POLICY }));
      },
    }),
    defineRoute({
      ...open,
      path: '/console/*view',
      documentation: {
        tag: TAG,
        summary: 'A view of the page',
        parameters: {
          view: { description: 'Address of the view, which the page reads', example: 'parts/0f3e8f6e-8c55-4f8e-9d1e-2a7b3c4d5e6f' },
        },
        responses: { 200: PAGE, 304: answers.unchanged },
        errors: ['NotFound'],
      },
      params: z.object({ view: z.array(z.string()) }),
      handle: ({ path, headers }) => {
        if (!wantsPage(headers))
          throw new ServiceError('NotFound', 'This address is a view of the console, which only answers clients that accept text/html.');
        const depth = path.split('/').length - 3;
        if (depth + (path.endsWith('/') ? 0 : 1) > MAX_VIEW_LEVELS)
          throw new ServiceError('NotFound', `Views of the console are at most ${MAX_VIEW_LEVELS} levels below /console/.`);
        return page(depth, headers);
      },
    }),
  ];
}

/** Whether a client asks for a page by name: programs send no `Accept`, or everything. */
function wantsPage({ accept = '' }: IncomingHttpHeaders): boolean {
  return /\btext\/html\b/i.test(accept);
}

/** Allows scripts and styles of this server only, none inline; pictures of files, and textures inside of models, come as blobs. */
function policyOf(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ["connect-src 'self' blob:", ...origins].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
