import type { Measurement, MeasurementWithValues } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';
import { chosen, type AttributeChoice, type WrittenAttributes } from './attributes.ts';

/** A measurement to write; a change sends the whole of it. */
export interface WrittenMeasurement {
  uuid: string;
  partUuid: string;
  attributes?: WrittenAttributes;
  comment?: string;
}

export interface WrittenMeasurementWithValues extends WrittenMeasurement {
  /** Value attributes by uuid of the characteristic; attribute 1 is the measured value. */
  characteristics: Readonly<Record<string, WrittenAttributes>>;
}

/** Selects measurements to count. */
export interface MeasurementCountQuery extends RequestOptions {
  measurementUuids?: readonly string[];
  partUuids?: readonly string[];
  partPath?: string;
  /** Includes the parts below `partPath`. */
  deep?: boolean;
  /** `<attribute key><operator>[<value>]`, joined by `+`. */
  searchCondition?: string;
  caseSensitive?: boolean;
  fromModificationDate?: Date | string;
  toModificationDate?: Date | string;
  aggregation?: 'Measurements' | 'AggregationMeasurements' | 'All';
}

/** Selects measurements to read. spec: inspection-service.md, Measurements */
export interface MeasurementQuery extends MeasurementCountQuery {
  /** Order of the result; default `4 desc`. */
  order?: string;
  limitResult?: number;
  /** Needs `partUuids`, or `partPath` with `deep`. */
  limitResultPerPart?: number;
  requestedMeasurementAttributes?: AttributeChoice;
  mergeAttributes?: readonly number[];
  mergeCondition?: 'None' | 'MeasurementsInAtLeastTwoParts' | 'MeasurementsInAllParts';
  mergeMasterPart?: string;
}

export interface ValueQuery extends MeasurementQuery {
  requestedValueAttributes?: AttributeChoice;
  /** Restricts the values to these characteristics. */
  characteristicUuids?: readonly string[];
}

/** Selects measurements to delete; needs `all` or at least one member other than the last three. */
export interface MeasurementSelector {
  measurementUuids?: readonly string[];
  partUuids?: readonly string[];
  partPath?: string;
  searchCondition?: string;
  aggregation?: 'Measurements' | 'AggregationMeasurements' | 'All';
  deep?: boolean;
  /** Every measurement of the server. */
  all?: true;
}

const MEASUREMENTS = '/dataServiceRest/measurements';
const VALUES = '/dataServiceRest/values';

/** Measurements, with and without their values. spec: inspection-service.md, Measurements, Values */
export class Measurements {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Reads measurements without values. */
  search({ signal, ...query }: MeasurementQuery & { statistics?: 'None' | 'Simple' | 'Detailed' } = {}): Promise<Measurement[]> {
    return this.connection.json({ method: 'GET', path: MEASUREMENTS, query, ...(signal && { signal }) });
  }

  /** Counts measurements; faster than reading them. */
  async count({ signal, ...query }: MeasurementCountQuery = {}): Promise<number> {
    const path = `${MEASUREMENTS}/count`;
    return (await this.connection.json<{ count: number }>({ method: 'GET', path, query, ...(signal && { signal }) })).count;
  }

  searchWithValues({ signal, ...query }: ValueQuery = {}): Promise<MeasurementWithValues[]> {
    return this.connection.json({ method: 'GET', path: VALUES, query, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  get(
    uuid: string,
    { signal, ...query }: Pick<MeasurementQuery, 'requestedMeasurementAttributes' | 'aggregation' | 'signal'> = {},
  ): Promise<Measurement> {
    return this.connection.json({ method: 'GET', path: `${MEASUREMENTS}/${segment(uuid)}`, query, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  getWithValues(
    uuid: string,
    {
      signal,
      ...query
    }: Pick<
      ValueQuery,
      'requestedMeasurementAttributes' | 'requestedValueAttributes' | 'characteristicUuids' | 'aggregation' | 'signal'
    > = {},
  ): Promise<MeasurementWithValues> {
    return this.connection.json({ method: 'GET', path: `${VALUES}/${segment(uuid)}`, query, ...(signal && { signal }) });
  }

  /** Reads the distinct values of an attribute as texts; an empty text stands for measurements without it. */
  distinctValues(
    key: number,
    { signal, ...query }: Omit<MeasurementQuery, 'requestedMeasurementAttributes' | `merge${string}`> = {},
  ): Promise<string[]> {
    const path = '/dataServiceRest/distinctMeasurementAttributeValues';
    return this.connection.json({ method: 'GET', path, query: { key, ...query }, ...(signal && { signal }) });
  }

  /** Creates all measurements or none, without values: see {@link createWithValues}. */
  create(measurements: readonly WrittenMeasurement[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: MEASUREMENTS, json: measurements, ...options });
  }

  /** Creates all measurements with their values, or none. */
  createWithValues(measurements: readonly WrittenMeasurementWithValues[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: VALUES, json: measurements, ...options });
  }

  /** Replaces all attributes, not the values. */
  update(measurements: readonly WrittenMeasurement[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: MEASUREMENTS, json: measurements, ...options });
  }

  /** Replaces all attributes and all values. */
  updateWithValues(measurements: readonly WrittenMeasurementWithValues[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: VALUES, json: measurements, ...options });
  }

  /** @throws TypeError when nothing says which */
  async delete({ all, ...selector }: MeasurementSelector, options: RequestOptions = {}): Promise<void> {
    const names = ['measurementUuids', 'partUuids', 'partPath', 'searchCondition'] as const;
    const query = all === true ? selector : chosen(selector, names, 'With all: true every measurement of the server is deleted.');
    await this.connection.done({ method: 'DELETE', path: MEASUREMENTS, query: { ...query }, ...options });
  }
}
