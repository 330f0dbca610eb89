import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEmptyProduct } from '@sinebar/testing';

/** More values than are computed on the event loop (`VALUES_ON_EVENT_LOOP`). */
const MEASUREMENTS = 5001;
const LIMIT_MS = 120_000;

describe('the bundled product', () => {
  let product: Awaited<ReturnType<typeof startEmptyProduct>>;
  const characteristic = randomUUID();

  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${product.url}/dataServiceRest/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, answer.status, answer.ok ? '' : await answer.text()]).toEqual([path, 201, '']);
  };

  beforeAll(async () => {
    product = await startEmptyProduct();
    const partUuid = randomUUID();
    await post('parts', [{ uuid: partUuid, path: 'P:/Pump/' }]);
    await post('characteristics', [{ uuid: characteristic, path: 'PC:/Pump/Diameter/' }]);
    const characteristics = { [characteristic]: { 1: 4.5 } };
    await post(
      'values',
      Array.from({ length: MEASUREMENTS }, () => ({ uuid: randomUUID(), partUuid, characteristics })),
    );
  }, LIMIT_MS);
  afterAll(async () => {
    await product?.stop();
  }, LIMIT_MS);

  it('computes many values in a thread, whose program lies outside the bundle', async () => {
    const answer = await fetch(`${product.url}/analysisServiceRest/characteristics/${characteristic}/summary`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ count: MEASUREMENTS });
  });

  it('loads a part of the bundle when it is needed', async () => {
    const answer = await fetch(`${product.url}/exchangeServiceRest/values?format=parquet&limitResult=1`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 4)).toBe('PAR1');
  });
});
