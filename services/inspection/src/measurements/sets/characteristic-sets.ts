import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidField } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';
import { LRUCache } from 'lru-cache';
import type { IndexedMeasurement, SentCharacteristics } from '../codec/sent-measurement.ts';
import { UuidIndex } from '../codec/uuid-index.ts';
import { uuidOfWords, WORDS_PER_UUID, wordsOfUuids } from '../codec/uuid-words.ts';
import type { MeasuredPart } from './measured-parts.ts';

/** The shared list of characteristics that the positions of measured values refer to. */
export interface CharacteristicSet {
  id: number;
  /** Ids, ascending. */
  characteristicIds: readonly number[];
}

/** The characteristics of one part, unchanged while its `plan_version` is, and the set that their values are written with. */
export interface PartCharacteristics {
  /** Its `setId` names the set. */
  part: MeasuredPart;
  /** Ids by index in `index`. */
  ids: readonly number[];
  index: UuidIndex;
  set: CharacteristicSet | undefined;
  /** Positions in the set by index in `index`, -1 for a characteristic that is newer than the set. */
  positions: Int32Array;
  /** Result of {@link findIndexes}. */
  indexes: WeakMap<SentCharacteristics, Int32Array>;
}

/** Characteristics in memory, at most: about 60 bytes each. */
const MAX_CACHED = 500_000;

/** Shorter lists are searched again: a weak map of many thousands of them is slower. */
const KEPT_FROM = 16;

/** Characteristic sets of the parts that were written last; only committed ones are added. */
export class CharacteristicSetCache {
  private readonly byPart = new LRUCache<number, PartCharacteristics>({
    maxSize: MAX_CACHED,
    // A size must be positive; a part may have no characteristics.
    sizeCalculation: ({ ids }) => ids.length + 1,
  });

  /** @returns `undefined` also when the part or its set has changed since */
  find({ id, planVersion, setId }: MeasuredPart): PartCharacteristics | undefined {
    const found = this.byPart.get(id);
    return found?.part.planVersion === planVersion && found.part.setId === setId ? found : undefined;
  }

  put(characteristics: PartCharacteristics): void {
    this.byPart.set(characteristics.part.id, characteristics);
  }
}

/** For each measurement of a request, the indexes of its characteristics in `index` of their part; `undefined` without values. */
export type ValueIndexes = readonly (Int32Array | undefined)[];

/** Characteristics of the parts for which one transaction writes values. The transaction holds the plan lock. */
export class CharacteristicsInUse {
  private readonly session: WriteSession;
  private readonly cache: CharacteristicSetCache;
  private readonly byPart = new Map<number, PartCharacteristics>();

  constructor(session: WriteSession, cache: CharacteristicSetCache) {
    this.session = session;
    this.cache = cache;
  }

  of(part: MeasuredPart): PartCharacteristics | undefined {
    return this.byPart.get(part.id);
  }

  all(): Iterable<PartCharacteristics> {
    return this.byPart.values();
  }

  /** Loads the characteristics of the parts for which there are values. @param owners the parts of the measurements, in their order */
  async load(sent: readonly IndexedMeasurement[], owners: readonly MeasuredPart[]): Promise<void> {
    for (const [i, part] of owners.entries()) {
      if (this.byPart.has(part.id) || (sent[i]?.values?.characteristics.count ?? 0) === 0) continue;
      let characteristics = this.cache.find(part);
      if (!characteristics) {
        characteristics = await readPartCharacteristics(this.session, part);
        // A part with 50,000 characteristics took 30 ms; its values come next.
        await nextTurn();
      }
      this.byPart.set(part.id, characteristics);
    }
  }

  /** @throws ServiceError 400 a characteristic of another part */
  indexes(sent: readonly IndexedMeasurement[], owners: readonly MeasuredPart[]): ValueIndexes {
    return sent.map(({ uuid, index, values }, i) => {
      const characteristics = this.of(owners[i] as MeasuredPart);
      if (!values || !characteristics || values.characteristics.count === 0) return undefined;
      const indexes = findIndexes(values.characteristics, characteristics);
      if (indexes instanceof Int32Array) return indexes;
      const { unknownUuid } = indexes;
      throw invalidField(
        `[${index}].characteristics.${unknownUuid}`,
        `There is no characteristic ${unknownUuid} in the part of the measurement ${uuid}.`,
      );
    });
  }

