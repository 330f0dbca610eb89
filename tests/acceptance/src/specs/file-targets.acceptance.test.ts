import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EventListener, WAYS } from '../support/events/event-listener.ts';
import { preferring } from '../support/product/forms.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { send, sendJson, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { presentKinds } from '../support/product/variants.ts';

const FILES = '/rawDataServiceRest/rawData';
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const kinds = await presentKinds('files of measured targets', preferring('standalone'));

describe.each(kinds)('files of measured targets, $name', (kind) => {
  let variant: Variant;
  let product: StartedProduct;
  let listener: EventListener;
  const [part, x, y, measurement] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start();
    listener = await new EventListener((WAYS[0] as (typeof WAYS)[number]).connect(product.url)).connected();
    await change('POST', 'parts', [{ uuid: part, path: `P:/${part}/` }]);
    await measure();
  }, 180_000);
  afterAll(async () => {
    listener.close();
    await product.stop();
    await variant.remove();
  }, 120_000);

  const change = async (method: string, resource: string, body?: unknown) => {
    const path = `/dataServiceRest/${resource}`;
    const answer = body === undefined ? await send(product.url, { method, path }) : await sendJson(product.url, method, path, body);
    const status = method === 'POST' ? 201 : 200;
    expect({ method, path, status: answer.status, text: answer.bytes.toString() }).toMatchObject({ method, path, status });
  };
  const measured = (...characteristics: string[]) => [
    {
      uuid: measurement,
      partUuid: part,
      attributes: {},
      characteristics: Object.fromEntries(characteristics.map((uuid) => [uuid, { '1': '0.5' }])),
    },
  ];
  const measure = async () => {
    await change('POST', 'characteristics', [
      { uuid: x, path: `PC:/${part}/x/` },
      { uuid: y, path: `PC:/${part}/y/` },
    ]);
    await change('POST', 'values', measured(x, y));
  };
  const address = (entity: string, uuid: string) => `${FILES}/${entity}/${encodeURIComponent(uuid)}`;
  const upload = async (entity: string, uuid: string, body: string | Buffer = `${entity} ${uuid}`) => {
    const headers = { 'Content-Disposition': '"note.txt"', 'Content-Type': 'text/plain' };
    await until(`a file of the ${entity} is taken`, async () => {
      const { status } = await send(product.url, { method: 'POST', path: address(entity, uuid), headers, body });
      return status === 201;
    });
  };
  const status = async (entity: string, uuid: string) => (await send(product.url, { path: `${address(entity, uuid)}/0` })).status;
  const targets = [
    ['Part', part],
    ['Characteristic', x],
    ['Characteristic', y],
    ['Measurement', measurement],
    ['Value', `${measurement}|${x}`],
    ['Value', `${measurement}|${y}`],
  ] as const;

  it('exist as long as their target [R6, R69, D6.1]', async () => {
    for (const [entity, uuid] of targets) {
      await upload(entity, uuid);
      const file = await send(product.url, { path: `${address(entity, uuid)}/0` });
      expect([entity, file.status]).toEqual([entity, 200]);
      expect(file.bytes.toString()).toBe(`${entity} ${uuid}`);
      expect((await listener.event('RawDataCreated', uuid)).data).toMatchObject({ RawDataEntity: entity, Key: 0, Filename: 'note.txt' });
    }
    // A value that is no longer sent loses its files, and other values keep theirs.
    await change('PUT', 'values', measured(y));
    await listener.event('RawDataDeleted', `${measurement}|${x}`);
    expect(await Promise.all(targets.map(([entity, uuid]) => status(entity, uuid)))).toEqual([200, 200, 200, 200, 404, 200]);
    await change('DELETE', `characteristics/${y}`);
    for (const uuid of [y, `${measurement}|${y}`]) await listener.event('RawDataDeleted', uuid);
    await change('DELETE', `measurements/${measurement}`);
    await listener.event('RawDataDeleted', measurement);
    expect(await Promise.all(targets.map(([entity, uuid]) => status(entity, uuid)))).toEqual([200, 200, 404, 404, 404, 404]);
  }, 120_000);

  it('of a target that is created again under its uuid are the new files only [D6.1]', async () => {
    await upload('Part', part, 'second');
    for (let round = 0; round < 5; round += 1) {
      await change('DELETE', `parts/${part}`);
      await change('POST', 'parts', [{ uuid: part, path: `P:/${part}/` }]);
      await measure();
      for (const [entity, uuid] of targets) await upload(entity, uuid, `round ${round}`);
      await until('the older files are removed', async () => {
        const lists = await Promise.all(
          targets.map(([entity, uuid]) => send(product.url, { path: address(entity, uuid).replace('rawData/', 'rawDataInformation/') })),
        );
        return lists.every((list) => list.status === 200 && (list.json() as unknown[]).length === 1);
      });
      for (const [entity, uuid] of targets) {
        const [{ key }] = (await send(product.url, { path: address(entity, uuid) })).json() as [{ key: number }];
        const file = await send(product.url, { path: `${address(entity, uuid)}/${key}` });
        expect([entity, file.bytes.toString()]).toEqual([entity, `round ${round}`]);
      }
    }
  }, 180_000);

  it('that are images have a thumbnail [R60]', async () => {
    await upload('Measurement', measurement, PNG);
    const files = (await send(product.url, { path: address('Measurement', measurement) })).json() as { key: number; size: number }[];
    const image = files.find(({ size }) => size === PNG.length);
    const thumbnail = await send(product.url, {
      path: `${address('Measurement', measurement)}/${image?.key}/thumbnail`,
      timeoutMs: 60_000,
    });
    expect(thumbnail.status).toBe(200);
    expect(thumbnail.headers['content-type']).toBe('image/png');
    expect(thumbnail.bytes.subarray(1, 4).toString()).toBe('PNG');
    const [other] = files.filter(({ size }) => size !== PNG.length);
    expect((await send(product.url, { path: `${address('Measurement', measurement)}/${other?.key}/thumbnail` })).status).toBe(404);
  }, 120_000);
});
