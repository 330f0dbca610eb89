import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Evaluation, EvaluationState } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { PlanClient } from '../plan/plan-client.fixture.ts';
import { EvaluationClient, type EvaluatedKind } from './evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

describeWith(['postgres'], 'inheritance of evaluations', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  it('inherits in random trees as a simple model says', async () => {
    const random = randomNumbers(4711);
    const choose = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
    const root = randomUUID();
    const nodes: { kind: EvaluatedKind; uuid: string; parent: number; own: EvaluationState }[] = [
      { kind: 'parts', uuid: (await plan.create(`P:/${root}/`))[0] ?? '', parent: -1, own: {} },
    ];
    const paths = [{ markers: 'P', names: `/${root}/` }];
    while (nodes.length < 40) {
      const parent = Math.floor(random() * nodes.length);
      const kind = nodes[parent]!.kind === 'characteristics' || random() < 0.5 ? 'characteristics' : 'parts';
      const { markers, names } = paths[parent]!;
      const path = { markers: markers + (kind === 'parts' ? 'P' : 'C'), names: `${names}n${nodes.length}/` };
      nodes.push({ kind, uuid: (await plan.create(`${path.markers}:${path.names}`))[0] ?? '', parent, own: {} });
      paths.push(path);
    }
    const members: (() => EvaluationState)[] = [
      () => ({ model: choose(['normal', 'gamma', 'weibull']) }),
      () => ({ required: choose([1, 1.33, 1.67]) }),
      () => ({ rules: choose([[], ['nelson1'], ['nelson2:7']]) }),
      () => ({ owner: choose(['ada', 'ben']) }),
      () => ({ target: Math.round(random() * 10) }),
    ];
    const nearest = (index: number, member: keyof EvaluationState): number => {
      const node = nodes[index];
      if (!node) return -1;
      return node.own[member] === undefined ? nearest(node.parent, member) : index;
    };
    const defaults: EvaluationState = { model: 'auto', required: 1.33, rules: ['nelson1'] };
    for (let step = 0; step < 120; step += 1) {
      const node = choose(nodes);
      if (random() < 0.2) {
        await evaluations.delete(node.kind, node.uuid).expect(200);
        node.own = {};
      } else {
        const state = members.filter(() => random() < 0.4).reduce<EvaluationState>((all, make) => ({ ...all, ...make() }), {});
        await evaluations.put(node.kind, node.uuid, state).expect(200);
        node.own = state;
      }
      const seen = Math.floor(random() * nodes.length);
      const { kind, uuid } = nodes[seen]!;
      const evaluation: Evaluation = await evaluations.read(kind, uuid);
      for (const member of ['model', 'required', 'rules', 'owner', 'target'] as const) {
        const from = nodes[nearest(seen, member)];
        const source = from && { kind: from.kind === 'parts' ? 'part' : 'characteristic', uuid: from.uuid };
        expect({ [member]: evaluation[member], source: evaluation.sources[member] }).toEqual({
          [member]: from ? from.own[member] : defaults[member],
          source: source ?? (member in defaults ? { kind: 'server' } : undefined),
        });
      }
    }
  });
});

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
