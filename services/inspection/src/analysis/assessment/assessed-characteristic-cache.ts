import type { Session } from '@sinebar/database';
import { LRUCache } from 'lru-cache';
import { revisionKey, type Configuration, type ConfigurationReader } from '../../configuration/configuration.ts';
import { readExcludedOfParts, type EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import { readEvaluationRevisions } from '../../evaluation/evaluation-store.ts';
import { readAssessedCharacteristics, type AssessedCharacteristic } from './assessed-characteristics.ts';

/** Characteristics in memory, at most: about a kilobyte each. */
const MAX_CACHED = 30_000;

export interface AssessedCharacteristicDependencies {
  configurations: ConfigurationReader;
  evaluations: EvaluationReader;
}

/** Everything that the characteristics of a part depend on, as a transaction sees it. */
export interface PartState {
  configuration: Configuration;
  /** Plan, configuration, evaluations, what is left out, required capability and characteristic sets; absent where nothing is kept. */
  state: string | undefined;
}

/** Characteristics of a part as they were read in one state. */
interface CachedPart {
  state: string;
  byId: ReadonlyMap<number, AssessedCharacteristic>;
}

/**
 * Characteristics of parts as they were read last, for a job that needs the same ones again and again.
 * Everything on which they depend is compared in the caller's transaction, because another replica may have changed it.
 */
export class AssessedCharacteristicCache {
  private readonly deps: AssessedCharacteristicDependencies;
  private readonly parts = new LRUCache<number, CachedPart>({
    maxSize: MAX_CACHED,
    // A size must be positive.
    sizeCalculation: ({ byId }) => byId.size + 1,
  });

  constructor(deps: AssessedCharacteristicDependencies) {
    this.deps = deps;
  }

  /** Does what {@link readAssessedCharacteristics} does. */
  async read(
    session: Session,
    { configuration, state }: PartState,
    partId: number,
    ids: readonly number[],
  ): Promise<AssessedCharacteristic[]> {
    const cached = this.parts.get(partId);
    let byId = cached && cached.state === state ? cached.byId : new Map<number, AssessedCharacteristic>();
    const unknown = ids.filter((id) => !byId.has(id));
    if (unknown.length > 0) {
      const read = await readAssessedCharacteristics(session, { ...this.deps, configuration }, partId, unknown);
      byId = new Map([...byId, ...read.map((one) => [one.characteristic.id, one] as const)]);
      // The transaction sees changes that were committed between its statements; what was read then belongs to no state.
      if (state !== undefined && (await this.readState(session, partId)).state === state) this.parts.set(partId, { state, byId });
    }
    return ids.flatMap((id) => byId.get(id) ?? []).sort((a, b) => a.characteristic.id - b.characteristic.id);
  }

  /** Reads what the characteristics of a part depend on. */
  async readState(session: Session, partId: number): Promise<PartState> {
    const { configurations, evaluations } = this.deps;
    const { configuration, plan } = await configurations.readState(session);
    // The removal of a deleted attribute changes limits and not the plan.
    if (configuration.purging.has('characteristic')) return { configuration, state: undefined };
    const sets = await session.query<{ id: number }>('SELECT id FROM characteristic_set WHERE part_id = $1 ORDER BY id', [partId], {
      name: 'ids-of-sets',
    });
    const state = JSON.stringify([
      revisionKey(plan),
      configuration.version,
      await readEvaluationRevisions(session, partId),
      Array.from(await readExcludedOfParts(session, [partId]), ([id, of]) => [id, of === 'all' ? of : [...of]]),
      await evaluations.defaults(session),
      sets.map(({ id }) => id),
    ]);
    return { configuration, state };
  }
}
