import {
  compareCodePoints,
  compareDecimals,
  compareInstants,
  cutToMicroseconds,
  foldCase,
  GrammarError,
  parseDateTime,
  parseFloatText,
  parseOrder,
  parseSearchCondition,
  storedPartPath,
  parseUnmarkedPath,
  type AttributeType,
  type Condition,
  type ItemField,
} from '@sinebar/query-language';
import { matches } from '@sinebar/testing/conditions';
import type { TestMeasurement } from './reading/measurement-rows.fixture.ts';

export interface TestServer {
  /** Stored paths by uuid of the part. */
  parts: ReadonlyMap<string, string>;
  /** Limits of the characteristics that exist, by uuid: lower and upper tolerance, lower and upper warning limit. */
  characteristics: ReadonlyMap<string, readonly (number | null)[]>;
  measurementTypes: ReadonlyMap<number, AttributeType>;
  valueTypes: ReadonlyMap<number, AttributeType>;
  measurements: readonly TestMeasurement[];
}

export type TestQuery = Partial<Record<string, string>>;

/** Evaluates a request in memory. @returns the measurements that the server must answer, or 400 */
export function evaluateSelection(server: TestServer, query: TestQuery, readable: (path: string) => boolean): TestMeasurement[] | 400 {
  try {
    return select(server, query, readable);
  } catch (error) {
    if (error instanceof GrammarError || error instanceof BadRequest) return 400;
    throw error;
  }
}

class BadRequest extends Error {}

function select(server: TestServer, query: TestQuery, readable: (path: string) => boolean): TestMeasurement[] {
  const deep = query['deep']?.toLowerCase() === 'true';
  const caseSensitive = query['caseSensitive'] === 'true';
  const partUuids = listOf(query['partUuids']);
  const partPath = query['partPath'] === undefined ? undefined : storedPartPath(parseUnmarkedPath(query['partPath']));
  const mergeKey = query['mergeAttributes'] === undefined ? undefined : Number(query['mergeAttributes']);
  const perPart = partUuids || (partPath !== undefined && deep) ? limitOf(query['limitResultPerPart']) : undefined;
  const merges = mergeKey !== undefined || query['mergeMasterPart'] !== undefined;
  if (merges && (mergeKey === undefined || !partUuids || (partPath !== undefined && deep))) throw new BadRequest();

  const pathOf = (measurement: TestMeasurement) => server.parts.get(measurement.part) as string;
  const isNamed = (measurement: TestMeasurement): boolean => {
    const path = pathOf(measurement);
    const byUuid = partUuids?.some((uuid) =>
      deep ? server.parts.has(uuid) && path.startsWith(server.parts.get(uuid) as string) : uuid === measurement.part,
    );
    const byPath = partPath === undefined ? undefined : deep ? path.startsWith(partPath) : path === partPath;
    return byUuid !== false && byPath !== false;
  };
  const isWanted = rowFilter(server, query, caseSensitive);
  const sorted = server.measurements
    .map((measurement, id) => ({ measurement, id }))
    .filter(({ measurement }) => readable(pathOf(measurement)) && isWanted(measurement))
    .sort(comparatorOf(server, query['order'] ?? '4 desc', caseSensitive))
    .map(({ measurement }) => measurement);

  const limit = limitOf(query['limitResult']);
  if (mergeKey === undefined) return first(firstPerPart(sorted.filter(isNamed), perPart), limit);

  const type = server.measurementTypes.get(mergeKey);
  const valueOf = ({ attributes }: TestMeasurement) =>
    type && attributes[mergeKey] !== undefined ? identity(type, attributes[mergeKey]) : undefined;
  const scopeOf = new Map<string, Set<string>>();
  for (const measurement of sorted) {
    const value = valueOf(measurement);
    if (value === undefined || !(isNamed(measurement) || measurement.part === query['mergeMasterPart'])) continue;
    scopeOf.set(value, (scopeOf.get(value) ?? new Set()).add(measurement.part));
  }
  const needed = { none: 0, measurementsinatleasttwoparts: 2 }[query['mergeCondition']?.toLowerCase() ?? ''] ?? partUuids?.length ?? 0;
  const kept = sorted.filter(isNamed).filter((measurement) => {
    const value = valueOf(measurement);
    const parts = value === undefined ? undefined : scopeOf.get(value);
    if (needed > 0 && (partUuids ?? []).filter((uuid) => parts?.has(uuid)).length < needed) return false;
    return query['mergeMasterPart'] === undefined || parts?.has(query['mergeMasterPart']) === true;
  });
  const limited = firstPerPart(kept, perPart);
  const values = first([...new Set(limited.map(valueOf))], limit);
  return limited.filter((measurement) => values.includes(valueOf(measurement)));
}

