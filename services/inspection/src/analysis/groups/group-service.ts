import { ServiceError, type CharacteristicGroups } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import type { Reply } from '@sinebar/http';
import { ruleOf } from '../../configuration/attribute-values.ts';
import { isCounting } from '../../evaluation/effective-evaluation.ts';
import { indexLimitsOf, statusLimitsOf } from '../analysed-characteristic.ts';
import { checkModel, COUNTS_HAVE_NO_MODEL, type ModelQuery, type ValueSelectionQuery } from '../analysis-parameters.ts';
import type { AnalysisReader } from '../analysis-queue.ts';
import { countTypeOf } from '../request/evaluated-request.ts';
import type { Calculator } from '../calculations/calculator.ts';
import { readIdentifiedValues, SAMPLE_SIZE_KEY } from '../characteristic-values.ts';
import type { CharacteristicReader } from '../request/characteristic-reader.ts';
import { validated } from '../validated-answer.ts';
import { groupKeysOf, hashedAttributeOf, readGroupNames, readGroupSource, type GroupBy } from './group-source.ts';

export interface GroupDependencies {
  database: Database;
  characteristics: CharacteristicReader;
  calculator: Calculator;
}

/** Parameters of figures by group. */
export type GroupsQuery = ValueSelectionQuery & Pick<ModelQuery, 'model'> & { by: GroupBy; confidence: number };

/** Readings of values whose measurements are deleted meanwhile. */
const ATTEMPTS = 3;
const RETRY_S = 2;

/** Compares the values of one characteristic by an attribute of their measurements, or by shift, day or week. */
export class GroupService {
  private readonly deps: GroupDependencies;

  constructor(deps: GroupDependencies) {
    this.deps = deps;
  }

  /** @throws ServiceError 400, 403, 404, 503 while measurements are deleted */
  async groups(uuid: string, query: GroupsQuery, reader: AnalysisReader): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const groups = await this.attempt(uuid, query, reader);
      if (groups) return validated(groups, reader);
      if (attempt === ATTEMPTS) {
        const message = 'Measurements of the characteristic are being deleted. Try again in a moment.';
        throw new ServiceError('Unavailable', message, { retryAfterSeconds: RETRY_S });
      }
    }
  }

  /** @returns undefined where a measurement that names a group has been deleted meanwhile */
  private async attempt(uuid: string, query: GroupsQuery, reader: AnalysisReader): Promise<CharacteristicGroups | undefined> {
    const { database, characteristics, calculator } = this.deps;
    const { characteristic, evaluation, source, measured } = await characteristics.snapshot(reader, async (session) => {
      const { options, configuration, ...read } = await characteristics.read(session, uuid, query, reader);
      if (query.model !== undefined && isCounting(read.characteristic.numbers))
        throw new ServiceError('InvalidRequest', COUNTS_HAVE_NO_MODEL);
      checkModel(query.model, indexLimitsOf(read.characteristic.limits));
      const areSizesRead = isCounting(read.characteristic.numbers) && ruleOf(configuration, 'value', SAMPLE_SIZE_KEY) !== undefined;
      return {
        ...read,
        source: await readGroupSource(session, query.by, configuration),
        measured: await readIdentifiedValues(session, read.characteristic, {
          ...options,
          hashedAttribute: hashedAttributeOf(query.by),
          areSizesRead,
        }),
      };
    });
    const areCounts = isCounting(characteristic.numbers);
    const { groups, tests, notes } = await calculator.run<'groups'>(
      {
        kind: 'groups',
        values: measured.values,
        keys: groupKeysOf(source, measured),
        limits: areCounts ? {} : indexLimitsOf(characteristic.limits),
        statusLimits: statusLimitsOf(characteristic.limits),
        confidence: query.confidence,
        model: query.model ?? evaluation.members.model,
        modelRequestedBy: query.model === undefined ? 'evaluation' : 'request',
        ...(areCounts && {
          counts: {
            type: countTypeOf(evaluation.members.chart),
            sizes: measured.sizes ?? new Float64Array(measured.values.length).fill(NaN),
          },
        }),
      },
      reader.signal,
    );
    const found = groups.map(({ found: group }) => group);
    const names = await database.read(reader, (session) => readGroupNames(session, source, found, measured.ids));
    if (!names) return undefined;
    const overridden = [...(query.model === undefined ? [] : ['model']), ...(query.exclude === undefined ? [] : ['exclusions'])];
    const ofCounts = areCounts ? ['The characteristic counts, so groups have a rate and no index.'] : [];
    const all = groups.length === 0 ? ['There are no values.'] : [...ofCounts, ...notes];
    return {
      by: source.by,
      groups: groups.map(({ figures }, i) => ({ ...names[i], ...figures })),
      tests,
      ...(overridden.length > 0 && { overridden }),
      ...(all.length > 0 && { notes: all }),
    };
  }
}
