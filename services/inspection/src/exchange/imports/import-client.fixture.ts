import { STANDARD_ATTRIBUTES, type ImportAnswer, type StandardAttribute } from '@sinebar/contracts';
import request from 'supertest';
import { define } from '../../plan/plan-client.fixture.ts';
import type { RunningInspection } from '../../running-inspection.fixture.ts';

/** Sends files to the import. */
export class ImportClient {
  private readonly inspection: () => RunningInspection;

  constructor(inspection: () => RunningInspection) {
    this.inspection = inspection;
  }

  send(lines: readonly string[], query = '', format = 'aqdef') {
    return request(this.inspection().server)
      .post(`/exchangeServiceRest/imports?format=${format}&zone=Europe/Berlin&${query}`)
      .set('Content-Type', 'text/plain')
      .send([...lines, ''].join('\r\n'));
  }

  async import(lines: readonly string[], query = '', status = 201): Promise<ImportAnswer> {
    return (await this.send(lines, query).expect(status)).body as ImportAnswer;
  }
}

/** Defines the standard attributes but those that refer to catalogs. */
export function defineStandard(inspection: RunningInspection, ...without: readonly number[]): Promise<void> {
  const isPlain = ({ key, type }: StandardAttribute) => type !== 'Catalog' && !without.includes(key);
  return define(inspection, ...STANDARD_ATTRIBUTES.filter(isPlain));
}