function rowFilter(server: TestServer, query: TestQuery, caseSensitive: boolean): (measurement: TestMeasurement) => boolean {
  const uuids = listOf(query['measurementUuids']);
  const aggregation = (query['aggregation'] ?? 'measurements').toLowerCase();
  const [from, to] = [query['fromModificationDate'], query['toModificationDate']].map((text) =>
    text === undefined ? undefined : parseDateTime(text),
  );
  const search = query['searchCondition'] === undefined ? undefined : parseSearchCondition(query['searchCondition']);
  const typeOf = (key: number) => server.measurementTypes.get(key) ?? server.valueTypes.get(key);
  const holds = (measurement: TestMeasurement) =>
    !search || matches(search, (field) => valuesOf(server, measurement, field), { typeOf, caseSensitive });
  const isUnknown = ({ field }: Condition) => field.kind === 'attribute' && field.key !== 4 && typeOf(field.key) === undefined;
  if (search?.conditions.some(isUnknown)) throw new BadRequest();
  // A bad search is refused even if nothing is selected.
  if (search) matches(search, () => undefined, { typeOf, caseSensitive });
  return (measurement) => {
    const modified = parseDateTime(measurement.lastModified);
    if (!modified) throw new Error(measurement.lastModified);
    if (uuids && !uuids.includes(measurement.uuid)) return false;
    if (aggregation !== 'all' && (aggregation === 'aggregationmeasurements') !== '99' in measurement.attributes) return false;
    if (from && compareInstants(modified, from) < 0) return false;
    if (to && compareInstants(modified, to) >= 0) return false;
    return holds(measurement);
  };
}

function valuesOf(server: TestServer, measurement: TestMeasurement, field: ItemField): string | string[] | undefined {
  if (field.kind === 'LastModified') return measurement.lastModified;
  if (field.kind === 'Created') return measurement.created;
  if (server.measurementTypes.has(field.key)) return measurement.attributes[field.key];
  return Object.entries(measurement.characteristics).flatMap(([uuid, values]) => {
    const value = values[field.key];
    return value === undefined || !server.characteristics.has(uuid) ? [] : [value];
  });
}

interface Sorted {
  measurement: TestMeasurement;
  id: number;
}

function comparatorOf(server: TestServer, order: string, caseSensitive: boolean): (a: Sorted, b: Sorted) => number {
  const criteria = parseOrder(order);
  return (a, b) => {
    for (const { field, direction } of criteria) {
      const type = field.kind === 'attribute' ? server.measurementTypes.get(field.key) : 'DateTime';
      if (type === undefined) continue;
      const [left, right] = [a, b].map(({ measurement }) => valuesOf(server, measurement, field) as string | undefined);
      if (left === undefined && right === undefined) continue;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      const compared = compareTyped(type, left, right, caseSensitive);
      if (compared !== 0) return direction === 'asc' ? compared : -compared;
    }
    return b.id - a.id;
  };
}

function compareTyped(type: AttributeType, left: string, right: string, caseSensitive: boolean): number {
  if (type === 'AlphaNumeric') {
    const fold = caseSensitive ? (text: string) => text : foldCase;
    return compareCodePoints(fold(left), fold(right));
  }
  if (type === 'DateTime') {
    const [a, b] = [left, right].map((text) => parseDateTime(text));
    return a && b ? compareInstants(cutToMicroseconds(a), cutToMicroseconds(b)) : NaN;
  }
  const [a, b] = [left, right].map(parseFloatText);
  return a && b ? compareDecimals(a, b) : NaN;
}

