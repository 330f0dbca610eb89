import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pause } from '@sinebar/concurrency';
import { readAqdef, type FileContent, type FileMeasurement } from '@sinebar/exchange';
import { decodeExactText } from '../../../measurements/codec/exact-text.ts';
import { FileReaders, type Reading } from './file-readers.ts';
import type { ReadMeasurement } from './reading-messages.ts';

const UNNAMED = { zone: undefined, dateOrder: undefined, requestedDateOrder: undefined, encoding: undefined, mapping: undefined };
const FIELD = '\u0014';
const NEXT = '\u000f';
const FILE = [
  'K0100 4',
  'K1001/1 4711',
  'K2002/1 Bore',
  'K2002/2 Length',
  'K2002/3 Depth',
  'K5111/1 1',
  'K5113/2 1',
  'K5002/1 Holes',
  'K5103/1 2',
  'K5112/3 1',
  'K5103/2 3',
  'K4062/1 Gauge 7',
  `1.50${FIELD}0${FIELD}05.01.2026/08:30:00${NEXT}2.25${FIELD}5${FIELD}05.01.2026/08:30:00${NEXT}1e300`,
  `0.10000000000000000000001${NEXT}7${NEXT}12.500`,
  `-0${NEXT}0.0000000125`,
  '',
].join('\r\n');

describe('files that are read in a thread', () => {
  let folder: string;
  let readers: FileReaders;
  const warned: object[] = [];
  const reading = async (name: string, text: string, others: Partial<Reading> = {}): Promise<Reading> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return { path, format: 'aqdef', options: UNNAMED, areValuesWanted: true, ...others };
  };
  const readAll = (file: Reading, signal = new AbortController().signal) =>
    readers.use(signal, async (read) => {
      const measurements: ReadMeasurement[] = [];
      const reader = read(file);
      let next = await reader.next();
      for (; next.done !== true; next = await reader.next()) measurements.push(...next.value);
      return { measurements, content: next.value };
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-readers-'));
    readers = new FileReaders({ warn: (problem: object) => void warned.push(problem) }, { threads: 2, memoryMiB: 64 });
  });
  afterEach(() => void warned.splice(0));
  afterAll(async () => {
    await readers.close();
    await rm(folder, { recursive: true });
  });

  it('give the same as their reader', async () => {
    const measurements: FileMeasurement[] = [];
    const reader = readAqdef([Buffer.from(FILE)]);
    let next = await reader.next();
    for (; next.done !== true; next = await reader.next()) measurements.push(...next.value);
    const found = await readAll(await reading('same.dfq', FILE));
    expect(found.content).toEqual(next.value satisfies FileContent);
    const written = found.measurements.map(({ values: { values, digits, texts }, ...others }) => ({
      ...others,
      values: Array.from(values, (value, index) => decodeExactText(value, digits?.[index], texts.get(index))),
    }));
    expect(written).toEqual(measurements);
    expect(measurements.length).toBeGreaterThan(1);
  });

  it('are divided into messages, in which equal lists of characteristics are one', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i}${NEXT}${i}.5`);
    const file = await reading('many.dfq', ['K0100 2', 'K1001/1 4711', 'K2002/1 A', 'K2002/2 B', ...lines, ''].join('\n'));
    let read = 0;
    const { measurements, content } = await readAll({ ...file, onRead: (length) => (read += length) });
    expect(content).toMatchObject({ measurements: 30_000, values: 60_000 });
    expect(new Set(measurements.map(({ characteristics }) => characteristics)).size).toBe(1);
    expect(measurements.every(({ values: { values } }, i) => values[0] === i && values[1] === i + 0.5)).toBe(true);
    expect(read).toBe(Buffer.byteLength(['K0100 2', 'K1001/1 4711', 'K2002/1 A', 'K2002/2 B', ...lines, ''].join('\n')));
  });

  it('are refused where their thread runs out of memory, and the next one is read [D10.9]', async () => {
    const texts = Array.from({ length: 150_000 }, (_, i) => `K2002/${i + 1} ${String(i).padStart(400, 'x')}`);
    const file = await reading('large.dfq', ['K0100 150000', 'K1001/1 4711', ...texts, ''].join('\n'));
    await expect(readAll(file)).rejects.toMatchObject({ code: 'BodyTooLarge', message: expect.stringContaining('64 MiB of memory') });
    expect((await readAll(await reading('small.dfq', FILE))).measurements).toHaveLength(3);
  });

  it('end their thread with the signal, wherever it is [D10.9]', async () => {
    const gone = new AbortController();
    const text = ['K0100 1', 'K1001/1 4711', 'K2002/1 A', ...Array.from({ length: 400_000 }, (_, i) => String(i)), ''].join('\n');
    const file = await reading('endless.dfq', text);
    const started = readers.use(gone.signal, async (read) => {
      for await (const _ of read(file)) if (!gone.signal.aborted) gone.abort(new Error('the client is gone'));
    });
    await expect(started).rejects.toThrow('the client is gone');
    const stopped = new AbortController();
    const waiting = readAll(file, stopped.signal);
    await pause(5);
    stopped.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    // Both threads can be used again.
    const small = await reading('small.dfq', FILE);
    expect(await Promise.all([readAll(small), readAll(small)])).toHaveLength(2);
    expect(warned).toEqual([]);
  });

  it('that are given up leave their thread to others', async () => {
    const text = ['K0100 1', 'K1001/1 4711', 'K2002/1 A', ...Array.from({ length: 100_000 }, (_, i) => String(i)), ''].join('\n');
    const file = await reading('given-up.dfq', text);
    const { signal } = new AbortController();
    const giveUp = () =>
      readers.use(signal, async (read) => {
        for await (const some of read(file)) return some.length;
        return 0;
      });
    for (let i = 0; i < 4; i += 1) expect(await giveUp()).toBeGreaterThan(0);
  });

  it('that are not on the disk any more are a failure of the server', async () => {
    const file = { ...(await reading('small.dfq', FILE)), path: join(folder, 'missing.dfq') };
    await expect(readAll(file)).rejects.toMatchObject({ code: 'Unavailable', retryAfterSeconds: 10 });
  });

  it('whose reader fails are refused with a sentence, and the failure is logged', async () => {
    const file = await reading('small.dfq', FILE, { format: 'unknown' as Reading['format'] });
    await expect(readAll(file)).rejects.toMatchObject({ code: 'InvalidRequest', message: expect.stringContaining('cannot be read') });
    expect(warned).toHaveLength(1);
  });
});
