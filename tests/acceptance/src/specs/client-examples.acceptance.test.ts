import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SinebarClient, SinebarError, valueTarget, type EventName } from '@sinebar/client';
import { DISTURBANCE } from '../support/disturbance.ts';
import { itWith, launch, PrintedPrograms } from '../support/product/printed-programs.ts';
import { ROOT, temporaryFolder, type StartedProduct } from '../support/product/product.ts';
import { notedFetch, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { smallestKinds } from '../support/product/variants.ts';

const EXAMPLE = join(ROOT, 'packages/client/examples/follow-measurements.mjs');

describe.each(await smallestKinds('programs that use the product'))('programs that use the product, $name', (kind) => {
  const folder = temporaryFolder();
  let variant: Variant;
  let product: StartedProduct;
  let sinebar: SinebarClient;
  let programs: PrintedPrograms;
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start();
    sinebar = new SinebarClient({ url: product.url, fetch: notedFetch });
    programs = new PrintedPrograms('docs/clients.md', product.url);
  }, 150_000);
  afterAll(async () => {
    await product.stop();
    await variant.remove();
    folder.remove();
    programs.remove();
  }, 70_000);

  it('use the whole interface through the typed client', async () => {
    const part = randomUUID();
    const characteristic = randomUUID();
    const measurement = randomUUID();
    const catalog = randomUUID();
    const heard: EventName[] = [];
    const events = sinebar.events({ filters: [{ partPath: '/Typed' }] });
    events.onAny((name) => void heard.push(name));
    await events.connect({ signal: AbortSignal.timeout(20_000) });

    await sinebar.configuration.create('part', [
      { definitionType: 'AttributeDefinition', key: 1001, description: 'Number', type: 'AlphaNumeric', length: 20 },
    ]);
    await sinebar.configuration.create('catalog', [
      { definitionType: 'AttributeDefinition', key: 2001, description: 'Name', type: 'AlphaNumeric', length: 20 },
    ]);
    await sinebar.catalogs.create([
      { uuid: catalog, name: 'Machines', validAttributes: [2001], catalogEntries: [{ key: 1, attributes: { 2001: 'mill' } }] },
    ]);
    await sinebar.catalogs.addEntries(catalog, [{ key: -1, attributes: { 2001: 'lathe' } }]);
    expect((await sinebar.catalogs.get(catalog)).catalogEntries.map(({ attributes }) => attributes['2001'])).toEqual(['mill', 'lathe']);
    await sinebar.catalogs.deleteEntries(catalog, [1]);
    expect((await sinebar.catalogs.list())[0]?.catalogEntries).toHaveLength(1);
    expect((await sinebar.configuration.get()).partAttributes).toMatchObject([{ key: 1001, type: 'AlphaNumeric' }]);

    await sinebar.parts.create([{ uuid: part, path: 'P:/Typed/', attributes: { 1001: 'a b' } }]);
    await sinebar.characteristics.create([{ uuid: characteristic, path: 'PC:/Typed/Gap/' }]);
    await sinebar.parts.update([{ uuid: part, attributes: { 1001: 'c+d' } }]);
    expect(await sinebar.parts.get(part)).toMatchObject({ uuid: part, path: 'P:/Typed/', attributes: { 1001: 'c+d' } });
    expect(await sinebar.parts.list({ partUuids: [part], requestedPartAttributes: 'None' })).toMatchObject([{ attributes: {} }]);
    expect(await sinebar.parts.count({ partPath: '/', searchCondition: '1001=[c+d]' })).toBe(1);
    expect(await sinebar.characteristics.list({ partPath: '/Typed' })).toMatchObject([{ uuid: characteristic }]);
    expect(await sinebar.characteristics.count({ partPath: '/Typed' })).toBe(1);

    const values = { [characteristic]: { 1: 0.25 } };
    await sinebar.measurements.createWithValues([
      { uuid: measurement, partUuid: part, attributes: { 4: '2026-01-02T03:04:05Z' }, characteristics: values },
    ]);
    expect((await sinebar.measurements.getWithValues(measurement)).characteristics).toEqual({ [characteristic]: { 1: '0.25' } });
    expect(await sinebar.measurements.search({ partUuids: [part], fromModificationDate: new Date(0), order: '4 asc' })).toHaveLength(1);
    expect(await sinebar.measurements.searchWithValues({ partPath: '/Typed', requestedValueAttributes: [] })).toMatchObject([
      { uuid: measurement },
    ]);
    expect(await sinebar.measurements.distinctValues(4, { partUuids: [part] })).toEqual(['2026-01-02T03:04:05Z']);
    await sinebar.measurements.update([{ uuid: measurement, partUuid: part }]);
    expect((await sinebar.measurements.get(measurement)).attributes).toEqual({});

    const target = valueTarget(measurement, characteristic);
    const content = new TextEncoder().encode('picture');
    const { key } = await sinebar.rawData.upload(target, { fileName: 'Bohrung "ä" (1).txt', mimeType: 'text/plain', content });
    expect(await sinebar.rawData.listOf(target)).toMatchObject([{ key, fileName: 'Bohrung "ä" (1).txt', size: 7 }]);
    expect(await sinebar.rawData.list('Value', { uuids: [target.uuid], filter: "FileName like 'Bohrung*'" })).toHaveLength(1);
    await sinebar.rawData.replace(target, key, { fileName: 'b.txt', content: new Blob(['other']) });
    await sinebar.rawData.rename(target, key, { fileName: 'c.txt' });
    const answer = await sinebar.rawData.download(target, key, { range: { first: 1, last: 2 } });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe('th');
    const again = await sinebar.rawData.download(target, key, { ifNoneMatch: answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    await sinebar.rawData.delete(target, 'all');
    expect(await sinebar.rawData.listOf(target)).toEqual([]);

    await sinebar.measurements.delete({ measurementUuids: [measurement] });
    await sinebar.characteristics.delete({ charPath: '/Typed/Gap' });
    await sinebar.parts.clear(part);
    await sinebar.parts.delete({ partUuids: [part] });
    await sinebar.catalogs.delete([catalog]);
    await sinebar.configuration.delete('part', [1001]);
    await until('the last event', () => heard.includes('PartDeleted') && heard.includes('RawDataDeleted'));
    const ofRawData = (name: EventName) => name.startsWith('RawData');
    // Order is guaranteed per service only: delayed events of one may follow later events of the other.
    const inOrder = (names: EventName[]) =>
      DISTURBANCE === undefined ? names : [...names.filter((name) => !ofRawData(name)), ...names.filter(ofRawData)];
    const expected: EventName[] = [
      'PartCreated',
      'CharacteristicCreated',
      'PartModified',
      'MeasurementCreated',
      'MeasurementModified',
      'RawDataCreated',
      'RawDataModified',
      'RawDataModified',
      'RawDataDeleted',
      'MeasurementDeleted',
      'CharacteristicDeleted',
      'PartDeleted',
    ];
    expect(inOrder(heard)).toEqual(inOrder(expected));
    await events.close();
  });

  it('get errors with the message of the server', async () => {
    const error = await sinebar.parts.create([{ uuid: 'x', path: 'P:/y/' }]).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(SinebarError);
    expect(error).toMatchObject({ status: 400, code: 'InvalidRequest', details: [{ field: '[0].uuid' }] });
    await expect(sinebar.parts.get(randomUUID())).rejects.toMatchObject({ status: 404, code: 'NotFound' });
    await expect(sinebar.events({ filters: [{ events: ['Nothing' as 'PartCreated'] }] }).connect()).rejects.toThrow('is no event');
    await expect(sinebar.parts.list({ signal: AbortSignal.abort(new Error('changed my mind')) })).rejects.toThrow('changed my mind');
    await expect(sinebar.measurements.delete({})).rejects.toThrow('Name what to delete');
    await expect(sinebar.measurements.delete({ partUuids: [] })).rejects.toThrow('The list partUuids is empty');
  });

  it('follow measurements across their own restart', async () => {
    const part = randomUUID();
    const characteristic = randomUUID();
    await sinebar.parts.create([{ uuid: part, path: 'P:/Followed/' }]);
    await sinebar.characteristics.create([{ uuid: characteristic, path: 'PC:/Followed/Length/' }]);
    const measure = (value: number) =>
      sinebar.measurements.createWithValues([
        {
          uuid: randomUUID(),
          partUuid: part,
          attributes: { 4: '2026-01-02T03:04:05Z' },
          characteristics: { [characteristic]: { 1: value } },
        },
      ]);
    const follow = () => launch([process.execPath, EXAMPLE, product.url, join(folder.path, 'position.txt')]);
    const first = follow();
    await until('the example is connected', () => first.output().includes('connected'));
    await measure(1.5);
    await until('the first value', () => first.output().includes('MeasurementCreated 2026-01-02T03:04:05Z 1.5'));
    expect(await first.stop()).toBe(0);
    await measure(2.5);
    const second = follow();
    await measure(3.5);
    await until('both values', () => second.output().includes('3.5'));
    expect(second.output().match(/\d\.5$/gm)).toEqual(['2.5', '3.5']);
    await second.stop();
    await sinebar.parts.delete({ partUuids: [part] });
  });

  it('run the JavaScript of the page', async () => {
    expect(await programs.run('js')).toContain("path: 'P:/Shaft/'");
  });

  itWith(
    'python3',
    'run the Python of the page',
    async () => {
      expect((await programs.run('python')).trim()).toBe('201');
      expect(await programs.run('python')).toMatch(/^409 .*Bearing/);
    },
    60_000,
  );

  // The program requests its start position once and does not retry a 503 of a restarting NATS server.
  (DISTURBANCE === 'nats' ? it.skip : it)(
    'run the curl of the page',
    async () => {
      expect(await programs.run('sh')).toMatch(/"event":"PartCreated","data":\{"PartUuid":"6e2b7a51-3c1b-4e0e-9c53-0d5c1f1e7a10"/);
    },
    30_000,
  );
});
