import { createHash } from 'node:crypto';
import { z } from 'zod';
import { matchesEtag } from '../etag.ts';
import { REVALIDATED } from '../shell/send-reply.ts';
import { basePathOf, defineRoute, reply, type Route } from '../route.ts';
import { openApiDocument } from './openapi-document.ts';
import { answers, type AnyRouteDocumentation } from '../route-documentation.ts';

export interface ServiceDocument {
  /** Address below which the service owns everything: `/dataServiceRest`. */
  below: string;
  title: string;
  description: string;
}

const documentation: AnyRouteDocumentation = {
  tag: 'Documentation',
  summary: 'This document',
  headers: {
    'If-None-Match': { description: 'ETags that the client has: 304 when one is still right', example: '"q3dY8Yc3yA1b0u5oW7TnJm4PzRk"' },
  },
  responses: {
    200: {
      ...answers.json('The OpenAPI document of the service', z.object({}).loose(), { openapi: '3.1.0' }),
      headers: { ETag: { description: 'Changes with the release', example: '"q3dY8Yc3yA1b0u5oW7TnJm4PzRk"' } },
    },
    304: answers.unchanged,
  },
  errors: [],
};

/**
 * Makes the route of the OpenAPI document of the given routes and itself. The document is built at the first request for a base path, of
 * which a process has one or two. spec: decisions.md 1.1
 */
export function documentRoute({ below, ...head }: ServiceDocument, version: string, routes: readonly Route[]): Route {
  const documents = new Map<string, { text: Buffer; etag: string }>();
  const document = (basePath: string): { text: Buffer; etag: string } => {
    const known = documents.get(basePath);
    if (known) return known;
    const text = Buffer.from(JSON.stringify(openApiDocument({ ...head, version, basePath }, [...routes, route])));
    const made = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
    documents.set(basePath, made);
    return made;
  };
  const route: Route = defineRoute({
    method: 'GET',
    path: `${below}/openapi.json`,
    permission: 'open',
    deadline: 'read',
    documentation,
    handle: ({ headers, context }) => {
      const { text, etag } = document(basePathOf(context));
      const caching = { ETag: etag, 'Cache-Control': REVALIDATED, Vary: 'Accept-Encoding' };
      return Promise.resolve(matchesEtag(headers['if-none-match'], etag) ? reply.empty(304, caching) : reply.text(text, caching));
    },
  });
  return route;
}
