import { ERROR_STATUS, errorBodySchema, type ErrorCode } from '@sinebar/contracts';
import { z } from 'zod';
import type { Route } from '../route.ts';
import { byStatus, errorExample, errorsOf } from './error-responses.ts';
import { jsonSchemaOf, type JsonSchema, type SchemaComponents } from './json-schema.ts';
import type { BodyDocumentation, HeaderDocumentation, ResponseDocumentation } from '../route-documentation.ts';

export interface DocumentHead {
  title: string;
  description: string;
  version: string;
  /** Path below which clients see the server, without a trailing slash; empty at the root. */
  basePath?: string;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  servers: { url: string; description: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: SchemaComponents;
    examples: Record<string, { value: unknown }>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

export interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
  [member: string]: unknown;
}

const JSON_TYPE = 'application/json';
const GENERAL = `Names in addresses, parameters and words match in any case. Every GET may be asked as HEAD.
A GET ignores unknown parameters, unless its description says otherwise, but offset, skip, page, and known names in brackets or behind amp; are 400.
An address that does not exist answers 404, one whose percent-encoding is broken 400, a method that it does not know 405,
a deletion with an empty segment, a # or a \\ in its address 400,
an address or headers of more than 64 KiB 414 or 431, a host that is not this server 421,
and a request with which a page of another origin would change something 403: each with the error body that every failure has.`;

/** Builds the OpenAPI 3.1 document of some routes. @throws Error naming the route whose documentation does not fit what it takes */
export function openApiDocument({ title, description, version, basePath = '' }: DocumentHead, routes: readonly Route[]): OpenApiDocument {
  const schemas: SchemaComponents = {};
  const used = new Set<ErrorCode>();
  const paths: OpenApiDocument['paths'] = {};
  jsonSchemaOf(errorBodySchema, 'output', schemas);
  for (const route of routes) {
    for (const code of errorsOf(route)) used.add(code);
    const path = templateOf(route.path);
    const operations = (paths[path] ??= {});
    const method = route.method.toLowerCase();
    if (operations[method]) throw new Error(`${route.method} ${path} is documented twice`);
    operations[method] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: `${description}\n\n${GENERAL}`, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: basePath || '/', description: 'The server that gave this document' }],
    tags: [...new Set(routes.map(({ documentation }) => documentation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      examples: Object.fromEntries([...used].map((code) => [code, { value: errorExample(code) }])),
      headers: {
        RequestId: headerOf({ description: 'Name of the request in the logs', example: '6d0b9f4e-4f2b-4d2a-9d3f-0c7f9c1b2a33' }),
        RetryAfter: headerOf({ description: 'Seconds after which another attempt makes sense', example: '2' }),
      },
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'User name and password, where the server has users' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token of the OpenID Connect provider of the server',
        },
      },
    },
  };
}

/** Converts `/rawData/:uuid/*name` to the syntax of OpenAPI. */
export function templateOf(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

function operationOf(route: Route, schemas: SchemaComponents): Operation {
  const { tag, summary, responses } = route.documentation;
  const description = [route.documentation.description ?? [], refusedBy(route)].flat().join(' ');
  const parameters = [...addressParameters(route, schemas), ...queryParameters(route, schemas), ...headerParameters(route)];
  const body = bodyOf(route, schemas);
  return {
    operationId: operationId(route),
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    // The empty alternative covers access mode `none`.
    security: route.permission === 'open' ? [] : [{}, { basic: [] }, { bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, responseOf(response, schemas)])),
      ...errorResponses(route),
    },
  };
}

/** Says what a route refuses beside what its schemas do. */
function refusedBy({ method, deletes, knowsAllParameters }: Route): string[] {
  if (knowsAllParameters) return ['An unknown parameter is refused.'];
  if (deletes === undefined || deletes === 'item') return [];
  const slash = method === 'DELETE' ? ' So is a slash at the end of the address, unless a parameter selects.' : '';
  return [`An unknown parameter and a body are refused.${slash}`];
}

/** Makes an operation id from method and address: `getDataPartsByUuid`. */
function operationId({ method, path }: Route): string {
  const words = path.split('/').map((segment) => {
    const word = segment.replace(/ServiceRest$/, '').replace(/[^\w]/g, '');
    return `${/^[:*]/.test(segment) ? 'By' : ''}${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  });
  return method.toLowerCase() + words.join('');
}

function addressParameters(route: Route, schemas: SchemaComponents): unknown[] {
  const shape = route.params instanceof z.ZodObject ? (route.params.shape as z.ZodRawShape) : {};
  return [...route.path.matchAll(/([:*])(\w+)/g)].map(([, mark, name = '']) => {
    const schema = shape[name] as z.ZodType | undefined;
    const isWildcard = mark === '*';
    // The schema of a wildcard is that of a list, but clients write a text.
    const text = isWildcard || !schema ? { type: 'string' } : jsonSchemaOf(schema, 'input', schemas);
    // OpenAPI has no member for parameters that may hold slashes.
    return { name, in: 'path', required: true, ...parameterOf(route, name), schema: text, ...(isWildcard && { 'x-multi-segment': true }) };
  });
}

function queryParameters(route: Route, schemas: SchemaComponents): unknown[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(route.query, 'input', schemas) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(route.keepEmpty?.includes(name) && { allowEmptyValue: true }),
    ...parameterOf(route, name),
    schema,
  }));
}

function headerParameters({ documentation }: Route): unknown[] {
  return Object.entries(documentation.headers ?? {}).map(([name, { required, ...header }]) => ({
    name,
    in: 'header',
    ...(required && { required }),
    ...headerOf(header),
  }));
}

function headerOf(header: HeaderDocumentation): object {
  return { ...header, schema: { type: 'string' } };
}

function parameterOf(route: Route, name: string): { description: string; example: string } {
  const documented = route.documentation.parameters?.[name];
  if (!documented) throw undocumented(route, `the parameter ${name}`);
  return documented;
}

function bodyOf(route: Route, schemas: SchemaComponents): object | undefined {
  if (route.body === undefined) return undefined;
  const { body } = route.documentation;
  if (!body) throw undocumented(route, 'the body');
  const schema = typeof route.body === 'object' ? route.body : body.schema;
  if (!schema) throw undocumented(route, 'the schema of the body');
  const { description, example, contentType = JSON_TYPE }: BodyDocumentation = body;
  return { description, required: true, content: { [contentType]: { schema: jsonSchemaOf(schema, 'input', schemas), example } } };
}

function responseOf({ description, headers = {}, content }: ResponseDocumentation, schemas: SchemaComponents): unknown {
  const named: Record<string, object> = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, headerOf(header)]));
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...named },
    ...(content && {
      content: {
        [content.contentType ?? JSON_TYPE]: { schema: jsonSchemaOf(content.schema, 'output', schemas), example: content.example },
      },
    }),
  };
}

function errorResponses(route: Route): Record<string, unknown> {
  const taken = new Set(Object.keys(route.documentation.responses).map(Number));
  const statuses = [...byStatus(errorsOf(route))].filter(([status]) => !taken.has(status));
  return Object.fromEntries(
    statuses.map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...([ERROR_STATUS.TooManyRequests, ERROR_STATUS.Unavailable].includes(status as 429 | 503) && {
            'Retry-After': { $ref: '#/components/headers/RetryAfter' },
          }),
        },
        content: {
          [JSON_TYPE]: {
            schema: { $ref: '#/components/schemas/ErrorBody' },
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  );
}

function undocumented({ method, path }: Route, what: string): Error {
  return new Error(`${method} ${path} does not document ${what}`);
}
