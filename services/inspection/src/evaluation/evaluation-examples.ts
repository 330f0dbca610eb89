import type { Evaluation, EvaluationHistory, EvaluationList, EvaluationState } from '@sinebar/contracts';

const OWN: EvaluationState = {
  subgroups: { size: 5 },
  rules: ['nelson1', 'nelson2:7'],
  exclusions: [
    { measurementUuid: '8f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b001', reason: 'dropped part', user: 'ada', time: '2026-03-02T06:00:00.000Z' },
  ],
};

/** The content of a PUT. */
export const EVALUATION_BODY = {
  subgroups: { size: 5 },
  rules: ['nelson1', 'nelson2:7'],
  exclusions: [{ measurementUuid: '8f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b001', reason: 'dropped part' }],
  reason: 'agreed with the line',
};

export const EVALUATION_EXAMPLE: Evaluation = {
  chart: 'xbarR',
  subgroups: { size: 5 },
  rules: ['nelson1', 'nelson2:7'],
  model: 'auto',
  required: 1.67,
  stages: [],
  ewma: { lambda: 0.2, width: 3 },
  cusum: { k: 0.5, h: 4 },
  exclusions: OWN.exclusions!,
  sources: {
    chart: { kind: 'server' },
    subgroups: { kind: 'characteristic', uuid: '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11' },
    rules: { kind: 'characteristic', uuid: '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11' },
    model: { kind: 'part', uuid: '05040c4c-f0af-46b8-810e-30c0c00a379e' },
    required: { kind: 'attribute', key: 8520 },
    stages: { kind: 'server' },
    ewma: { kind: 'server' },
    cusum: { kind: 'server' },
  },
  own: OWN,
  revision: 3,
};

export const EVALUATION_HISTORY_EXAMPLE: EvaluationHistory = [
  { revision: 3, time: '2026-03-02T06:00:00.000Z', user: 'ada', reason: 'agreed with the line', state: OWN },
  { revision: 2, time: '2026-02-27T13:10:00.000Z', user: 'ada', reason: 'start again' },
];

export const EVALUATION_LIST_EXAMPLE: EvaluationList = [
  { entity: 'Characteristic', uuid: '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11', state: OWN },
];
