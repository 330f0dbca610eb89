import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MAX_JSON_ITEMS } from '@sinebar/http';
import { CharacteristicLists } from './characteristic-lists.ts';
import { UuidIndex } from './uuid-index.ts';
import { uuidOfWords, WORDS_PER_UUID, wordsOfUuids } from './uuid-words.ts';
import { scanMeasurements } from './values-scanner.ts';

/** Count of uuids that fit into 3.8 MB. */
const UUIDS = 80_000;
/** A round with a good ratio proves the bound; bad ones may come from other work on the machine. */
const MAX_ROUNDS = 10;
/**
 * Colliding uuids that are not noticed would take a thousand times as long. The collection of garbage costs more while processors are busy.
 */
const MAX_RATIO = 10;
/** Every uuid has the hash 0, as a client could achieve who knows the random numbers of the process. */
const KNOWN_HASH = new Int32Array(4096);

const random = (count: number) => Array.from({ length: count }, () => randomUUID() as string);

/** Uuids that collide under a hash with fixed, publicly known multipliers. */
function chosen(count: number): string[] {
  const inverse = (factor: number) => {
    let found = factor;
    for (let i = 0; i < 5; i += 1) found = Math.imul(found, 2 - Math.imul(factor, found));
    return found;
  };
  const [first, second, third] = [inverse(0x9e3779b1), inverse(0x85ebca6b), inverse(0xc2b2ae35)] as const;
  const words = new Int32Array(count * WORDS_PER_UUID);
  for (let i = 0; i < count; i += 1) {
    const [b, c, d] = [Math.imul(i, 0x27d4eb2f), i, Math.imul(i, 0x165667b1)] as const;
    const behindC = Math.imul(d, third) ^ c ^ (d >>> 11);
    const behindB = Math.imul(behindC, second) ^ b ^ (c >>> 9);
    words.set([Math.imul(behindB, first) ^ (b >>> 7), b, c, d], i * WORDS_PER_UUID);
  }
  return Array.from({ length: count }, (_, i) => uuidOfWords(words, i * WORDS_PER_UUID));
}

function earlierHash(words: Int32Array, at: number): number {
  const [a, b, c, d] = [...words.subarray(at, at + WORDS_PER_UUID)] as [number, number, number, number];
  return Math.imul(Math.imul(Math.imul(a ^ (b >>> 7), 0x9e3779b1) ^ b ^ (c >>> 9), 0x85ebca6b) ^ c ^ (d >>> 11), 0xc2b2ae35) ^ d;
}

const bodyOf = (uuids: readonly string[]) =>
  Buffer.from(`[{"uuid":"${randomUUID()}","characteristics":{${uuids.map((uuid) => `"${uuid}":{"1":1}`).join(',')}}}]`);

/** Compares the processor times of the fastest of several rounds, so that other work on the machine does not count. */
function ratioOf(attack: () => unknown, usual: () => unknown): number {
  let [attackMs, usualMs] = [Infinity, Infinity];
  for (let round = 0; round === 0 || (round < MAX_ROUNDS && attackMs / usualMs >= MAX_RATIO); round += 1) {
    attackMs = Math.min(attackMs, processorMs(attack));
    usualMs = Math.min(usualMs, processorMs(usual));
  }
  return attackMs / usualMs;
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('uuids chosen to collide', () => {
  it('collide under a hash with a known seed', () => {
    const words = wordsOfUuids(chosen(1000));
    const hashes = Array.from({ length: 1000 }, (_, i) => earlierHash(words, i * WORDS_PER_UUID));
    expect([...new Set(hashes)]).toEqual([0]);
  });

  it('take at most ten times as long as random ones', () => {
    const [usual, attack] = [bodyOf(random(UUIDS)), bodyOf(chosen(UUIDS))];
    const ratio = ratioOf(
      () => scanMeasurements(attack),
      () => scanMeasurements(usual),
    );
    expect(ratio).toBeLessThan(MAX_RATIO);
  });

  it('take at most ten times as long as random ones when the client knows the hash', () => {
    const body = bodyOf(random(UUIDS));
    const ratio = ratioOf(
      () => scanMeasurements(body, new CharacteristicLists(KNOWN_HASH)),
      () => scanMeasurements(body),
    );
    expect(ratio).toBeLessThan(MAX_RATIO);
  });

  it('are refused like in the parser when a body has too many members', () => {
    expect(() => scanMeasurements(bodyOf(random(MAX_JSON_ITEMS + 1)))).toThrow(`has more than ${MAX_JSON_ITEMS} items`);
    expect(scanMeasurements(bodyOf(random(MAX_JSON_ITEMS)))[0]?.values?.characteristics.count).toBe(MAX_JSON_ITEMS);
  });
});

describe.each([
  ['random', undefined],
  ['all collide', KNOWN_HASH],
])('uuid index (%s)', (_name, hash) => {
  const uuids = random(500);
  const index = new UuidIndex(wordsOfUuids(uuids), uuids.length, hash);

  it('finds the position of each uuid', () => {
    expect(uuids.map((uuid) => index.indexOf(wordsOfUuids([uuid]), 0))).toEqual(uuids.map((_, i) => i));
  });

  it('does not find unknown uuids', () => {
    expect(random(100).filter((uuid) => index.indexOf(wordsOfUuids([uuid]), 0) !== -1)).toEqual([]);
  });

  it('reports the first duplicate', () => {
    const twice = [...uuids, uuids[7] as string, uuids[3] as string];
    expect(new UuidIndex(wordsOfUuids(twice), twice.length, hash).firstDuplicate).toBe(500);
  });

  it('uses the hash table unless too many uuids collide', () => {
    expect(index.isCrowded).toBe(hash !== undefined);
  });
});
