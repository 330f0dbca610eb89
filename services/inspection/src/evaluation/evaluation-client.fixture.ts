import { randomUUID } from 'node:crypto';
import { evaluationHistorySchema, evaluationSchema, type ErrorBody, type Evaluation, type EvaluationHistory } from '@sinebar/contracts';
import request from 'supertest';
import { PlanClient } from '../plan/plan-client.fixture.ts';
import type { RunningInspection } from '../running-inspection.fixture.ts';

export type EvaluatedKind = 'parts' | 'characteristics';

/** Reads and changes evaluations over HTTP; answers have to fit their schemas. */
export class EvaluationClient {
  private readonly inspection: () => RunningInspection;

  constructor(inspection: () => RunningInspection) {
    this.inspection = inspection;
  }

  get(kind: EvaluatedKind, uuid: string) {
    return request(this.inspection().server).get(address(kind, uuid));
  }

  put(kind: EvaluatedKind, uuid: string, state: object, reason = 'a test') {
    return this.send(kind, uuid, { ...state, reason });
  }

  /** Sends any body. */
  send(kind: EvaluatedKind, uuid: string, body: unknown) {
    return request(this.inspection().server).put(address(kind, uuid)).set('Content-Type', 'application/json').send(JSON.stringify(body));
  }

  delete(kind: EvaluatedKind, uuid: string, query = '?reason=a+test') {
    return request(this.inspection().server).delete(address(kind, uuid) + query);
  }

  getHistory(kind: EvaluatedKind, uuid: string) {
    return request(this.inspection().server).get(`${address(kind, uuid)}/history`);
  }

  async read(kind: EvaluatedKind, uuid: string): Promise<Evaluation> {
    return evaluationSchema.parse((await this.get(kind, uuid).expect(200)).body);
  }

  async history(kind: EvaluatedKind, uuid: string): Promise<EvaluationHistory> {
    return evaluationHistorySchema.parse((await this.getHistory(kind, uuid).expect(200)).body);
  }

  /** Creates a part with a sub part, a characteristic of the latter and one below it. */
  async branch() {
    const plan = new PlanClient(this.inspection);
    const name = randomUUID();
    const [line = '', cell = ''] = await plan.create(`P:/${name}/`, `PP:/${name}/cell/`);
    const [bore = '', depth = ''] = await plan.create(`PPC:/${name}/cell/bore/`, `PPCC:/${name}/cell/bore/depth/`);
    return { name, line, cell, bore, depth };
  }
}

function address(kind: EvaluatedKind, uuid: string): string {
  return `/analysisServiceRest/${kind}/${uuid}/evaluation`;
}

export function messageOf({ body }: { body: unknown }): string {
  return (body as ErrorBody).message;
}
