import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { deserialize, type Binary } from 'bson';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { WatchedBlobs } from './watched-blobs.fixture.ts';
import { zip, type WrittenEntry } from '@sinebar/testing';

export const BASE = '/rawDataServiceRest/rawData';
export const MESSAGE = 'Specified RawData is no archive of supported format!';

export const FILES: WrittenEntry[] = [
  { name: 'readme.txt', content: 'read me first' },
  { name: 'Sub/' },
  { name: 'Sub/Größe 100%.csv', content: '1;2;3\n'.repeat(5000) },
  { name: 'Sub/deeper/b.bin', content: randomBytes(400_000) },
  { name: 'README.TXT', content: 'of the same name' },
  { name: '../../etc/passwd', content: 'harmless' },
];
export const NAMES = FILES.map(({ name }) => name);

interface BsonFile {
  fileName: string;
  size: number;
  data: Binary;
  md5: string;
  archiveInfo: object;
}

/**
 * Starts the service on a store that records its calls. The part `part` has the archive of {@link FILES} under key 0 and another file under
 * key 1.
 */
export async function startWithArchives(): Promise<{ running: RunningRawData; watched: WatchedBlobs; part: string }> {
  const started: { watched?: WatchedBlobs } = {};
  const running = await startRawData({
    blobs: (store) => {
      const watched = new WatchedBlobs(store);
      started.watched = watched;
      return Object.assign(Object.create(store) as typeof store, { get: watched.get.bind(watched) });
    },
  });
  const part = await running.inspection.create('pbox/');
  const { upload } = archiveCalls(() => running);
  await upload(`part/${part}`, 0, zip(FILES));
  await upload(`part/${part}`, 1, Buffer.from('no archive'), 'text.zip');
  return { running, part, watched: started.watched as WatchedBlobs };
}

export function selector(uuid: string, key: number, entries?: string[]) {
  return { target: { entity: 'Part', uuid }, key, ...(entries && { entries }) };
}

/** Builds requests to the service, which may start later. */
export function archiveCalls(started: () => RunningRawData) {
  const upload = async (target: string, key: number, bytes: Buffer, fileName = 'a.zip') => {
    const answer = await request(started().server)
      .post(`${BASE}/${target}/${key}`)
      .set({ 'Content-Disposition': `"${fileName}"`, 'Content-Type': 'application/zip' })
      .send(bytes);
    expect(answer.status).toBe(201);
    return answer.body as object;
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(started().server)
      .get(`${BASE}${path}`)
      .set(headers)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
  const query = (kind: 'Entry' | 'Content', body: unknown) =>
    request(started().server)
      .post(`${BASE}/Archive${kind}Query`)
      .send(body as object);
  const bson = async (body: unknown) => {
    const answer = await query('Content', body).responseType('blob');
    if (answer.status !== 200) return { answer, files: [] };
    return { answer, files: Object.values(deserialize(answer.body as Buffer)) as BsonFile[] };
  };
  return { upload, get, query, bson };
}
