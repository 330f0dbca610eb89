import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { bytesOf, readAll } from '../read-all.fixture.ts';
import { anyContent, comparable, type AnyContent } from './aqdef-content.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';
import { writeAqdef } from './aqdef-writer.ts';
import { SAMPLE } from './sample.fixture.ts';

const RUNS = size({ short: 60, long: 3000 });
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'];

async function written(content: Pick<AnyContent, 'parts' | 'measurements'>, zone: string): Promise<string> {
  let text = '';
  for await (const some of writeAqdef(content, [content.measurements], zone)) text += some;
  return text;
}

describe('AQDEF', () => {
  it('is read as it was written, whatever plan and values', async () => {
    await fc.assert(
      fc.asyncProperty(anyContent, fc.constantFrom(...ZONES), fc.integer({ min: 1, max: 100 }), async (content, zone, chunkBytes) => {
        const read = await readAll(readAqdef(bytesOf(await written(content, zone), chunkBytes), { zone }));
        expect(read.errors).toEqual([]);
        expect(comparable(read.parts, read.all)).toEqual(comparable(content.parts, content.measurements));
      }),
      { numRuns: RUNS },
    );
  });

  it('is written again as it was read', async () => {
    const zone = 'Europe/Berlin';
    const first = await readAll(readAqdef(bytesOf(SAMPLE), { zone }));
    const text = await written({ parts: [...first.parts], measurements: first.all }, zone);
    const second = await readAll(readAqdef(bytesOf(text), { zone }));
    expect(comparable(second.parts, second.all)).toEqual(comparable(first.parts, first.all));
  });
});

describe('any bytes', () => {
  const anyLine = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(fc.integer({ min: 0, max: 9999 }), fc.nat(3), fc.string({ maxLength: 12 }))
      .map(([key, index, text]) => `K${String(key).padStart(4, '0')}/${index} ${text}`),
    fc
      .tuple(fc.constantFrom('K0001', 'K0004', 'K0014', 'K2001', 'K1001', 'K5103', 'K5112', 'K2030', 'K0100'), fc.nat(4), fc.nat(5))
      .map(([key, index, value]) => `${key}/${index} ${value}`),
    fc
      .array(fc.constantFrom('1', '2.5', '255', '\u0014', '\u000f', 'x', '01.01.2026/10:00:00'), { maxLength: 12 })
      .map((words) => words.join('')),
  );

  it('are read to the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), async (lines, chunkBytes) => {
        const { errors, warnings, errorCount, measurements, all } = await readAll(readAqdef(bytesOf(lines.join('\n'), chunkBytes)));
        expect(errorCount).toBeGreaterThanOrEqual(errors.length);
        expect(all).toHaveLength(measurements);
        for (const { message } of [...errors, ...warnings]) expect(message).toMatch(/^\S.*\.$/s);
      }),
      { numRuns: 2 * RUNS },
    );
  });

  it('that are no text are read to the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        const { errorCount, parts } = await readAll(readAqdef([bytes]));
        expect(errorCount > 0 || parts.length > 0).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
