import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import sharp from 'sharp';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import type { BlobStore } from '../blobs/blob-store.ts';

const BASE = '/rawDataServiceRest/rawData';

describeWith(['postgres'], 'thumbnails of files', () => {
  let running: RunningRawData;
  let part: string;
  /** Called before the store opens an object. */
  let atGet: () => Promise<void> = () => Promise.resolve();
  /** Called before it stores one. */
  let atPut: () => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    const blobs = (store: BlobStore): BlobStore => {
      const [get, put] = [store.get.bind(store), store.put.bind(store)];
      return Object.assign(store, {
        get: async (...asked: Parameters<typeof get>) => {
          await atGet();
          return get(...asked);
        },
        put: async (...file: Parameters<typeof put>) => {
          await atPut();
          await put(...file);
        },
      });
    };
    running = await startRawData({ blobs, env: { SINEBAR_THUMBNAIL_MEMORY_MIB: '250' } });
    part = await running.inspection.create('pbox/');
  });
  afterAll(() => running.stop());

  const image = (width = 400, height = 200) =>
    sharp({ create: { width, height, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 128, sigma: 40 } } })
      .png()
      .toBuffer();
  const upload = async (body: Buffer | string, { uuid = part, key = -1, entity = 'part', type = 'image/png' } = {}): Promise<string> => {
    const answer = await request(running.server)
      .post(`${BASE}/${entity}/${encodeURIComponent(uuid)}/${key}`)
      .set({ 'Content-Disposition': '"photo.png"', 'Content-Type': type })
      .send(body);
    expect(answer.status).toBe(201);
    return `${BASE}/${entity}/${encodeURIComponent(uuid)}/${(answer.body as { key: number }).key}`;
  };
  const thumbnail = (address: string, headers: Record<string, string> = {}) =>
    request(running.server).get(`${address}/thumbnail`).set(headers).responseType('blob');
  const etagOf = ({ headers }: { headers: unknown }) => (headers as { etag: string }).etag;
  const failure = ({ body }: { body: unknown }) => JSON.parse((body as Buffer).toString()) as ErrorBody;
  const rows = () => running.query<{ object_name: string }>('SELECT object_name FROM thumbnail ORDER BY object_name');
  /** Every stored object belongs to a file or to a thumbnail, and none is missing. */
  const agrees = () =>
    eventually(async () => {
      const used = await running.query<{ name: string }>(
        'SELECT object_name AS name FROM raw_data_object UNION ALL SELECT object_name FROM thumbnail ORDER BY name',
      );
      expect(await running.storedNames()).toEqual(used.map(({ name }) => name));
    });

  it('are sent with the headers of a download and stored once [R8, R60]', async () => {
    const address = await upload(await image());
    const answer = await thumbnail(address);
    expect(answer.status).toBe(200);
    expect(await sharp(answer.body as Buffer).metadata()).toMatchObject({ format: 'jpeg', width: 256, height: 128 });
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String((answer.body as Buffer).length),
      'content-disposition': 'attachment; filename=photo.png.jpg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache, max-age=0, no-transform',
      etag: expect.stringMatching(/^"[0-9a-f]{32}-[0-9a-f]+-[0-9a-f]{8}"$/) as unknown,
    });
    const before = await rows();
    expect((await thumbnail(`${address.toUpperCase().replace('/RAWDATASERVICEREST/RAWDATA', BASE)}`)).body).toEqual(answer.body);
    expect(await rows()).toEqual(before);
    await agrees();
  });

  it('are answered with 304 when the client has them [D6.4]', async () => {
    const bytes = await image();
    const address = await upload(bytes);
    const { etag, 'last-modified': lastModified } = (await thumbnail(address)).headers as Record<string, string>;
    const same = await thumbnail(address, { 'If-None-Match': `"x", W/${etag}` });
    expect(same.status).toBe(304);
    expect(etagOf(same)).toBe(etag);
    expect((await thumbnail(address, { 'If-Modified-Since': lastModified as string })).status).toBe(304);
    expect((await thumbnail(address, { 'If-None-Match': '"other"' })).status).toBe(200);
    const head = await request(running.server).head(`${address}/thumbnail`);
    expect(head.status).toBe(200);
    expect(head.headers).toMatchObject({ etag, vary: 'Authorization', 'content-length': expect.stringMatching(/^[1-9]\d+$/) as unknown });
    const digest = createHash('md5').update(bytes).digest('hex');
    const cached = async (md5: string) =>
      (await request(running.server).get(`${address}/Thumbnail?ExpectedMd5=${md5}`)).headers['cache-control'];
    expect(await cached(digest)).toContain('immutable');
    expect(await cached('0'.repeat(31) + '1')).toContain('no-cache');
    expect((await request(running.server).get(`${address}/thumbnail?expectedMd5=x`)).status).toBe(400);
  });

  it('are made again when the file is replaced, and deleted with the last file of their content [R60]', async () => {
    const [first, second] = [await image(300, 300), await image(100, 300)];
    const one = await upload(first);
    const other = await upload(first);
    const { etag } = (await thumbnail(one)).headers as { etag: string };
    const count = (await rows()).length;
    expect((await thumbnail(other)).status).toBe(200);
    expect(await rows()).toHaveLength(count);
    const key = Number(one.split('/').at(-1));
    await upload(second, { key });
    const after = await thumbnail(one, { 'If-None-Match': etag });
    expect(after.status).toBe(200);
    expect((await sharp(after.body as Buffer).metadata()).width).toBe(85);
    // The other file still shows the first content.
    await eventually(async () => expect(await running.query('SELECT FROM blob_removal')).toEqual([]));
    expect(await rows()).toHaveLength(count + 1);
    await request(running.server).delete(other).expect(200);
    await eventually(async () => expect(await rows()).toHaveLength(count));
    await request(running.server).delete(one).expect(200);
    await eventually(async () => expect(await rows()).toHaveLength(count - 1));
    await agrees();
  });

  it('are deleted with everything below a deleted part', async () => {
    const uuid = await running.inspection.create('pgone/');
    const measurement = randomUUID();
    running.inspection.targets.set(`Measurement|${measurement}`, uuid);
    const before = await rows();
    for (const [entity, target] of [
      ['part', uuid],
      ['measurement', measurement],
    ] as const) {
      expect((await thumbnail(await upload(await image(), { entity, uuid: target }))).status).toBe(200);
    }
    expect(await rows()).toHaveLength(before.length + 2);
    await running.inspection.delete(uuid);
    await running.followed();
    await eventually(async () => expect(await rows()).toEqual(before));
    await agrees();
  });

  it('are 404 for files that are no readable image [D6.6]', async () => {
    const png = await image();
    for (const [body, reason] of [
      ['not an image', 'it is no JPEG, PNG, WebP, GIF, AVIF, TIFF or SVG image'],
      ['', 'it is no JPEG'],
      [png.subarray(0, 5000), 'it is damaged'],
    ] as const) {
      const address = await upload(body);
      for (const repetition of ['first', 'second']) {
        const answer = await thumbnail(address);
        expect([repetition, answer.status]).toEqual([repetition, 404]);
        expect(failure(answer).message).toContain(reason);
      }
    }
    // The first bytes decide, not the type.
    expect((await thumbnail(await upload(png, { type: 'application/octet-stream' }))).status).toBe(200);
    expect((await thumbnail(`${BASE}/part/${part}/9999`)).status).toBe(404);
    expect((await thumbnail(`${BASE}/part/${randomUUID()}/0`)).status).toBe(404);
    await agrees();
    expect(await running.spooled()).toEqual([]);
  });

  it('need the right to read the file [R60]', async () => {
    const address = await upload(await image());
    for (const round of ['made', 'stored']) {
      await running.as(somebody({ read: ['pother/'], write: ['pbox/'] }), async () => {
        expect([round, (await thumbnail(address)).status]).toEqual([round, 403]);
      });
      await running.as(somebody({ read: ['pbox/'] }), async () => expect((await thumbnail(address)).status).toBe(200));
    }
  });

  it('are made again when their bytes are lost', async () => {
    const address = await upload(await image());
    const first = await thumbnail(address);
    const [{ object_name }] = (await running.query(
      `SELECT thumbnail.object_name FROM thumbnail JOIN raw_data_object AS object USING (md5) WHERE object.key = $1`,
      [Number(address.split('/').at(-1))],
    )) as [{ object_name: string }];
    await running.blobs.remove([object_name]);
    const again = await thumbnail(address);
    expect(again.status).toBe(200);
    expect(etagOf(again)).not.toBe(etagOf(first));
    await agrees();
  });

  it('are made once for concurrent requests', async () => {
    const address = await upload(await image(2000, 2000));
    const before = (await running.storedNames()).length;
    let opened = 0;
    atGet = () => {
      opened += 1;
      return Promise.resolve();
    };
    const answers = await Promise.all(Array.from({ length: 30 }, () => thumbnail(address)));
    atGet = () => Promise.resolve();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(etagOf)).size).toBe(1);
    // Reads the first bytes, the file, and the thumbnail for each request.
    expect(opened).toBe(32);
    expect(await running.storedNames()).toHaveLength(before + 1);
  });

  it('are made two at a time, and refused when too many requests wait', async () => {
    const addresses: string[] = [];
    for (let i = 0; i < 206; i += 1) addresses.push(await upload(randomBytes(20)));
    let inside = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    atGet = () => {
      inside += 1;
      return gate;
    };
    const refused: (string | undefined)[] = [];
    const answers = addresses.map(async (address) => {
      const { status, headers } = await thumbnail(address);
      if (status === 503) refused.push(headers['retry-after']);
      return status;
    });
    try {
      await eventually(() => expect(refused).toEqual(['5', '5', '5', '5']));
      expect(inside).toBe(2);
    } finally {
      open();
      atGet = () => Promise.resolve();
    }
    expect((await Promise.all(answers)).filter((status) => status === 404)).toHaveLength(202);
    for (const address of addresses) expect((await thumbnail(address)).status).toBe(404);
  });

  it.each(['before it is read', 'before its thumbnail is stored'])('are removed for a file that is deleted %s', async (when) => {
    const address = await upload(await image());
    const remove = async () => {
      [atGet, atPut] = [() => Promise.resolve(), () => Promise.resolve()];
      await request(running.server).delete(address).expect(200);
    };
    if (when === 'before it is read') atGet = remove;
    else atPut = remove;
    expect((await thumbnail(address)).status).toBe(404);
    await agrees();
    await eventually(async () => expect(await running.query('SELECT FROM blob_removal WHERE due < now()')).toEqual([]));
    expect(await running.spooled()).toEqual([]);
  });

  it('keep the service alive with little memory when many hostile images are requested at the same time', async () => {
    const bombs: Buffer[] = [];
    const flat = sharp({ create: { width: 9000, height: 9000, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } });
    // Every pixel is in memory before the first row is complete: 324 MB.
    const large = await flat.png({ progressive: true }).toBuffer();
    for (let i = 0; i < 3; i += 1) {
      // Bytes behind the end of the image make the files different.
      bombs.push(Buffer.concat([large, Buffer.alloc(i)]));
      bombs.push(large.subarray(0, 20_000 + i));
      bombs.push(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9e8" height="9e8"><rect id="${i}"/></svg>`));
    }
    const addresses: string[] = [];
    for (const bomb of bombs) addresses.push(await upload(bomb));
    const rss = process.memoryUsage.rss();
    let highest = rss;
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 10);
    const answers = addresses.map(async (address) => (await thumbnail(address)).status);
    const other = await upload('something else', { type: 'text/plain' });
    expect((await request(running.server).get(other)).text).toBe('something else');
    const statuses = await Promise.all(answers);
    clearInterval(watch);
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(highest - rss).toBeLessThan(150 * 2 ** 20);
    expect((await thumbnail(await upload(await image()))).status).toBe(200);
    await agrees();
    expect(await running.spooled()).toEqual([]);
  }, 180_000);
});
