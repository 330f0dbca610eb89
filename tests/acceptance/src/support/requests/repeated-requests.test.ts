import { describe, expect, it } from '@jest/globals';
import { afterRefusals, throughRestarts } from './repeated-requests.ts';

interface Given {
  status: number;
  retryAfter: string | undefined;
}
const refusal: Given = { status: 503, retryAfter: '0.001' };
const answer = (status: number): Given => ({ status, retryAfter: undefined });

function sending(...given: Given[]) {
  const sent = { count: 0 };
  return { sent, send: () => Promise.resolve(given[sent.count++] ?? answer(500)), stateOf: (one: Given) => one };
}

describe('a request while services restart', () => {
  it('is repeated as long as the answer is 503 with Retry-After', async () => {
    const { sent, ...request } = sending(refusal, refusal, answer(201), answer(409));
    expect(await throughRestarts(request)).toEqual({ answer: answer(201), wasRefused: true });
    expect(sent.count).toBe(3);
  });

  it.each([answer(200), answer(409), answer(500), answer(502), answer(503), { status: 500, retryAfter: '1' }])(
    'is sent once when the answer is %p',
    async (given) => {
      const { sent, ...request } = sending(given, answer(200));
      expect(await throughRestarts(request)).toEqual({ answer: given, wasRefused: false });
      expect(sent.count).toBe(1);
    },
  );

  it('is not repeated when the state shows that it was done', async () => {
    const { sent, ...request } = sending(refusal, answer(201));
    const before = Date.now();
    const look = (sentMs: number) => Promise.resolve(sentMs >= before ? answer(299) : undefined);
    expect(await throughRestarts({ ...request, look })).toEqual({ answer: answer(299), wasRefused: false });
    expect(sent.count).toBe(1);
  });

  it('counts as done when it was refused first and its result exists already', () => {
    expect(afterRefusals('POST', 409)).toBe(201);
    expect(afterRefusals('DELETE', 404)).toBe(200);
    for (const [method, status] of [
      ['POST', 400],
      ['POST', 201],
      ['PUT', 409],
      ['GET', 404],
      [undefined, 409],
      ['DELETE', 409],
    ] as const)
      expect([method, afterRefusals(method, status)]).toEqual([method, status]);
  });
});
