import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, RawConnection } from '@sinebar/testing';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

const TABLE = 'part;characteristic;value\r\nBox;Width;1.5\r\n';
const PATH = '/exchangeServiceRest/imports?format=csv&dryRun=true';
const LENGTH = { 'Content-Length': String(TABLE.length) };

describeWith(['postgres'], 'bodies of imports', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const connection = () => new RawConnection((inspection.server.address() as AddressInfo).port);
  const send = async (headers: Record<string, string>, body = '', path = PATH): Promise<string> => {
    const client = connection();
    client.request(`POST ${path}`, headers, body);
    const answer = await client.until(/HTTP\/1\.1 [2-5][^]*\r\n\r\n[^]*\}/);
    await client.end();
    return answer;
  };

  it.each<[type: Record<string, string>]>([
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/octet-stream' }],
    [{ 'Content-Type': 'text/csv; charset=utf-8' }],
    [{}],
  ])('are read with %j [D6.10]', async (type) => {
    const answer = await send({ ...type, ...LENGTH }, TABLE);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"values":1');
  });

  it('are read in chunks [D6.10]', async () => {
    const answer = await send({ 'Transfer-Encoding': 'chunked' }, `${TABLE.length.toString(16)}\r\n${TABLE}\r\n0\r\n\r\n`);
    expect(answer).toContain('"values":1');
  });

  it.each(['multipart/form-data; boundary=x', '"Multipart/Form-Data"'])('are no form: %s [D6.10]', async (type) => {
    const form = `--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n${TABLE}--x--\r\n`;
    const answer = await send({ 'Content-Type': type, 'Content-Length': String(form.length) }, form);
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(answer).toContain('Send the file itself as the body');
  });

  it('are asked for with 100 (Continue) [D6.10]', async () => {
    const client = connection();
    client.request(`POST ${PATH}`, { ...LENGTH, Expect: '100-continue' });
    expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(TABLE);
    expect(await client.until(/HTTP\/1\.1 200 [^]*\}/)).toContain('"values":1');
    await client.end();
  });

  it.each<[why: string, status: number, headers: Record<string, string>, path: string]>([
    ['a form', 415, { ...LENGTH, 'Content-Type': 'multipart/form-data; boundary=x' }, PATH],
    ['a file that is too large', 413, { 'Content-Length': String(2 ** 31 + 1) }, PATH],
    ['an unknown format', 400, LENGTH, '/exchangeServiceRest/imports?format=pdf'],
    ['another coding', 415, { ...LENGTH, 'Content-Encoding': 'zstd' }, PATH],
    ['another coding in the background', 415, { ...LENGTH, 'Content-Encoding': 'zstd' }, `${PATH}&runAsync=true`],
  ])('are not asked for with %s [D6.10]', async (_, status, headers, path) => {
    const answer = await send({ ...headers, Expect: '100-continue' }, '', path);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });
});
