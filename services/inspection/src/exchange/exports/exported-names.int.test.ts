import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { importAnswerSchema } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

/** Characteristics whose names are those of attributes or of fixed columns, or hold separators. */
const NAMES = ['Bore;A', 'Batch', 'Zeit', 'Machine', '6', 'Temperatur', String.raw`a\/b`, '=1+1'];
const VALUES = ['1.234', '1234.5', '0.001', '1e-7', '-5', '1234567', '12.5', '3.14159265358979'];
const TABLE = [
  'measurement,time,part,6,14,801,K0010,characteristic,value',
  ...['1.234', '-0.5'].flatMap((temperature, m) =>
    NAMES.map((name, i) => {
      const value = VALUES[(i + m) % VALUES.length] ?? '';
      return `m${m},2026-01-05T08:0${m}:00Z,/Line/Welle,"a;b, c",SN-${m},${temperature},Mill ${m},${name},${value}`;
    }),
  ),
  '',
].join('\r\n');

describeWith(['postgres'], 'names in exports', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
    expect(importAnswerSchema.parse((await send('csv', Buffer.from(TABLE), '/')).body)).toMatchObject({
      values: 16,
      measurements: { created: 2 },
    });
    await request(inspection.server)
      .post('/dataServiceRest/configuration/measurement')
      .send([{ definitionType: 'AttributeDefinition', key: 801, description: 'Temperatur', type: 'Float' }])
      .expect(201);
    await send('csv', Buffer.from(TABLE.replaceAll('/Line/Welle', '/one/Welle')), '/');
  });
  afterAll(() => inspection.stop());

  function send(format: string, content: Buffer, partPath: string) {
    const address = `/exchangeServiceRest/imports?format=${format}&zone=UTC&partPath=${partPath}`;
    return request(inspection.server).post(address).set('Content-Type', 'application/octet-stream').send(content).expect(201);
  }
  const read = (query: string) => request(inspection.server).get(`/exchangeServiceRest/values?order=4 asc&deep=true&${query}`);
  const download = async (query: string) => (await read(query).responseType('blob').expect(200)).body as Buffer;
  /** The values below a part in the form for programs, without their uuids and the names of the parts above. */
  const valuesBelow = async (part: string) =>
    (await download(`format=csv&partPath=${part}`))
      .toString()
      .trimEnd()
      .split('\r\n')
      .map((line) => line.replace(/^[^,]*,/, '').replace(`${part}/`, '/'))
      .toSorted();

  it.each([
    ['csv', ''],
    ['csv', 'header=names'],
    ['csv', 'header=both'],
    ['csv', 'header=names&language=de&separator=semicolon&decimal=comma'],
    ['csv', 'header=names&layout=wide'],
    ['csv', 'header=both&layout=wide&language=de&separator=tab&decimal=comma'],
    ['csv', 'layout=wide'],
    ['xlsx', 'header=names&language=de'],
    ['xlsx', 'header=both&layout=wide'],
  ])('give the same values when %s with %j is imported', async (format, form) => {
    const part = `/${form === '' ? 'keys' : form.replaceAll(/\W/g, '-')}-${format}`;
    const file = await download(`format=${format}&partPath=/one&${form}`);
    expect(importAnswerSchema.parse((await send(format, file, part)).body)).toMatchObject({ warnings: [], values: 16 });
    expect(await valuesBelow(`${part}/one`)).toEqual(await valuesBelow('/one'));
  });

  it('are those of the attributes, in the language of the reader', async () => {
    const header = async (form: string) => (await download(`format=csv&partPath=/one&${form}`)).toString().split('\r\n').slice(0, 2);
    expect((await header('header=names'))[0]).toBe('measurement,time,part,characteristic,value,Batch,Machine,Serial number,Temperatur');
    expect((await header('header=both&language=de&separator=semicolon')).map((line) => line.replaceAll(';', ','))).toEqual([
      'Messung,Zeit,Teil,Merkmal,Wert,Charge,Maschine,Seriennummer,Temperatur',
      'measurement,time,part,characteristic,value,6,K0010,14,801',
    ]);
    expect((await header('layout=wide'))[0]).toContain(',/6,');
  });

  it.each([
    ['format=csv&decimal=comma', 'Use separator=semicolon'],
    ['format=xlsx&decimal=comma', 'Only CSV has it'],
    ['format=aqdef&header=names', 'AQDEF has a header of its own'],
    ['format=parquet&header=both', 'one name for each column'],
    ['format=csv&separator=x', 'comma, semicolon, tab'],
  ])('are refused with %s', async (query, message) => {
    expect(messageOf(await read(query).expect(400))).toContain(message);
  });
});
