import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { SinebarClient } from '@sinebar/client';
import type { Manifest } from './manifest.ts';

/** Measurements of one request: a backup has all of them or none. */
const TOGETHER = 5;
const DAY_MS = 86_400_000;

export const rowsOf = ({ tables }: Manifest, name: string) => tables.find((table) => table.name === name)?.rows;

/** Writes, replaces and deletes continuously until stopped. */
export async function keepWriting(client: SinebarClient, worker: number, signal: AbortSignal, acknowledged: string[]): Promise<void> {
  const part = randomUUID();
  const characteristic = randomUUID();
  await client.parts.create([{ uuid: part, path: `P:/line ${worker}/` }]);
  await client.characteristics.create([{ uuid: characteristic, path: `PC:/line ${worker}/gap/` }]);
  for (let round = 0; !signal.aborted; round += 1) {
    const batch = Array.from({ length: TOGETHER }, () => ({
      uuid: randomUUID(),
      partUuid: part,
      attributes: { 4: new Date(worker * DAY_MS + round * 1000).toISOString() },
      characteristics: { [characteristic]: { 1: `${round}.50` } },
    }));
    await client.measurements.createWithValues(batch);
    acknowledged.push(...batch.map(({ uuid }) => uuid));
    const target = { entity: 'Measurement' as const, uuid: batch[0]?.uuid ?? '' };
    await client.rawData.upload(target, { fileName: 'first.txt', content: `first ${worker} ${round}` }, { key: 0 });
    await client.rawData.replace(target, 0, { fileName: 'second.txt', content: `second ${worker} ${round}` });
    if (round % 3 === 0) await client.rawData.delete(target, 0);
    const sub = randomUUID();
    await client.parts.create([{ uuid: sub, path: `PP:/line ${worker}/sub ${round}/` }]);
    if (round % 2 === 0) await client.parts.delete({ partUuids: [sub] });
  }
}

/**
 * Checks a restored backup of {@link keepWriting}: complete requests, and each file in one of its states.
 * @param acknowledged measurements that were stored before the backup began
 */
export async function expectRestored(client: SinebarClient, manifest: Manifest, acknowledged: readonly string[]): Promise<void> {
  const measurements = await client.measurements.searchWithValues();
  expect(measurements).toHaveLength(rowsOf(manifest, 'measurement') ?? -1);
  const present = new Set(measurements.map(({ uuid }) => uuid));
  expect(acknowledged.filter((uuid) => !present.has(uuid))).toEqual([]);
  const rounds = new Map<string, number>();
  for (const { attributes, characteristics } of measurements) {
    const time = attributes['4'] ?? '';
    rounds.set(time, (rounds.get(time) ?? 0) + 1);
    expect(Object.values(characteristics)).toEqual([{ 1: `${(Date.parse(time) % DAY_MS) / 1000}.50` }]);
  }
  expect(new Set(rounds.values())).toEqual(new Set([TOGETHER]));
  const files = await client.rawData.list('Measurement');
  expect(files).toHaveLength(rowsOf(manifest, 'raw_data_object') ?? -1);
  for (const { target, key, size } of files) {
    const text = await (await client.rawData.download(target, key)).text();
    expect(text).toMatch(/^(first|second) \d \d+$/);
    expect(text).toHaveLength(size);
  }
}
