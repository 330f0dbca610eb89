import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { EvaluationReader } from '../evaluation/evaluation-reader.ts';
import { MeasurementClient } from '../measurements/measurement-client.fixture.ts';
import { PlanClient } from '../plan/plan-client.fixture.ts';
import type { RunningInspection } from '../running-inspection.fixture.ts';

/** The time of the first measurement; each further one is a minute later. */
const FIRST_TIME_MS = Date.UTC(2026, 0, 5, 8);

/** What the server says about evaluations in tests. */
export const EVALUATIONS = new EvaluationReader(() => Promise.resolve({ required: 1.33, requiredSource: 'default' }));

export function timeOf(index: number): string {
  return new Date(FIRST_TIME_MS + index * 60_000).toISOString();
}

/** Makes parts with characteristics and values, and reads their analysis. */
export class AnalysisClient {
  private readonly inspection: () => RunningInspection;
  private readonly measurements: MeasurementClient;
  private readonly plan: PlanClient;

  constructor(inspection: () => RunningInspection) {
    this.inspection = inspection;
    this.measurements = new MeasurementClient(inspection);
    this.plan = new PlanClient(inspection);
  }

  get(pathAndQuery: string) {
    return request(this.inspection().server).get(`/analysisServiceRest/${pathAndQuery}`);
  }

  async read<T>(pathAndQuery: string): Promise<T> {
    return (await this.get(pathAndQuery).expect(200)).body as T;
  }

  /** Creates a part with characteristics that have these attributes. */
  async part(...characteristics: Record<string, unknown>[]): Promise<{ part: string; uuids: string[]; name: string }> {
    const name = `part ${randomUUID()}`;
    const [part = ''] = await this.plan.create(`P:/${name}/`);
    const items = characteristics.map((attributes, i) => ({ uuid: randomUUID(), path: `PC:/${name}/c${i}/`, attributes }));
    if (items.length > 0) await this.plan.post('characteristic', items).expect(201);
    return { part, uuids: items.map(({ uuid }) => uuid), name };
  }

  /** Writes one measurement a minute; `undefined` is no value. @returns the uuids of the measurements */
  async measure(part: string, rows: readonly Readonly<Record<string, number | undefined>>[], first = 0): Promise<string[]> {
    const measurements = rows.map((row, i) => ({
      uuid: randomUUID(),
      partUuid: part,
      attributes: { 4: timeOf(first + i) },
      characteristics: Object.fromEntries(
        Object.entries(row).flatMap(([uuid, value]) => (value === undefined ? [] : [[uuid, { 1: String(value) }]])),
      ),
    }));
    for (let at = 0; at < measurements.length; at += 5000) {
      await this.measurements.post('values', measurements.slice(at, at + 5000)).expect(201);
    }
    return measurements.map(({ uuid }) => uuid);
  }

  /** Writes one measurement a minute of one characteristic, with attributes of the measurement and of the value. @returns their uuids */
  async measureWith(
    { part, characteristic }: { part: string; characteristic: string },
    rows: readonly { attributes?: Record<string, unknown>; value: Record<string, unknown> | number }[],
  ): Promise<string[]> {
    const measurements = rows.map(({ attributes, value }, i) => ({
      uuid: randomUUID(),
      partUuid: part,
      attributes: { 4: timeOf(i), ...attributes },
      characteristics: { [characteristic]: typeof value === 'number' ? { 1: String(value) } : value },
    }));
    await this.measurements.post('values', measurements).expect(201);
    return measurements.map(({ uuid }) => uuid);
  }

  /** Creates a part with one characteristic. */
  async single(attributes: Record<string, unknown> = {}): Promise<{ part: string; characteristic: string }> {
    const { part, uuids } = await this.part(attributes);
    return { part, characteristic: uuids[0] ?? '' };
  }

  /** Creates a part with one characteristic and its values. */
  async measured(attributes: Record<string, unknown>, values: readonly number[]) {
    const { part, uuids, name } = await this.part(attributes);
    const [characteristic = ''] = uuids;
    return {
      part,
      characteristic,
      name,
      measurements: await this.measure(
        part,
        values.map((value) => ({ [characteristic]: value })),
      ),
    };
  }
}
