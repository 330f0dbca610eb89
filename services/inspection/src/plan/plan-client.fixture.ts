import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '@sinebar/contracts';
import type { PlanItemKind } from '@sinebar/query-language';
import request from 'supertest';
import type { RunningInspection } from '../running-inspection.fixture.ts';
import type { AttributeDefinition } from '../configuration/configuration.ts';

export interface ReadItem {
  uuid: string;
  path: string;
  attributes: Record<string, string>;
  comment?: string;
  version: number;
  timestamp: string;
  charChangeDate?: string;
  history?: Omit<ReadItem, 'history'>[];
}

const RESOURCE: Readonly<Record<PlanItemKind, string>> = { part: 'parts', characteristic: 'characteristics' };
const STATEMENT_TIMEOUT_MS = 30_000;

/** Sends requests about the inspection plan over HTTP; query texts stay unchanged. */
export class PlanClient {
  private readonly inspection: () => RunningInspection;

  constructor(inspection: () => RunningInspection) {
    this.inspection = inspection;
  }

  private get server() {
    return this.inspection().server;
  }

  get(pathAndQuery: string) {
    return request(this.server).get(`/dataServiceRest/${pathAndQuery}`);
  }

  post(kind: PlanItemKind, items: unknown, query = '') {
    return request(this.server)
      .post(`/dataServiceRest/${RESOURCE[kind]}${query}`)
      .send(items as object);
  }

  put(kind: PlanItemKind, items: unknown, query = '') {
    return request(this.server)
      .put(`/dataServiceRest/${RESOURCE[kind]}${query}`)
      .send(items as object);
  }

  delete(pathAndQuery: string) {
    return request(this.server).delete(`/dataServiceRest/${pathAndQuery}`);
  }

  /** Creates items at paths with marker, of the kind of the marker. @returns their uuids in the same order */
  async create(...paths: string[]): Promise<string[]> {
    const items = paths.map((path) => ({ uuid: randomUUID(), path }));
    const isCharacteristic = ({ path }: { path: string }) => /C:/.test(path.slice(0, path.indexOf('/')));
    const parts = items.filter((item) => !isCharacteristic(item));
    if (parts.length > 0) await this.post('part', parts).expect(201);
    if (parts.length < items.length) await this.post('characteristic', items.filter(isCharacteristic)).expect(201);
    return items.map(({ uuid }) => uuid);
  }

  /** Returns the events that a request announces. */
  async eventsOf(run: () => PromiseLike<unknown>) {
    const before = (await this.inspection().announced()).length;
    await run();
    return (await this.inspection().announced()).slice(before);
  }

  async list(kind: PlanItemKind, query = ''): Promise<ReadItem[]> {
    return (await this.get(`${RESOURCE[kind]}?${query}`).expect(200)).body as ReadItem[];
  }

  async one(kind: PlanItemKind, uuid: string, query = ''): Promise<ReadItem> {
    return (await this.get(`${RESOURCE[kind]}/${uuid}?${query}`).expect(200)).body as ReadItem;
  }

  async planItems(query = ''): Promise<ReadItem[]> {
    return (await this.get(`inspectionPlanItems?${query}`).expect(200)).body as ReadItem[];
  }

  async count(resource: string, query = ''): Promise<number> {
    return ((await this.get(`${resource}/count?${query}`).expect(200)).body as { count: number }).count;
  }

  /** Lists the paths of a part and everything below it, or of the whole plan. */
  async tree(path = '/'): Promise<string[]> {
    return (await this.planItems(`paths=${encodeURIComponent(path)}`)).map((item) => item.path);
  }

  async refused(answer: PromiseLike<{ status: number; body: unknown }>): Promise<[number, string]> {
    const { status, body } = await answer;
    return [status, (body as Partial<ErrorBody>).message ?? ''];
  }
}

export function sql<R extends object>({ database }: RunningInspection, text: string, values: unknown[] = []): Promise<R[]> {
  return database.write({ signal: AbortSignal.timeout(STATEMENT_TIMEOUT_MS), statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
    session.query<R>(text, values),
  );
}

/** A definition for tests: a text of up to `length` characters, or another type; `catalog` has entries with the given keys. */
export type DefinedForTests = Pick<AttributeDefinition, 'key' | 'entity' | 'type'> & { length?: number; entries?: readonly number[] };

/** Inserts definitions into the database directly. */
export async function define(inspection: RunningInspection, ...definitions: DefinedForTests[]): Promise<void> {
  for (const { key, entity, type, length, entries } of definitions) {
    const catalog = type === 'Catalog' ? randomUUID() : null;
    if (catalog !== null) {
      await sql(inspection, `INSERT INTO catalog (uuid, name, valid_attributes) VALUES ($1, 'colours', '{}')`, [catalog]);
      await sql(
        inspection,
        `INSERT INTO catalog_entry (catalog, key, attributes) SELECT $1, key, '{}' FROM unnest($2::smallint[]) AS key`,
        [catalog, entries ?? []],
      );
    }
    await sql(
      inspection,
      `INSERT INTO attribute_definition (key, entity, description, type, length, catalog) VALUES ($1, $2, 'of a test', $3, $4, $5)`,
      [key, entity, type, type === 'AlphaNumeric' ? (length ?? 255) : null, catalog],
    );
  }
  await sql(inspection, 'UPDATE server_state SET configuration_version = configuration_version + 1, catalog_version = catalog_version + 1');
}
