import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ImportSpool } from './spooled-body.js';

const { signal } = new AbortController();
const body = (...chunks: readonly string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('sinebar-import-')).length;

describe('the temporary files of imports', () => {
  it('are read as often as needed', async () => {
    const spooled = await new ImportSpool().receive(body('ab', 'c'), signal);
    for (let i = 0; i < 2; i += 1) expect(await readFile(spooled.path, 'utf8')).toBe('abc');
    expect(spooled).toMatchObject({ md5: '900150983cd24fb0d6963f7d28e17f72', sizeBytes: 3 });
    await spooled.remove();
  });

  it('are refused with 503 while others fill the space, and taken again when these are removed', async () => {
    const spool = new ImportSpool(10);
    const first = await spool.receive(body('12345678'), signal);
    const before = folders();
    await expect(spool.receive(body('123'), signal)).rejects.toMatchObject({ code: 'Overloaded', retryAfterSeconds: 30 });
    // The refused file leaves nothing.
    expect(folders()).toBe(before);
    await first.remove();
    const second = await spool.receive(body('123'), signal);
    await second.remove();
  });

  it('are removed when the sender breaks off', async () => {
    const before = folders();
    const broken: Readable = new Readable({ read: () => broken.destroy(new Error('the connection was lost')) });
    await expect(new ImportSpool().receive(broken, signal)).rejects.toThrow('the connection was lost');
    expect(folders()).toBe(before);
  });
});
