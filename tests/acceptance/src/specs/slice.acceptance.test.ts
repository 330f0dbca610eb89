import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { noteSkip } from '@sinebar/testing';
import { BAD_REQUESTS } from '../support/requests/bad-requests.ts';
import { EventListener, WAYS } from '../support/events/event-listener.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { errorBodyProblem, send, sendJson, sendRaw, until, type Answer } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { variantKinds } from '../support/product/variants.ts';

const PARTS = '/dataServiceRest/parts';
const FILES = '/rawDataServiceRest/rawData/part';
const INFORMATION = '/rawDataServiceRest/rawDataInformation/part';

interface Target {
  name: string;
  start(): Promise<string>;
  stop(): Promise<void>;
}

const targets: Target[] = [];
for (const kind of await variantKinds()) {
  if (kind.missing !== undefined) {
    noteSkip(kind.missing, `slice, ${kind.name}`);
    continue;
  }
  let variant: Variant | undefined;
  let product: StartedProduct | undefined;
  targets.push({
    name: kind.name,
    start: async () => {
      variant = await kind.create();
      product = await variant.start();
      return product.url;
    },
    stop: async () => {
      try {
        await product?.stop();
      } finally {
        await variant?.remove();
      }
    },
  });
}

if (targets.length === 0) describe.skip('slice', () => it('has nothing to run on', () => undefined));

