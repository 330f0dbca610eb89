import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { EVERYONE, type Principal } from '@sinebar/access-control';
import type { Database } from '@sinebar/database';
import { closeHttpServer, createHttpApp, createHttpServer, listen } from '@sinebar/http';
import { createLogger } from '@sinebar/runtime';
import request from 'supertest';
import { startInspection } from '../running-inspection.fixture.ts';
import { catalogsRoutes } from './catalogs/catalogs-routes.ts';
import type { CatalogWithEntries } from './catalogs/catalogs-store.ts';
import { PlanStateReader } from './plan-state.ts';
import { PlanWrites } from '../shared/plan-lock.ts';
import { AttributePurgeJob } from './attribute-purge-job.ts';
import { ConfigurationReader, type AttributeEntity } from './configuration.ts';
import { configurationRoutes } from './configuration-routes.ts';

/** Configuration and catalogs of one replica; its background job runs only when a test starts it. */
export interface ConfigurationReplica {
  server: Server;
  purge: AttributePurgeJob;
}

/** Two replicas on one database, each with a cache of its own. */
export interface ConfigurationReplicas {
  first: ConfigurationReplica;
  second: ConfigurationReplica;
  /** Parts and characteristics on the same database. */
  plan: Server;
  database: Database;
  /** Runs requests as another principal. */
  as: (principal: Principal, run: () => Promise<void>) => Promise<void>;
  sql: <R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<R[]>;
  /** Stores an item of the plan below the root. @returns its uuid */
  storeItem: (kind: 'part' | 'characteristic', attributes: Record<string, string>) => Promise<string>;
  /** Stored attributes of an item, whether or not the interface shows them. */
  storedAttributes: (uuid: string) => Promise<Record<string, string> | undefined>;
  stop: () => Promise<void>;
}

export async function startConfigurationReplicas(): Promise<ConfigurationReplicas> {
  const inspection = await startInspection();
  const { database } = inspection;
  const log = createLogger({ service: 'test', level: 'error' });
  let principal = EVERYONE;

  const startReplica = async (): Promise<ConfigurationReplica> => {
    const configurations = new ConfigurationReader();
    const purge = new AttributePurgeJob(database, log);
    const now = () => new Date();
    const writes = new PlanWrites(database);
    const states = new PlanStateReader({ database, configurations, versioning: 'client', shownUsers: 'all', caseSensitive: false });
    const routes = [
      ...configurationRoutes({ writes, configurations, purge, states, now, versioningType: 'Client' }),
      ...catalogsRoutes({ writes, configurations, states, now }),
    ];
    const server = createHttpServer(createHttpApp({ routes, log, authenticate: () => Promise.resolve(principal) }));
    await listen(server, 0, '127.0.0.1');
    return { server, purge };
  };
  const replicas = [await startReplica(), await startReplica()] as const;

  const sql: ConfigurationReplicas['sql'] = (text, values) =>
    database.write({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 }, (session) => session.query(text, values));
  return {
    first: replicas[0],
    second: replicas[1],
    plan: inspection.server,
    database,
    as: async (other, run) => {
      principal = other;
      try {
        await run();
      } finally {
        principal = EVERYONE;
      }
    },
    sql,
    storeItem: async (kind, attributes) => {
      const uuid = randomUUID();
      await sql(
        `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes, version, plan_version, modified_at,
           characteristics_modified_at)
         SELECT nextval('plan_item_id'), $1::uuid, $2::text, id, id, $1::uuid::text, $1::uuid::text, left($2::text, 1) || $1::uuid::text || '/', upper(left($2::text, 1)) || ':/' || $1::uuid::text || '/', 1,
           $3::jsonb, 0, 0, now(), now()
         FROM plan_item WHERE path = ''`,
        [uuid, kind, JSON.stringify(attributes)],
      );
      return uuid;
    },
    storedAttributes: async (uuid) => {
      const [row] = await sql<{ attributes: Record<string, string> }>('SELECT attributes FROM plan_item WHERE uuid = $1', [uuid]);
      return row?.attributes;
    },
    stop: async () => {
      for (const { server, purge } of replicas) {
        await closeHttpServer(server, 1000);
        await purge.stop();
      }
      await inspection.stop();
    },
  };
}

/** Text attribute of 255 characters. */
export function textAttribute(key: number, description = `attribute ${key}`) {
  return { key, description, type: 'AlphaNumeric', length: 255, definitionType: 'AttributeDefinition' };
}

export function catalogAttribute(key: number, catalog: string, description = `attribute ${key}`) {
  return { key, description, catalog, definitionType: 'CatalogAttributeDefinition' };
}

export function configurationClient(server: () => Server) {
  const url = '/dataServiceRest/configuration';
  return {
    read: async () => (await request(server()).get(url).expect(200)).body as Record<`${AttributeEntity}Attributes`, { key: number }[]>,
    post: (entity: string, definitions: unknown) =>
      request(server())
        .post(`${url}/${entity}`)
        .send(definitions as object),
    put: (entity: string, definitions: unknown) =>
      request(server())
        .put(`${url}/${entity}`)
        .send(definitions as object),
    delete: (rest = '') => request(server()).delete(`${url}${rest}`),
  };
}

export function catalogsClient(server: () => Server) {
  const url = '/dataServiceRest/catalogs';
  return {
    list: async () => (await request(server()).get(url).expect(200)).body as CatalogWithEntries[],
    read: async (uuid: string) => ((await request(server()).get(`${url}/${uuid}`).expect(200)).body as CatalogWithEntries[])[0],
    get: (uuid: string) => request(server()).get(`${url}/${uuid}`),
    post: (body: unknown, rest = '') =>
      request(server())
        .post(`${url}${rest}`)
        .send(body as object),
    put: (body: unknown) =>
      request(server())
        .put(url)
        .send(body as object),
    delete: (rest = '') => request(server()).delete(`${url}${rest}`),
  };
}
