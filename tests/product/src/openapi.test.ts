import { beforeAll, describe, expect, it } from '@jest/globals';
import { templateOf, type Operation } from '@sinebar/http';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { documentedServices, type DocumentedService } from './service-documents.fixture.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}
interface Described {
  content?: Record<string, Media>;
}
interface Parameter {
  name: string;
  example?: unknown;
  schema: object;
  'x-multi-segment'?: boolean;
}

/** Time limit for some hundred schemas on a loaded machine. */
const LIMIT_MS = 120_000;

describe('the OpenAPI document', () => {
  let services: DocumentedService[];
  beforeAll(async () => {
    services = await documentedServices();
  });
  const each = (check: (service: DocumentedService) => void) => services.forEach(check);
  const operationsOf = ({ document }: DocumentedService) =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );

  it('of each service has exactly its routes [D1.1]', () => {
    expect(services.map(({ name }) => name)).toEqual(['inspection', 'raw-data', 'events']);
    each((service) => {
      const routes = service.routes.map(({ method, path }) => `${method} ${templateOf(path)}`);
      expect(
        operationsOf(service)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(routes.sort());
    });
  });

  it('has only errors with the statuses 400 to 504, and no redirect of a program [D10.7]', () => {
    const others = services.flatMap((service) =>
      operationsOf(service).flatMap(({ name, operation }) =>
        Object.keys(operation.responses)
          .filter((status) => !/^(20\d|304)$/.test(status) && !(Number(status) >= 400 && Number(status) <= 504))
          .map((status) => `${name} ${status}`),
      ),
    );
    // These two lead browsers to the console.
    expect(others).toEqual(['GET / 302', 'GET /console 302']);
  });

  it('marks the parameters that may hold slashes [D1.1]', () => {
    const marked = services.flatMap((service) =>
      operationsOf(service).flatMap(({ name, operation }) =>
        ((operation['parameters'] ?? []) as Parameter[]).filter((one) => one['x-multi-segment']).map((one) => `${name}: ${one.name}`),
      ),
    );
    expect(marked.sort()).toEqual([
      'GET /console/{view}: view',
      'GET /dataServiceRest/attributes/{key}/{value}: value',
      'GET /rawDataServiceRest/rawData/{entity}/{uuid}/{key}/ArchiveContent/{filename}: filename',
    ]);
  });

  it(
    'passes the linter',
    async () => {
      const config = await createConfig({ extends: ['recommended'] });
      for (const { name, document } of services) {
        const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: `${name}.json`, config });
        const lines = problems.map(
          ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
        );
        expect(lines.filter((problem) => problem.startsWith('error'))).toEqual([]);
      }
    },
    LIMIT_MS,
  );

  it(
    'has a valid example for every parameter, body and answer',
    () => {
      each((service) => {
        const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
        ajv.addSchema(service.document, 'document');
        const check = (where: string, { schema, example, examples }: Media) => {
          const validate = ajv.compile(inDocument(schema));
          const all = examples
            ? Object.values(examples).map(({ $ref }) => service.document.components.examples[$ref.split('/').pop() ?? '']?.value)
            : [example];
          expect(all.length).toBeGreaterThan(0);
          for (const one of all)
            expect({ where, problems: validate(one) ? [] : ajv.errorsText(validate.errors) }).toEqual({ where, problems: [] });
        };
        for (const { name, operation } of operationsOf(service)) {
          for (const parameter of (operation['parameters'] ?? []) as Parameter[]) {
            expect(parameter.example).toBeDefined();
            check(`${name} ${parameter.name}`, parameter);
          }
          const bodies = [operation['requestBody'], ...Object.values(operation.responses)].filter(
            (part) => part !== undefined,
          ) as Described[];
          for (const { content = {} } of bodies) for (const media of Object.values(content)) check(name, media);
        }
      });
    },
    LIMIT_MS,
  );

  it('has examples of bodies and parameters that the routes accept', () => {
    each(({ routes }) => {
      for (const { method, path, body, query, documentation } of routes) {
        const schema = typeof body === 'object' ? body : documentation.body?.schema;
        const name = `${method} ${path}`;
        if (schema) expect({ name, error: schema.safeParse(documentation.body?.example).error }).toEqual({ name, error: undefined });
        if (!query) continue;
        const sent = Object.fromEntries(Object.keys(query.shape).map((key) => [key, documentation.parameters?.[key]?.example]));
        expect({ name, error: query.safeParse(sent).error }).toEqual({ name, error: undefined });
      }
    });
  });

  it('has 4xx and 5xx errors for every route, with the common error body', () => {
    each((service) => {
      for (const { name, operation } of operationsOf(service)) {
        expect({ name, statuses: Object.keys(operation.responses) }).toEqual({
          name,
          statuses: expect.arrayContaining(['400', '500', '503']),
        });
        expect({ name, security: securityOf(operation) }).toEqual({ name, security: '401' in operation.responses });
      }
    });
  });
});

const securityOf = (operation: Operation) => (operation['security'] as unknown[]).length > 0;

/** Rewrites references for use outside of the document. */
function inDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
}
