import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { importAnswerSchema, type ImportAnswer } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { define } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

describeWith(['postgres'], 'files of machines', () => {
  let inspection: RunningInspection;
  const post = (bytes: Uint8Array, query: string) =>
    request(inspection.server)
      .post(`/exchangeServiceRest/imports?zone=Europe/Berlin&${query}`)
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from(bytes));
  const imported = async (bytes: Uint8Array, query: string, status = 201): Promise<ImportAnswer> =>
    importAnswerSchema.parse((await post(bytes, query).expect(status)).body);
  const exported = async (query: string): Promise<string> =>
    (await request(inspection.server).get(`/exchangeServiceRest/values?format=csv&${query}`).expect(200)).text;
  const aqdef = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n') + '\r\n');

  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_DATE_ORDER: 'dmy' });
    await define(
      inspection,
      { key: 4, entity: 'measurement', type: 'DateTime' },
      { key: 1001, entity: 'part', type: 'AlphaNumeric', length: 30 },
      { key: 2002, entity: 'characteristic', type: 'AlphaNumeric', length: 80 },
    );
  });
  afterAll(() => inspection.stop());

  it('are decoded as the request says', async () => {
    const text = Uint8Array.of(0xd6, 0xe1, 0xb3, 0xd0);
    const file = Buffer.concat([aqdef('K0100 1'), Buffer.from('K1001/1 '), text, aqdef('', 'K2002/1 A', '1.5')]);
    await imported(file, 'format=aqdef&partPath=/gbk&encoding=gbk');
    expect(await exported('partPath=/gbk&deep=true')).toContain('/gbk/轴承');
  });

  it('keep their names as they are written in tables', async () => {
    await imported(aqdef('K0100 1', 'K1001/1 Maß', 'K2002/1 Größe ß', '1.5'), 'format=aqdef&partPath=/sharp');
    expect(await exported('partPath=/sharp&deep=true')).toContain('/sharp/Maß,Größe ß,1.5');
  });

  it('are read with a warning at the end where their encoding is guessed', async () => {
    const file = Buffer.from(aqdef('K0100 1', 'K1001/1 Maß', 'K7001/1 x', 'K2002/1 A', '1.5').toString(), 'latin1');
    const { warnings } = await imported(file, 'format=aqdef&partPath=/guessed');
    expect(warnings.at(-1)?.message).toMatch(/windows-1252.*encoding=/);
  });

  it('are refused with an encoding that is unknown', async () => {
    const { body } = (await post(aqdef('K0100 1'), 'format=aqdef&encoding=klingon').expect(400)) as { body: { message: string } };
    expect(body.message).toMatch(/encoding.*windows-1250.*klingon/);
  });

  it('have dates in the order of the server, of the request, and are other imports in another order [D11.8]', async () => {
    const file = aqdef('K0100 1', 'K1001/1 P', 'K2002/1 A', '1.5\u00140\u00145/7/2026 10:00:00');
    await imported(file, 'format=aqdef&partPath=/order');
    await imported(file, 'format=aqdef&partPath=/order', 200);
    await imported(file, 'format=aqdef&partPath=/order&dateOrder=mdy');
    const csv = await exported('partPath=/order&deep=true');
    expect(csv).toContain('2026-07-05T08:00:00Z');
    expect(csv).toContain('2026-05-07T08:00:00Z');
  });
});
