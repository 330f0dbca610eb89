import type { Session } from '@sinebar/database';
import { LRUCache } from 'lru-cache';
import { revisionKey, type ReadState } from '../../configuration/configuration.ts';
import type { AnalysedPart, AnalysisRights } from '../figures/analysed-part.ts';
import { readPlannedCharacteristics, type PlannedCharacteristic, type PlannedOptions } from '../figures/planned-characteristics.ts';

/** Characteristics in memory, at most: about 300 bytes each. */
const MAX_CACHED = 200_000;

/** Characteristics below parts as they were read last, valid while plan and configuration are unchanged. */
export class PlannedCharacteristicCache {
  private readonly lists = new LRUCache<string, readonly PlannedCharacteristic[]>({
    maxSize: MAX_CACHED,
    // A size must be positive.
    sizeCalculation: ({ length }) => length + 1,
  });

  /**
   * Reads the characteristics below a part, as {@link readPlannedCharacteristics} does.
   * @param state of plan and configuration in the snapshot of the session
   * @param rightsKey of the caller
   * @throws ServiceError 400 for too many
   */
  async read(
    session: Session,
    { configuration, plan }: ReadState,
    rightsKey: string,
    part: AnalysedPart,
    rights: AnalysisRights,
    options: PlannedOptions,
  ): Promise<readonly PlannedCharacteristic[]> {
    // The removal of a deleted attribute changes limits and not the plan.
    if (configuration.purging.has('characteristic')) return readPlannedCharacteristics(session, part, rights, options);
    const key = JSON.stringify([revisionKey(plan), configuration.version, rightsKey, part.id, options.depth, options.label]);
    const known = this.lists.get(key);
    if (known) return known;
    const read = await readPlannedCharacteristics(session, part, rights, options);
    this.lists.set(key, read);
    return read;
  }
}
