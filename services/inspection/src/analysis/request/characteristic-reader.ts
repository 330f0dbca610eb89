import type { Database, Session } from '@sinebar/database';
import type { Configuration, ConfigurationReader } from '../../configuration/configuration.ts';
import type { CharacteristicEvaluation, EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import { findAnalysedCharacteristic, type AnalysedCharacteristic } from '../analysed-characteristic.ts';
import { valueSelection, type ValueSelectionQuery } from '../analysis-parameters.ts';
import type { AnalysisReader } from '../analysis-queue.ts';
import type { ReadingOptions } from '../characteristic-values.ts';

export interface ReadingDependencies {
  database: Database;
  configurations: ConfigurationReader;
  /** Default of `caseSensitive` for requests without it. */
  caseSensitive: boolean;
  evaluations: EvaluationReader;
  /** Most values that one request reads. */
  maxValues?: number;
}

export const MAX_VALUES = 5_000_000;

/** A characteristic, how it is evaluated, and how its values are read. */
export interface ReadCharacteristic {
  configuration: Configuration;
  characteristic: AnalysedCharacteristic;
  evaluation: CharacteristicEvaluation;
  options: ReadingOptions;
}

/** Reads characteristics and what their values are read with. */
export class CharacteristicReader {
  private readonly deps: ReadingDependencies;

  constructor(deps: ReadingDependencies) {
    this.deps = deps;
  }

  /** Runs `work` in one snapshot, when no other analysis of the same user reads values. */
  snapshot<T>(reader: AnalysisReader, work: (session: Session) => Promise<T>): Promise<T> {
    return reader.readInTurn(() => this.deps.database.snapshot(reader, work));
  }

  /** @throws ServiceError 404, 403 */
  async read(session: Session, uuid: string, query: ValueSelectionQuery, reader: AnalysisReader): Promise<ReadCharacteristic> {
    const { configurations, caseSensitive, evaluations, maxValues = MAX_VALUES } = this.deps;
    const configuration = await configurations.read(session);
    const characteristic = await findAnalysedCharacteristic(session, uuid, reader.principal);
    const evaluation = await evaluations.read(session, characteristic);
    const options = {
      selection: valueSelection(characteristic.part.uuid, query, caseSensitive),
      readable: reader.principal.scopeOf('measurement:read'),
      configuration,
      exclude: query.exclude ?? [],
      excluded: evaluation.excluded,
      maxValues,
    };
    return { configuration, characteristic, evaluation, options };
  }
}
