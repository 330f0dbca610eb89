import type { PartRight, Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { pathCondition, rawSql, sql, type Database, type Session, type Sql } from '@sinebar/database';
import { GrammarError, isAttributeKey, parseDateTime, parseFloatText, toPostgresTimestamp, type Condition } from '@sinebar/query-language';
import { defineRoute, reply, type Route } from '@sinebar/http';
import { z } from 'zod';
import { MEASURED_VALUE_KEY, TIME_KEY, type AttributeEntity, type Configuration, type ConfigurationReader } from './configuration.ts';
import { workOf } from '../shared/request-context.ts';
import { attributeSearch, attributeTerm } from '../shared/search-sql.ts';
import { ruleOf } from './attribute-values.ts';

/** Storage of the values of an entity type, and the right to see them. */
interface Stored {
  /** FROM clause; rows that belong to a part have it as `part`. */
  from: string;
  attributes: string;
  right?: PartRight;
  /** Whether there is an index on the terms of `attributes`. */
  indexed: boolean;
}

const MEASUREMENTS = 'measurement JOIN plan_item part ON part.id = measurement.part_id';
const STORED: Readonly<Record<AttributeEntity, Stored>> = {
  part: { from: `plan_item part`, attributes: `part.attributes`, right: 'plan:read', indexed: true },
  characteristic: { from: `plan_item part`, attributes: `part.attributes`, right: 'plan:read', indexed: true },
  measurement: { from: MEASUREMENTS, attributes: `(measurement.attributes - '${TIME_KEY}')`, right: 'measurement:read', indexed: true },
  value: {
    from: `${MEASUREMENTS} CROSS JOIN LATERAL jsonb_each(measurement.extras) AS extra JOIN plan_item item ON item.id = extra.key::int`,
    attributes: 'extra.value',
    right: 'measurement:read',
    indexed: false,
  },
  catalog: { from: 'catalog_entry', attributes: 'catalog_entry.attributes', indexed: true },
};
const ONLY: Readonly<Partial<Record<AttributeEntity, string>>> = {
  part: `part.kind = 'part'`,
  characteristic: `part.kind = 'characteristic'`,
  value: 'measurement.extras IS NOT NULL',
};
/** Times of measurements are also stored in an indexed timestamp column. */
const OF_TIME: Stored = { from: MEASUREMENTS, attributes: '', right: 'measurement:read', indexed: false };

/** Whether an attribute value is in use: 204 or 404. spec: inspection-service.md, Interface, service information, attribute usage */
export function attributeUsageRoutes({ database, configurations }: { database: Database; configurations: ConfigurationReader }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/attributes/:key/*value',
      permission: 'signed-in',
      isSearch: true,
      deadline: 'read',
      documentation: {
        tag: 'Configuration',
        summary: 'Whether an attribute value is in use',
        parameters: {
          key: { description: 'Key of the attribute', example: '1001' },
          value: { description: 'The value; it may hold slashes and may stand in quotation marks', example: 'P-4711' },
        },
        responses: { 204: { description: 'It is in use, as far as the caller may see; 404 when it is not' } },
        errors: ['NotFound'],
      },
      params: z.object({ key: z.string(), value: z.unknown() }),
      handle: async ({ path, context }) => {
        const { key, value } = addressOf(path);
        const used = await database.snapshot(workOf(context), async (session) =>
          isUsed(session, key, value, await configurations.read(session), context.principal),
        );
        if (!used) throw new ServiceError('NotFound', `No entry has the value "${value}" for the attribute ${key}.`);
        return reply.empty(204);
      },
    }),
  ];
}

/** Parses key and value. The value is the whole rest of the path, with slashes plain or encoded, optionally in quotation marks. */
function addressOf(path: string): { key: number; value: string } {
  const [, keyText = '', rest = ''] = /^\/[^/]+\/[^/]+\/([^/]*)\/(.*)$/s.exec(path) ?? [];
  const value = decodeURIComponent(rest);
  if (!isAttributeKey(keyText)) throw new ServiceError('InvalidRequest', 'The attribute key must be a whole number from 0 to 65535.');
  if (value.includes('\0')) throw new ServiceError('InvalidRequest', 'The value contains the character U+0000.');
  return { key: Number(keyText), value: /^".*"$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value };
}

async function isUsed(session: Session, key: number, value: string, configuration: Configuration, principal: Principal): Promise<boolean> {
  if (key === MEASURED_VALUE_KEY) return isMeasured(session, value, principal);
  if (key === TIME_KEY) return isTime(session, value, principal);
  const entity = configuration.definitions.get(key)?.entity;
  if (entity === undefined) return false;
  const stored = STORED[entity];
  const only = rawSql(ONLY[entity] ?? 'TRUE');
  const attributes = rawSql(stored.attributes);
  const condition: Condition = { field: { kind: 'attribute', key }, operator: '=', values: [value], position: 0, valuePositions: [0] };
  const found = (search: Sql) => exists(session, stored, principal, sql`${only} AND ${search}`);
  const [keyText, text] = [sql`${String(key)}::text`, sql`${value}::text`];
  // Tries the index first, which finds the same text; values with the same meaning (1 and 1.0) need a full scan.
  if (
    stored.indexed &&
    (await found(
      sql`attribute_terms(${attributes}) @> ARRAY[${attributeTerm(keyText, text)}]
        AND lower(${attributes} ->> ${keyText}) = lower(${text})`,
    ))
  )
    return true;
  try {
    const search = attributeSearch(
      { conditions: [condition] },
      { typeOf: () => ruleOf(configuration, entity, key)?.type, caseSensitive: false },
    );
    return await found(search(stored.attributes));
  } catch (error) {
    // A text that does not fit the type cannot be in use.
    if (error instanceof GrammarError) return false;
    throw error;
  }
}

/** Checks for a measured value. Stale sets may hold values of deleted characteristics, so their values are checked one by one. */
function isMeasured(session: Session, text: string, principal: Principal): Promise<boolean> {
  if (parseFloatText(text) === undefined) return Promise.resolve(false);
  const stored = {
    from: `${MEASUREMENTS} JOIN characteristic_set ON characteristic_set.id = measurement.characteristic_set_id`,
    attributes: '',
    right: 'measurement:read' as const,
    indexed: false,
  };
  const number = sql`${Number(text)}::float8`;
  const condition = sql`${number} = ANY(measurement."values") AND (NOT characteristic_set.stale OR EXISTS (
    SELECT FROM unnest(characteristic_set.characteristic_ids, measurement."values") AS present (id, value)
      JOIN plan_item item ON item.id = present.id
    WHERE present.value = ${number}))`;
  return exists(session, stored, principal, condition);
}

function isTime(session: Session, text: string, principal: Principal): Promise<boolean> {
  const time = parseDateTime(text);
  if (time === undefined) return Promise.resolve(false);
  return exists(session, OF_TIME, principal, sql`measurement.measured_at = ${toPostgresTimestamp(time)}::timestamptz`);
}

/** Whether there is a row that the caller may see. */
async function exists(session: Session, { from, right }: Stored, principal: Principal, condition: Sql): Promise<boolean> {
  const allowed = right ? pathCondition(principal.scopeOf(right), 'part.path') : sql`TRUE`;
  const rows = await session.query(sql`SELECT FROM ${rawSql(from)} WHERE ${allowed} AND ${condition} LIMIT 1`);
  return rows.length > 0;
}
