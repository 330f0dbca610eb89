import { randomUUID } from 'node:crypto';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ListDeflate } from './list-deflate.js';
import { MOST_PIECE_BYTES } from './match-finder.js';

const LAST_BLOCK = Buffer.from([0x03, 0x00]);

function compressed(pieces: readonly Uint8Array[]): Buffer {
  const deflate = new ListDeflate();
  return Buffer.concat([...pieces.map((piece) => deflate.pack(piece)), LAST_BLOCK]);
}

function inPieces(text: Buffer, bytes = 100_000): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / bytes) }, (_, i) => text.subarray(i * bytes, (i + 1) * bytes));
}

/** Measurements with a value of each characteristic. */
function values(characteristics: readonly string[], measurements: number, value: () => number): Buffer {
  const items = Array.from({ length: measurements }, () => {
    const measured = characteristics.map((uuid) => `"${uuid}":{"1":"${value().toFixed(6)}"}`);
    return `{"uuid":"${randomUUID()}","attributes":{"4":"2026-01-01T00:00:00Z"},"characteristics":{${measured.join(',')}}}`;
  });
  return Buffer.from(`[${items.join(',')}]`);
}

const randomUuids = Array.from({ length: 200 }, () => randomUUID());
const nearOne = () => 10 + Math.random();

describe('deflate for lists', () => {
  const uuid = fc.constantFrom(...randomUuids.slice(0, 20));
  const textOfLists = fc
    .array(
      fc.oneof(uuid, fc.json(), fc.constantFrom('","', '"},"', ':{"1":', ' ', 'é', '\0\0\0\0\0\0\0\0\0\0\0\0'), fc.double().map(String)),
      {
        maxLength: 400,
      },
    )
    .map((texts) => Buffer.from(texts.join('')));
  const bytes = fc.uint8Array({ maxLength: 5000 }).map((all) => Buffer.from(all));
  /** What is not a number as a double, zeros of both signs, long runs. */
  const runs = fc
    .tuple(
      fc.constantFrom([0], [255], [0, 0, 0, 0, 0, 0, 0, 128], [127, 248, 0, 0, 0, 0, 0, 0], [44, 34]),
      fc.integer({ min: 1, max: MOST_PIECE_BYTES }),
    )
    .map(([pattern, length]) => Buffer.alloc(length, Uint8Array.from(pattern)));

  it('unpacks to what was packed, whatever it is and in whatever pieces', () => {
    const pieces = fc.array(fc.oneof({ weight: 3, arbitrary: textOfLists }, bytes, runs), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, (all) => {
        const some = all.filter((piece) => piece.length > 0).map((piece) => piece.subarray(0, MOST_PIECE_BYTES));
        expect(inflateRawSync(compressed(some)).equals(Buffer.concat(some))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('lets every piece be unpacked before the next', () => {
    const deflate = new ListDeflate();
    const text = values(randomUuids, 20, nearOne);
    let sent = Buffer.alloc(0);
    for (const [i, piece] of inPieces(text, 30_000).entries()) {
      sent = Buffer.concat([sent, deflate.pack(piece)]);
      const decompressed = inflateRawSync(sent, { finishFlush: constants.Z_SYNC_FLUSH });
      expect(decompressed.equals(text.subarray(0, i * 30_000 + piece.length))).toBe(true);
    }
  });

  it('keeps nothing of a piece that is used for something else later', () => {
    const text = values(randomUuids, 40, nearOne);
    const deflate = new ListDeflate();
    const sent = inPieces(text).map((piece) => {
      const copy = Buffer.from(piece);
      const part = deflate.pack(copy);
      copy.fill(255);
      return part;
    });
    expect(inflateRawSync(Buffer.concat([...sent, LAST_BLOCK])).equals(text)).toBe(true);
  });

  it('packs several lists in turn as if each were alone', () => {
    const lists = [values(randomUuids, 30, nearOne), values(randomUuids.slice(50), 30, () => 1e6 * Math.random())].map((text) =>
      inPieces(text),
    );
    const inTurn = lists.map(() => ({ deflate: new ListDeflate(), sent: [] as Buffer[] }));
    for (let i = 0; i < 3; i += 1) {
      for (const [list, { deflate, sent }] of inTurn.entries()) sent.push(deflate.pack(lists[list]?.[i] as Buffer));
    }
    for (const [list, { sent }] of inTurn.entries()) {
      expect(Buffer.concat([...sent, LAST_BLOCK]).equals(compressed(lists[list]?.slice(0, 3) as Buffer[]))).toBe(true);
    }
  });

  it('packs as new when it is used again', () => {
    const deflate = new ListDeflate();
    for (const piece of inPieces(values(randomUuids, 30, nearOne))) deflate.pack(piece);
    deflate.again();
    const others = inPieces(values(randomUuids.slice(50), 30, nearOne));
    const sent = others.map((piece) => deflate.pack(piece));
    expect(Buffer.concat([...sent, LAST_BLOCK]).equals(compressed(others))).toBe(true);
  });

  const sameBeginning = randomUuids.map((each) => `0199a1b2-c3d4-7${each.slice(15)}`);
  const sameEnd = randomUuids.map((each) => `${each.slice(0, 8)}-1234-4567-89ab-0123456789ab`);
  const names = randomUuids.map((_, i) => `Hole pattern front left ${i}.X`);
  it.each([
    ['random uuids', randomUuids],
    ['uuids of one time', sameBeginning],
    ['uuids of one machine', sameEnd],
    ['names', names],
  ])('packs lists with %s better than zlib does at its fastest', (_, characteristics) => {
    const text = values(characteristics, 100, nearOne);
    const sent = compressed(inPieces(text));
    expect(sent.length).toBeLessThan(deflateRawSync(text, { level: 1 }).length);
    expect(inflateRawSync(sent).equals(text)).toBe(true);
  });

  it('gets used to what is different from what came before', () => {
    const lists = inPieces(values(randomUuids, 200, nearOne));
    const remarks = Array.from(
      { length: 40_000 },
      () => `{"14":"${String.fromCodePoint(0x4e00 + Math.floor(200 * Math.random()))}合格 ${Math.random()}"}`,
    );
    const deflate = new ListDeflate();
    for (const piece of lists) deflate.pack(piece);
    const others = inPieces(Buffer.from(remarks.join(',')));
    const sizes = others.map((piece) => deflate.pack(piece).length);
    const alone = new ListDeflate();
    const sizesAlone = others.map((piece) => alone.pack(piece).length);
    const total = (all: readonly number[]) => all.slice(4).reduce((sum, size) => sum + size, 0);
    expect(total(sizes)).toBeLessThan(1.05 * total(sizesAlone));
  });

  it('takes no more than twice the bytes for noise, and soon hardly more', () => {
    const lists = inPieces(values(randomUuids, 20, nearOne));
    const noise = inPieces(Buffer.from(Array.from({ length: 600_000 }, () => Math.floor(256 * Math.random()))));
    const deflate = new ListDeflate();
    for (const piece of lists) deflate.pack(piece);
    const rooms = noise.map((piece) => deflate.pack(piece).length / piece.length);
    expect(Math.max(...rooms)).toBeLessThan(2);
    expect(rooms.at(-1)).toBeLessThan(1.03);
  });
});
