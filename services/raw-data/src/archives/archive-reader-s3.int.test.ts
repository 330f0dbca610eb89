import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { backing, cuttableProxy, describeWith, testBucket, zip } from '@sinebar/testing';
import { s3Stores } from '../blobs/s3-stores.fixture.ts';
import { ArchiveReader } from './archive-reader.ts';
import { describeArchives } from './archive-reader.fixture.ts';
import { describeHostileArchives } from './hostile-archives.fixture.ts';
import { LIMITS, longEnough, WatchedBlobs } from './watched-blobs.fixture.ts';

describeWith(['s3'], 'in an S3 store', () => {
  const open = s3Stores();

  describeArchives(() => open());
  describeHostileArchives(() => open());

  it('answer 503 when the connection is cut while an entry is read, and the process survives', async () => {
    const { host, port } = backing().s3;
    const proxy = await cuttableProxy(host, port);
    const bucket = testBucket();
    const stored = await new WatchedBlobs(await open(bucket)).put(zip([{ name: 'large', content: randomBytes(30 * 2 ** 20), method: 0 }]));
    const reader = new ArchiveReader(await open(bucket, { endpoint: `http://127.0.0.1:${proxy.port}` }), LIMITS);
    const entry = (await reader.directory(stored, longEnough())).find('large');
    const chunks = reader.read(stored, entry as never, longEnough());
    await chunks.next();
    proxy.cut();
    const rest = async () => {
      for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
    };
    await expect(rest()).rejects.toMatchObject({ status: 503 });
    await expect(reader.read(stored, entry as never, longEnough()).next()).rejects.toMatchObject({ status: 503 });
    await proxy.close();
  });
});
