import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import { startRawData } from '../running-raw-data.fixture.ts';
import { advisoryKey } from '@sinebar/database';
import { BlobRemovalStore } from './blob-removal-store.ts';

const options = { signal: AbortSignal.timeout(20_000), statementTimeoutMs: 5000 };

describeWith(['postgres'], 'removals of blobs while another session holds the lock', () => {
  it('wait for the lock, and do not block each other', async () => {
    const { database, stop } = await startRawData({ start: false });
    try {
      const name: string = randomUUID();
      await database.write(options, (session) => new BlobRemovalStore(session).order([name]));
      const take = (work: () => Promise<void> = () => Promise.resolve()) =>
        database.write(options, async (session) => {
          const taken = await new BlobRemovalStore(session).take(10, 0);
          await work();
          return taken;
        });
      await database.read(options, async (session) => {
        const [lock] = await session.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${advisoryKey('removals')}) AS locked`);
        expect(lock?.locked).toBe(true);
        expect(await take()).toEqual([]);
        await session.query(`SELECT pg_advisory_unlock(${advisoryKey('removals')})`);
      });
      // Before the first commits, the second skips the locked order without waiting.
      expect(await take(async () => void expect(await take()).toEqual([]))).toEqual([name]);
    } finally {
      await stop();
    }
  });
});