function identity(type: AttributeType, text: string): string {
  if (type === 'AlphaNumeric') return text;
  if (type === 'DateTime') return JSON.stringify(cutToMicroseconds(parseDateTime(text) ?? { epochMs: NaN, nanoseconds: 0 }));
  return JSON.stringify(parseFloatText(text));
}

function listOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const inner = text.replace(/[{}]/g, '');
  return inner === '' ? [] : [...new Set(inner.split(','))];
}

function limitOf(text: string | undefined): number | undefined {
  return text === undefined || Number(text) < 0 ? undefined : Number(text);
}

function first<T>(list: readonly T[], limit: number | undefined): T[] {
  return list.slice(0, limit ?? list.length);
}

function firstPerPart(sorted: readonly TestMeasurement[], limit: number | undefined): TestMeasurement[] {
  const counts = new Map<string, number>();
  return sorted.filter(({ part }) => {
    const count = (counts.get(part) ?? 0) + 1;
    counts.set(part, count);
    return limit === undefined || count <= limit;
  });
}

/** Renders a measurement as the server must answer it. */
export function expectedAnswer(
  server: TestServer,
  measurement: TestMeasurement,
  query: TestQuery,
  withValues: boolean,
): Record<string, unknown> {
  const { uuid, part, attributes, characteristics, lastModified, created } = measurement;
  const existing = Object.entries(characteristics).filter(([characteristic]) => server.characteristics.has(characteristic));
  const wanted = listOf(query['characteristicUuids']);
  const statistics = query['statistics']?.toLowerCase() ?? 'none';
  return {
    uuid,
    partUuid: part,
    attributes: chosen(attributes, query['requestedMeasurementAttributes']),
    lastModified,
    created,
    ...(withValues && {
      characteristics: Object.fromEntries(
        existing
          .filter(([characteristic]) => wanted?.includes(characteristic) ?? true)
          .map(([characteristic, values]) => [
            characteristic,
            { ...chosen(values, query['requestedValueAttributes']), ...chosen(values, '1') },
          ]),
      ),
    }),
    ...(!withValues && statistics !== 'none' && statusOf(server, existing, statistics === 'detailed')),
  };
}

function chosen(attributes: Record<string, string>, selection: string | undefined): Record<string, string> {
  const word = selection?.toLowerCase();
  if (word === undefined || word === 'all') return attributes;
  const keys = word === 'none' ? [] : (listOf(word) ?? []);
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => keys.includes(key)));
}

function statusOf(
  server: TestServer,
  measured: readonly (readonly [string, Record<string, string>])[],
  detailed: boolean,
): Record<string, unknown> {
  const groups: Record<string, string[]> = { Green: [], Yellow: [], Red: [] };
  const withoutLimits: string[] = [];
  for (const [uuid, { 1: text }] of measured) {
    if (text === undefined) continue;
    const [lowerTolerance, upperTolerance, lowerWarning, upperWarning] = server.characteristics.get(uuid) ?? [];
    const beyond = (lower?: number | null, upper?: number | null) =>
      Number(text) < (lower ?? -Infinity) || Number(text) > (upper ?? Infinity);
    const id = beyond(lowerTolerance, upperTolerance) ? 'Red' : beyond(lowerWarning, upperWarning) ? 'Yellow' : 'Green';
    groups[id]?.push(uuid);
    const limits = [lowerTolerance, upperTolerance, lowerWarning, upperWarning];
    if (limits.every((limit) => limit == null)) withoutLimits.push(uuid);
  }
  const counted = (uuids: readonly string[]) => ({ count: uuids.length, ...(detailed && { uuid: uuids }) });
  return {
    status: Object.entries(groups).map(([id, uuids]) => ({ id, ...counted(uuids) })),
    ...(withoutLimits.length > 0 && { noLimits: counted(withoutLimits) }),
  };
}
