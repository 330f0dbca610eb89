import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EventListener, WAYS } from '../support/events/event-listener.ts';
import { preferring } from '../support/product/forms.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { send, sendJson, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { presentKinds } from '../support/product/variants.ts';

const PARTS = '/dataServiceRest/parts';
const CHARACTERISTICS = '/dataServiceRest/characteristics';
const MEASUREMENTS = '/dataServiceRest/measurements';
const FILES = '/rawDataServiceRest/rawData/part';
const ROOT = '00000000-0000-0000-0000-000000000000';

const kinds = await presentKinds('events of the plan', preferring('standalone'));

describe.each(kinds)('events of the plan from $name', (kind) => {
  let variant: Variant;
  let product: StartedProduct;
  let listener: EventListener;
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start();
    listener = await new EventListener((WAYS[0] as (typeof WAYS)[number]).connect(product.url)).connected();
  }, 180_000);
  afterAll(async () => {
    listener.close();
    await product.stop();
    await variant.remove();
  }, 120_000);

  const change = async (method: string, path: string, body?: unknown) => {
    const answer = body === undefined ? await send(product.url, { method, path }) : await sendJson(product.url, method, path, body);
    const status = method === 'POST' ? 201 : 200;
    expect({ method, path, status: answer.status, text: answer.bytes.toString() }).toMatchObject({ method, path, status });
  };
  /** Returns the events about the uuid as the changed entity, in order. */
  const eventsOf = (subject: 'PartUuid' | 'CharacteristicUuid', uuid: string) =>
    listener.received.filter(({ data }) => data[subject] === uuid).map(({ name, data }) => ({ name, ...data }));

  it('reach clients with the documented names and properties [I19, I171-I180, D7.1, D7.3]', async () => {
    const [part, sub, outer, inner] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const [key, otherKey] = [20_000, 20_001];
    const definition = (attribute: number) => [
      { key: attribute, description: '', type: 'AlphaNumeric', length: 20, definitionType: 'AttributeDefinition' },
    ];
    await change('POST', '/dataServiceRest/configuration/part', definition(key));
    await change('POST', '/dataServiceRest/configuration/characteristic', definition(otherKey));
    await change('POST', PARTS, [
      { uuid: part, path: `P:/${part}/` },
      { uuid: sub, path: `PP:/${part}/sub/` },
    ]);
    await change('POST', CHARACTERISTICS, [
      { uuid: outer, path: `PC:/${part}/outer/` },
      { uuid: inner, path: `PCC:/${part}/outer/inner/` },
    ]);
    await change('PUT', PARTS, [{ uuid: sub, attributes: { [key]: 'a' } }]);
    await change('PUT', PARTS, [{ uuid: sub, path: `PP:/${part}/moved/` }]);
    await change('PUT', CHARACTERISTICS, [{ uuid: inner, attributes: { [otherKey]: 'a' } }]);
    await change('PUT', CHARACTERISTICS, [{ uuid: inner, path: `PC:/${part}/inner/` }]);
    await change('DELETE', `${PARTS}/${part}`);
    await listener.event('PartDeleted', ROOT);

    expect(eventsOf('PartUuid', part)).toEqual([
      { name: 'PartCreated', PartUuid: part, ParentPartUuid: ROOT },
      { name: 'PartDeleted', PartUuid: part, ParentPartUuid: ROOT },
    ]);
    expect(eventsOf('PartUuid', sub)).toEqual([
      { name: 'PartCreated', PartUuid: sub, ParentPartUuid: part },
      { name: 'PartModified', PartUuid: sub },
      { name: 'PartMoved', PartUuid: sub, FromPath: `PP:/${part}/sub/`, ToPath: `PP:/${part}/moved/` },
      { name: 'PartDeleted', PartUuid: sub, ParentPartUuid: part },
    ]);
    expect(eventsOf('CharacteristicUuid', inner)).toEqual([
      { name: 'CharacteristicCreated', CharacteristicUuid: inner, ParentUuid: outer },
      { name: 'CharacteristicModified', CharacteristicUuid: inner, ParentPartUuid: part },
      { name: 'CharacteristicMoved', CharacteristicUuid: inner, FromPath: `PCC:/${part}/outer/inner/`, ToPath: `PC:/${part}/inner/` },
      { name: 'CharacteristicDeleted', CharacteristicUuid: inner, ParentPartUuid: part },
    ]);
    expect(eventsOf('CharacteristicUuid', outer).map(({ name }) => name)).toEqual(['CharacteristicCreated', 'CharacteristicDeleted']);
    const names = listener.received.filter(({ data }) => Object.values(data).includes(part)).map(({ name }) => name);
    expect(names.lastIndexOf('PartDeleted')).toBe(names.length - 1);
  });

  it('of measurements have the documented form, and precede that of their deleted part [I19, I172, I181, D7.1, D7.3]', async () => {
    const [part, characteristic, first, second, third] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await change('POST', PARTS, [{ uuid: part, path: `P:/${part}/` }]);
    await change('POST', CHARACTERISTICS, [{ uuid: characteristic, path: `PC:/${part}/x/` }]);
    const measured = (uuid: string) => ({ uuid, partUuid: part, characteristics: { [characteristic]: { 1: '1.5' } } });
    await change('POST', '/dataServiceRest/values', [measured(first), measured(second)]);
    await change('POST', MEASUREMENTS, [{ uuid: third, partUuid: part }]);
    await change('PUT', '/dataServiceRest/values', [{ uuid: first, characteristics: {} }]);
    await change('PUT', MEASUREMENTS, [{ uuid: third, attributes: { 4: '2026-01-01T00:00:00Z' } }]);
    await change('DELETE', `${MEASUREMENTS}/${third}`);
    await change('DELETE', `${MEASUREMENTS}?measurementUuids={${first}}`);
    await change('DELETE', `${PARTS}/${part}`);
    await until('the part is deleted', () => eventsOf('PartUuid', part).some(({ name }) => name === 'PartDeleted'));

    const event = (name: string, uuid: string) => ({ name, CharacteristicUuid: part, PartUuid: part, MeasurementUuid: uuid });
    const about = (uuid: string) => listener.about(uuid).map(({ name, data }) => ({ name, ...data }));
    for (const uuid of [first, third]) {
      expect(about(uuid)).toEqual(['MeasurementCreated', 'MeasurementModified', 'MeasurementDeleted'].map((name) => event(name, uuid)));
    }
    expect(about(second)).toEqual(['MeasurementCreated', 'MeasurementDeleted'].map((name) => event(name, second)));
    const names = eventsOf('PartUuid', part).map(({ name }) => name);
    expect(names.slice(-2)).toEqual(['MeasurementDeleted', 'PartDeleted']);
  });

  it('of a cleared part delete the files of items below it, and keep its own [I112, I113, D6.1]', async () => {
    const [part, sub] = [randomUUID(), randomUUID()];
    await change('POST', PARTS, [
      { uuid: part, path: `P:/${part}/` },
      { uuid: sub, path: `PP:/${part}/sub/` },
    ]);
    const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"note.txt"' };
    for (const uuid of [part, sub]) {
      const upload = async () => (await send(product.url, { method: 'POST', path: `${FILES}/${uuid}`, headers, body: uuid })).status;
      await until('the file is taken', async () => (await upload()) === 201);
    }
    const clear = (query: string) => send(product.url, { method: 'POST', path: `${PARTS}/${part}/clear${query}` });
    const fileOf = async (uuid: string) => (await send(product.url, { path: `${FILES}/${uuid}/0` })).status;
    expect((await clear('?keep=subParts')).status).toBe(200);
    expect(await fileOf(part)).toBe(200);
    expect(await fileOf(sub)).toBe(200);
    expect((await clear('')).status).toBe(200);
    await listener.event('RawDataDeleted', sub);
    expect(await fileOf(part)).toBe(200);
    expect(await fileOf(sub)).toBe(404);
    expect(listener.about(part).map(({ name }) => name)).not.toContain('RawDataDeleted');
    await change('DELETE', `${PARTS}/${part}`);
    expect((await listener.event('RawDataDeleted', part)).data).toMatchObject({ RawDataEntity: 'Part', Filename: 'note.txt' });
  });
});