describe.each(targets)('slice on $name', (target) => {
  let url: string;
  const listeners: EventListener[] = [];
  const created: string[] = [];

  beforeAll(async () => {
    url = await target.start();
  }, 180_000);
  afterAll(async () => {
    await target.stop();
  }, 120_000);
  afterEach(async () => {
    for (const listener of listeners.splice(0)) listener.close();
    for (const uuid of created.splice(0)) await send(url, { method: 'DELETE', path: `${PARTS}/${uuid}` });
  });

  async function createPart(name: string = `part ${randomUUID()}`): Promise<{ uuid: string; name: string }> {
    const uuid = randomUUID();
    const answer = await sendJson(url, 'POST', PARTS, [{ uuid, path: `P:/${name}/` }]);
    expect({ status: answer.status, text: answer.bytes.toString() }).toMatchObject({ status: 201 });
    created.push(uuid);
    return { uuid, name };
  }
  const upload = (uuid: string, body: string | Buffer, headers: Record<string, string> = {}, key = ''): Promise<Answer> =>
    send(url, {
      method: 'POST',
      path: `${FILES}/${uuid}${key}`,
      headers: {
        'Content-Type': 'text/plain',
        'Content-Disposition': '"note.txt"',
        'Content-Length': String(Buffer.byteLength(body)),
        ...headers,
      },
      body,
    });
  /** Raw data accepts the file once it has received the event of the part, soon after the answer. */
  const uploaded = async (uuid: string, body: string | Buffer): Promise<{ key: number; md5: string; size: number; fileName: string }> => {
    let answer: Answer | undefined;
    await until('the file is taken', async () => (answer = await upload(uuid, body)).status !== 404);
    expect({ status: answer?.status, text: answer?.bytes.toString() }).toMatchObject({ status: 201 });
    return answer?.json() as { key: number; md5: string; size: number; fileName: string };
  };
  const filesOf = async (uuid: string) => (await send(url, { path: `${INFORMATION}/${uuid}` })).json() as unknown[];

  it.each(WAYS)(
    'creates, reads and deletes, with an event for each step, $name [I5, I171, I204, R59, R61, R64, R89, R91, D7.1]',
    async ({ connect }) => {
      const listener = await new EventListener(connect(url)).connected();
      listeners.push(listener);
      const { uuid, name } = await createPart();
      const event = await listener.event('PartCreated', uuid);
      expect(event.data).toEqual({ PartUuid: uuid, ParentPartUuid: '00000000-0000-0000-0000-000000000000' });
      expect(event.meta).toEqual({
        id: expect.any(String),
        time: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        sequence: expect.any(String),
      });

      const part = { uuid, path: `P:/${name}/`, attributes: {} };
      expect((await send(url, { path: `${PARTS}/${uuid}` })).json()).toMatchObject(part);
      expect((await send(url, { path: `${PARTS}?partPath=${encodeURIComponent(`/${name}/`)}&depth=0` })).json()).toMatchObject([part]);
      expect((await send(url, { path: PARTS })).json()).toContainEqual(expect.objectContaining(part));

      const content = Buffer.from('Messprotokoll\n');
      const file = await uploaded(uuid, content);
      expect(file).toMatchObject({
        target: { entity: 'Part', uuid },
        key: 0,
        fileName: 'note.txt',
        mimeType: 'text/plain',
        size: content.length,
      });
      expect((await listener.event('RawDataCreated', uuid)).data).toEqual({
        RawDataEntity: 'Part',
        TargetUuid: uuid,
        Key: 0,
        Filename: 'note.txt',
      });
      expect(await filesOf(uuid)).toMatchObject([{ key: 0, md5: file.md5 }]);

      const fetched = await send(url, { path: `${FILES}/${uuid}/0` });
      expect(fetched.status).toBe(200);
      expect(fetched.bytes).toEqual(content);
      expect(fetched.headers['content-type']).toMatch(/^text\/plain/);
      const etag = fetched.headers.etag ?? '';
      expect(etag).toMatch(new RegExp(`^"${createHash('md5').update(content).digest('hex')}.*"$`));
      expect(Date.parse(fetched.headers['last-modified'] ?? '')).not.toBeNaN();
      const unchanged = await send(url, { path: `${FILES}/${uuid}/0`, headers: { 'If-None-Match': etag } });
      expect(unchanged.status).toBe(304);
      expect(unchanged.bytes).toHaveLength(0);

      expect((await send(url, { method: 'DELETE', path: `${FILES}/${uuid}/0` })).status).toBe(200);
      expect((await listener.event('RawDataDeleted', uuid)).data).toEqual({
        RawDataEntity: 'Part',
        TargetUuid: uuid,
        Key: 0,
        Filename: 'note.txt',
      });
      expect((await send(url, { path: `${FILES}/${uuid}/0` })).status).toBe(404);

      expect((await send(url, { method: 'DELETE', path: `${PARTS}/${uuid}` })).status).toBe(200);
      await listener.event('PartDeleted', uuid);
      expect((await send(url, { path: `${PARTS}/${uuid}` })).status).toBe(404);
      expect(listener.about(uuid).map((seen) => seen.name)).toEqual(['PartCreated', 'RawDataCreated', 'RawDataDeleted', 'PartDeleted']);
      expect(new Set(listener.received.map(({ meta }) => meta.id)).size).toBe(listener.received.length);
    },
    120_000,
  );

  it('deletes the files of a part with the part', async () => {
    const listener = await new EventListener((WAYS[0] as (typeof WAYS)[number]).connect(url)).connected();
    listeners.push(listener);
    const { uuid } = await createPart();
    await uploaded(uuid, 'one');
    expect((await send(url, { method: 'DELETE', path: `${PARTS}/${uuid}` })).status).toBe(200);
    await listener.event('RawDataDeleted', uuid);
    await until('the file is removed', async () => (await send(url, { path: `${FILES}/${uuid}/0` })).status === 404);
  });

  it('refuses files for a part that does not exist [D6.1]', async () => {
    const answer = await upload(randomUUID(), 'nobody');
    expect(answer.status).toBe(404);
    expect(errorBodyProblem(answer)).toBeUndefined();
  });

  it('accepts addresses, parameters and uuids as clients write them [I4, R4, R5, D1.2-D1.4]', async () => {
    const { uuid, name } = await createPart();
    await uploaded(uuid, 'x');
    const braces = `{${uuid.toUpperCase()}}`;
    for (const path of [
      `/DATASERVICEREST/Parts/${uuid.toUpperCase()}`,
      `/dataservicerest/parts/${uuid}/`,
      `${PARTS}/${encodeURIComponent(braces)}`,
      `${PARTS}/${braces}`,
      `${PARTS}?PARTUUIDS=${encodeURIComponent(`{ ${braces} }`)}`,
      `${PARTS}?partuuids=${uuid}`,
      `${PARTS}?PartPath=${encodeURIComponent(name)}&DEPTH=0`,
      `${PARTS}?partPath=${encodeURIComponent(`/${name.toUpperCase()}/`)}&depth=0`,
    ]) {
      const answer = await send(url, { path });
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, ...[answer.json()].flat()]).toEqual([path, expect.objectContaining({ uuid, path: `P:/${name}/` })]);
    }
    for (const path of [`/rawdataservicerest/rawData/Part/${uuid}/0`, `/RawDataServiceRest/RAWDATA/parts/${braces}/0/`]) {
      const answer = await send(url, { path });
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, answer.bytes.toString()]).toEqual([path, 'x']);
    }
    expect((await send(url, { method: 'DELETE', path: `/rawDataServiceRest/rawData/Part/{${uuid}}/0` })).status).toBe(200);
  });

  it('reports its name and version [D1.1, D9]', async () => {
    for (const path of ['/dataServiceRest', '/dataServiceRest/', '/rawDataServiceRest/', '/eventServiceRest/', '/healthServiceRest/']) {
      expect([path, (await send(url, { path })).json()]).toEqual([path, { supportedVersions: [expect.stringMatching(/^\d+\.\d+\.\d+$/)] }]);
    }
    expect((await send(url, { path: '/healthServiceRest/ready' })).json()).toMatchObject({ status: 'Healthy' });
    expect((await send(url, { path: '/dataServiceRest/serviceInformation' })).json()).toMatchObject({
      securityEnabled: false,
      serverName: expect.any(String),
    });
  });

  it('writes all parts of a request or none [D2.3]', async () => {
    const [good, bad] = [randomUUID(), randomUUID()];
    const answer = await sendJson(url, 'POST', PARTS, [
      { uuid: good, path: `P:/${good}/` },
      { uuid: bad, path: `PP:/not there ${bad}/child/` },
    ]);
    expect(answer.status).toBe(400);
    expect(errorBodyProblem(answer)).toBeUndefined();
    expect((await send(url, { path: `${PARTS}/${good}` })).status).toBe(404);
    const { uuid } = await createPart();
    const again = {
      method: 'POST',
      path: PARTS,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([{ uuid, path: `P:/again ${uuid}/` }]),
    };
    expect((await send(url, { ...again, isToBeRefused: true })).status).toBe(409);
  });

  it('stores nothing of an upload that breaks off or does not match its headers [R66]', async () => {
    const { uuid } = await createPart();
    await uploaded(uuid, 'whole');
    const head = `POST ${FILES}/${uuid} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Disposition: "half.txt"\r\n`;
    await sendRaw(url, `${head}Content-Length: 100000\r\n\r\n${'x'.repeat(500)}`, { cutAfterMs: 200 });
    await sendRaw(url, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, { cutAfterMs: 200 });
    const wrong = await upload(uuid, 'content', { 'Content-MD5': 'AAAAAAAAAAAAAAAAAAAAAQ==' });
    expect(wrong.status).toBe(400);
    expect(errorBodyProblem(wrong)).toBeUndefined();
    // A later upload shows that the server has handled those before it.
    expect((await upload(uuid, 'later', { 'Content-Disposition': '"later.txt"' })).status).toBe(201);
    expect(await filesOf(uuid)).toMatchObject([
      { key: 0, fileName: 'note.txt' },
      { key: 1, fileName: 'later.txt' },
    ]);
  });

  it.each(BAD_REQUESTS)('answers $name with a message and changes nothing', async ({ request, status, allow }) => {
    const { uuid } = await createPart();
    const sent = request(uuid);
    const answer = await send(url, { ...sent, isToBeRefused: true });
    const allowed = typeof status === 'number' ? [status] : status;
    if (!allowed.includes(answer.status))
      throw new Error(`expected ${allowed.join(' or ')}, got ${answer.status}: ${answer.bytes.toString().slice(0, 500)}`);
    if (sent.method !== 'HEAD') expect(errorBodyProblem(answer)).toBeUndefined();
    if (allow !== undefined) expect(answer.headers.allow?.split(/,\s*/)).toEqual(expect.arrayContaining(allow));
    expect((await send(url, { path: `${PARTS}/${uuid}` })).status).toBe(200);
    expect(await filesOf(uuid)).toEqual([]);
  });
});