  /** Whether the parts have all sets that values need. */
  haveSets(owners: readonly MeasuredPart[], indexes: ValueIndexes): boolean {
    return this.withoutSets(owners, indexes).size === 0;
  }

  /** Creates the sets that values need, ordered by part: other transactions may create the same ones at the same time. */
  async createMissingSets(owners: readonly MeasuredPart[], indexes: ValueIndexes): Promise<void> {
    for (const characteristics of [...this.withoutSets(owners, indexes)].sort((a, b) => a.part.id - b.part.id))
      this.byPart.set(characteristics.part.id, await createCharacteristicSet(this.session, characteristics));
  }

  private withoutSets(owners: readonly MeasuredPart[], indexes: ValueIndexes): Set<PartCharacteristics> {
    const incomplete = new Set<PartCharacteristics>();
    const checked = new Set<Int32Array>();
    indexes.forEach((own, i) => {
      const characteristics = this.of(owners[i] as MeasuredPart);
      if (!own || !characteristics || checked.has(own)) return;
      checked.add(own);
      if (own.some((at) => (characteristics.positions[at] as number) < 0)) incomplete.add(characteristics);
    });
    return incomplete;
  }
}

async function readPartCharacteristics(session: Session, part: MeasuredPart): Promise<PartCharacteristics> {
  const rows = await session.query<{ id: number; uuid: string }>(
    `SELECT id, uuid FROM plan_item WHERE part_id = $1 AND kind = 'characteristic' ORDER BY id`,
    [part.id],
    { name: 'characteristics-of-part' },
  );
  const [set] = await session.query<{ id: number; ids: number[] }>(
    'SELECT id, characteristic_ids AS ids FROM characteristic_set WHERE part_id = $1 AND NOT stale ORDER BY id DESC LIMIT 1',
    [part.id],
    { name: 'characteristic-set-of-part' },
  );
  const ids = rows.map((row) => row.id);
  const index = new UuidIndex(wordsOfUuids(rows.map(({ uuid }) => uuid)), rows.length);
  return withSet({ part, ids, index }, set && { id: set.id, characteristicIds: set.ids });
}

/** Makes a set of all characteristics that the part has now. */
async function createCharacteristicSet(session: WriteSession, { part, ids, index }: PartCharacteristics): Promise<PartCharacteristics> {
  const listed = ids.join(',');
  const hash = createHash('sha256').update(listed).digest();
  await session.query(
    'INSERT INTO characteristic_set (part_id, characteristic_ids, hash) VALUES ($1, $2, $3) ON CONFLICT (part_id, hash) DO NOTHING',
    // The driver takes ten times as long to write a long array as a text.
    [part.id, `{${listed}}`, hash],
  );
  const [row] = await session.query<{ id: number }>('SELECT id FROM characteristic_set WHERE part_id = $1 AND hash = $2', [part.id, hash]);
  if (!row) throw new Error(`the characteristic set of part ${part.id} is missing`);
  return withSet({ part, ids, index }, { id: row.id, characteristicIds: ids });
}

function withSet(
  { part, ids, index }: Pick<PartCharacteristics, 'part' | 'ids' | 'index'>,
  set: CharacteristicSet | undefined,
): PartCharacteristics {
  const positionOf = new Map(set?.characteristicIds.map((id, position) => [id, position]));
  return {
    part: { ...part, setId: set?.id ?? null },
    ids,
    index,
    set,
    positions: Int32Array.from(ids, (id) => positionOf.get(id) ?? -1),
    indexes: new WeakMap(),
  };
}

/**
 * Finds the indexes in `index` of the part for the characteristics that a request names.
 * @returns the uuid of the first one that does not belong to the part, when there is one
 */
function findIndexes(sent: SentCharacteristics, { index, indexes: known }: PartCharacteristics): Int32Array | { unknownUuid: string } {
  const isKept = sent.count >= KEPT_FROM;
  const found = isKept ? known.get(sent) : undefined;
  if (found) return found;
  const indexes = new Int32Array(sent.count);
  for (let i = 0; i < sent.count; i += 1) {
    const at = index.indexOf(sent.words, i * WORDS_PER_UUID);
    if (at < 0) return { unknownUuid: uuidOfWords(sent.words, i * WORDS_PER_UUID) };
    indexes[i] = at;
  }
  if (isKept) known.set(sent, indexes);
  return indexes;
}
