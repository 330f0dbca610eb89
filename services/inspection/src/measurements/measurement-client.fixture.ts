import { randomUUID } from 'node:crypto';
import request from 'supertest';
import type { RunningInspection } from '../running-inspection.fixture.ts';
import { sql } from '../plan/plan-client.fixture.ts';
import { decodeExactText } from './codec/exact-text.ts';

/** A measurement as stored in the database, with values as texts by characteristic and key. */
export interface StoredTexts {
  partUuid: string;
  attributes: Record<string, string>;
  measuredAt: string | null;
  aggregation: boolean;
  comment: string | null;
  created: Date;
  lastModified: Date;
  setId: number | null;
  characteristics: Record<string, Record<string, string>>;
}

type Resource = 'measurements' | 'values';

interface Row {
  part: string;
  attributes: Record<string, string>;
  measured_at: string | null;
  aggregation: boolean;
  comment: string | null;
  created: Date;
  last_modified: Date;
  set: number | null;
  characteristics: (string | null)[] | null;
  elements: (string | null)[] | null;
  digits: Buffer | null;
  extras: Record<string, Record<string, string>> | null;
  ids: number[] | null;
}

/** Writes measurements over HTTP and reads them from the database. */
export class MeasurementClient {
  private readonly inspection: () => RunningInspection;

  constructor(inspection: () => RunningInspection) {
    this.inspection = inspection;
  }

  post(resource: Resource, body: unknown) {
    return this.send(request(this.inspection().server).post(`/dataServiceRest/${resource}`), body);
  }

  put(resource: Resource, body: unknown) {
    return this.send(request(this.inspection().server).put(`/dataServiceRest/${resource}`), body);
  }

  /** Sends a text or bytes unchanged. */
  private send(to: request.Test, body: unknown) {
    to.set('Content-Type', 'application/json');
    // Prevents bytes from being serialized as a JSON object.
    if (Buffer.isBuffer(body)) return to.serialize((bytes: unknown) => bytes as string).send(body);
    return to.send(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async stored(uuid: string): Promise<StoredTexts | undefined> {
    const [row] = await sql<Row>(
      this.inspection(),
      `SELECT p.uuid AS part, m.attributes, m.measured_at::text, m.aggregation, m.comment, m.created, m.last_modified, m.characteristic_set_id AS set, m.digits, m.extras,
         ARRAY(SELECT element::text FROM unnest("values") WITH ORDINALITY AS item (element, position) ORDER BY position) AS elements, s.characteristic_ids AS ids,
         ARRAY(SELECT c.uuid::text FROM unnest(s.characteristic_ids) WITH ORDINALITY AS item (id, position) LEFT JOIN plan_item c ON c.id = item.id ORDER BY position) AS characteristics
       FROM measurement m JOIN plan_item p ON p.id = m.part_id LEFT JOIN characteristic_set s ON s.id = m.characteristic_set_id WHERE m.uuid = $1`,
      [uuid],
    );
    if (!row) return undefined;
    const characteristics: StoredTexts['characteristics'] = {};
    row.ids?.forEach((id, i) => {
      const element = row.elements?.[i] ?? null;
      const { 1: text, ...others } = row.extras?.[String(id)] ?? {};
      if (element === null && Object.keys(others).length === 0) return;
      characteristics[row.characteristics?.[i] ?? `deleted ${id}`] = {
        ...(element !== null && { 1: decodeExactText(Number(element), row.digits?.[i], text) }),
        ...others,
      };
    });
    return {
      partUuid: row.part,
      attributes: row.attributes,
      measuredAt: row.measured_at,
      aggregation: row.aggregation,
      comment: row.comment,
      created: row.created,
      lastModified: row.last_modified,
      setId: row.set,
      characteristics,
    };
  }

  async texts(uuid: string): Promise<Record<string, Record<string, string>> | undefined> {
    return (await this.stored(uuid))?.characteristics;
  }

  async count(part: string): Promise<number> {
    const [row] = await sql<{ count: number }>(
      this.inspection(),
      'SELECT count(*)::int AS count FROM measurement WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)',
      [part],
    );
    return row?.count ?? 0;
  }

  /** Inserts characteristics into the database directly. @returns their uuids */
  async manyCharacteristics(part: string, count: number): Promise<string[]> {
    const uuids = Array.from({ length: count }, () => randomUUID());
    await sql(
      this.inspection(),
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, version, plan_version, modified_at, characteristics_modified_at)
       SELECT nextval('plan_item_id'), item.uuid, 'characteristic', p.id, p.id, 'c' || position, 'c' || position, p.path || 'cc' || position || '/', 'x', 2, 0, 0, now(), now()
       FROM unnest($2::uuid[]) WITH ORDINALITY AS item (uuid, position), plan_item p WHERE p.uuid = $1`,
      [part, uuids],
    );
    await sql(this.inspection(), 'UPDATE plan_item SET plan_version = plan_version + 1 WHERE uuid = $1', [part]);
    await sql(this.inspection(), 'UPDATE server_state SET revision = revision + 1');
    return uuids;
  }
}

/** Sends the values of characteristics as one plain number text each. */
export function plainValues(values: Record<string, unknown>): Record<string, { 1: unknown }> {
  return Object.fromEntries(Object.entries(values).map(([characteristic, value]) => [characteristic, { 1: value }]));
}
