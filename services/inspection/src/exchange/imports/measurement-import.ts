import { ROOT_PART_UUID, ServiceError, type ImportAnswer } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import type { FileCharacteristic } from '@sinebar/exchange';
import type { Configuration, ConfigurationReader } from '../../configuration/configuration.ts';
import { withIndexes, type SentMeasurement, type SentValues } from '../../measurements/codec/sent-measurement.ts';
import { wordsOfUuids } from '../../measurements/codec/uuid-words.ts';
import {
  CharacteristicSetCache,
  CharacteristicsInUse,
  type PartCharacteristics,
  type ValueIndexes,
} from '../../measurements/sets/characteristic-sets.ts';
import { MeasuredParts, type MeasuredPart } from '../../measurements/sets/measured-parts.ts';
import { MeasurementCreation } from '../../measurements/writing/measurement-creation.ts';
import { measurementTransaction } from '../../measurements/writing/measurement-transaction.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { MeasurementConverter } from './import-measurements.ts';
import type { ImportJob } from './import-request.ts';
import type { PlannedImport } from './import-store.ts';
import { answerOf } from './import-answer.ts';
import { draftAttributes, lacksAttributes, type ImportedFileContent } from './plan/import-draft.ts';
import type { ImportedAttributes } from './plan/imported-attributes.ts';
import type { ImportReading } from './reading/import-reading.ts';
import type { ReadMeasurement } from './reading/reading-messages.ts';
import { EventNotes } from './value-events.ts';

/** Something that the first transaction of an import created is gone; it must be repeated. */
export class PlanChanged extends Error {}

/** Others changed the plan or the configuration while measurements were stored without the plan lock: they are to be stored again. */
export class PlanMovedOn extends Error {}

/** Parts of a file have no sets of characteristics for its values; {@link prepareSets} creates them. */
export class SetsMissing extends Error {}

/** How measurements are stored. */
export interface MeasurementStoring {
  planned: PlannedImport;
  /** Characteristics with their sets, from {@link prepareSets}; `undefined` before. */
  sets: readonly PartCharacteristics[] | undefined;
  /** Whether the plan lock is held while measurements are stored; else it is taken at the end, to find out whether something changed. */
  isLocked: boolean;
}

/** Measurements that are checked and sent in one turn of the event loop. */
const MEASUREMENTS_PER_TURN = 500;

interface MeasurementImport {
  content: ImportedFileContent;
  job: ImportJob;
  reading: ImportReading;
}

/**
 * Stores the measurements of a file whose plan is stored.
 * Parts and characteristics are those of the first transaction, by uuid, wherever they are now.
 * @throws PlanChanged @throws PlanMovedOn @throws SetsMissing @throws ServiceError 400, 403 @throws CatalogsChanged
 */
export async function storeMeasurements(
  session: WriteSession,
  configurations: ConfigurationReader,
  { content, job, reading, planned, sets, isLocked }: MeasurementImport & MeasurementStoring,
  at: Date,
): Promise<ImportAnswer> {
  if (isLocked) await sharePlan(session);
  const before = await readPlanState(session, configurations, planned);
  refuseMissing(before, planned);
  const hasMovedOn = async () => !isLocked && before.state !== (await readPlanState(session, configurations, planned)).state;
  const draft = await draftAttributes(session, before.configuration, content, job);
  if (lacksAttributes(draft)) throw new PlanChanged('an attribute or an entry of a catalog is gone');
  const converter = new MeasurementConverter(planned, draft.attributes, content.keys.areEventsRead);
  const notes = new EventNotes(draft.catalogs.keys, job.principal.name, at);
  const parts = new MeasuredParts();
  const cache = new CharacteristicSetCache();
  for (const set of sets ?? []) cache.put(set);
  const characteristics = new CharacteristicsInUse(session, cache);
  const transaction = measurementTransaction(session, {
    configuration: draft.configuration,
    characteristics,
    findParts: (uuids) => parts.find(session, uuids),
    at,
    commentOf: () => null,
  });
  try {
    if (sets === undefined) {
      const needed = await loadCharacteristics(session, { characteristics, parts }, content, planned);
      if (!characteristics.haveSets(...needed)) throw new SetsMissing();
    }
    for await (const some of reading.measurements()) {
      await new MeasurementCreation(transaction, [{ batches: converted(some, converter), principal: job.principal }]).run();
      await notes.store(session, converter.takeEvents());
    }
  } catch (error) {
    // A change of others may be the reason.
    if (error instanceof ServiceError && (await hasMovedOn())) throw new PlanMovedOn();
    throw error;
  }
  if (!isLocked) await sharePlan(session);
  if (await hasMovedOn()) throw new PlanMovedOn();
  return answerOf(content, planned, draft.attributes, converter.firstMeasurements);
}

function* converted(read: readonly ReadMeasurement[], converter: MeasurementConverter): Generator<SentMeasurement[]> {
  for (let from = 0; from < read.length; from += MEASUREMENTS_PER_TURN) {
    yield read.slice(from, from + MEASUREMENTS_PER_TURN).map((measurement) => converter.convert(measurement));
  }
}

/**
 * Creates the characteristic sets of a file in a short transaction under the shared plan lock.
 * Others that write to the same parts would wait for a set until the measurements of the file are stored.
 * @returns the characteristics with their sets, valid after the commit
 * @throws PlanChanged
 */
export async function prepareSets(
  session: WriteSession,
  configurations: ConfigurationReader,
  content: ImportedFileContent,
  planned: PlannedImport,
): Promise<PartCharacteristics[]> {
  refuseMissing(await readPlanState(session, configurations, planned), planned);
  const characteristics = new CharacteristicsInUse(session, new CharacteristicSetCache());
  const needed = await loadCharacteristics(session, { characteristics, parts: new MeasuredParts() }, content, planned);
  await characteristics.createMissingSets(...needed);
  return [...characteristics.all()];
}

/** Loads the parts of a file with their characteristics. @returns the parts, and the indexes of the characteristics that have values */
async function loadCharacteristics(
  session: WriteSession,
  { characteristics: used, parts }: { characteristics: CharacteristicsInUse; parts: MeasuredParts },
  { content }: ImportedFileContent,
  planned: PlannedImport,
): Promise<[MeasuredPart[], ValueIndexes]> {
  const found = await parts.find(session, new Set(planned.parts.values()));
  const measured = await mapInTurns(content.parts, ({ index, characteristics }) => {
    const part = found.get(planned.parts.get(index) ?? '');
    const uuids = [...indexesOf(characteristics)].map((one) => planned.characteristics.get(one) as string);
    return part && uuids.length > 0 ? [{ part, measurement: { ...NO_MEASUREMENT, partUuid: part.uuid, values: noValues(uuids) } }] : [];
  });
  const owners = measured.flatMap((own) => own.map(({ part }) => part));
  const sent = withIndexes(
    measured.flatMap((own) => own.map(({ measurement }) => measurement)),
    0,
  );
  await used.load(sent, owners);
  return [owners, used.indexes(sent, owners)];
}

const NO_MEASUREMENT = { uuid: ROOT_PART_UUID, attributes: {}, comment: undefined };

function noValues(uuids: readonly string[]): SentValues {
  const characteristics = { count: uuids.length, words: wordsOfUuids(uuids) };
  return { characteristics, values: new Float64Array(), digits: undefined, texts: new Map(), raw: new Map() };
}

function* indexesOf(characteristics: readonly FileCharacteristic[]): Generator<number> {
  for (const { index, children } of characteristics) {
    if (index !== undefined) yield index;
    yield* indexesOf(children);
  }
}

/** Definitions, catalogs, and the parts of a file with their characteristics. */
interface PlanState {
  configuration: Configuration;
  /** Changes with everything on which the check of measurements depends. */
  state: string;
  partCount: number;
  characteristicCount: number;
}

async function readPlanState(
  session: WriteSession,
  configurations: ConfigurationReader,
  { parts, characteristics }: PlannedImport,
): Promise<PlanState> {
  const { configuration, row = [] } = await configurations.readStateWith(
    session,
    `WITH part AS (SELECT id, plan_version, path FROM plan_item WHERE kind = 'part' AND uuid = ANY($1::uuid[]))
     SELECT coalesce(md5(string_agg(id || ' ' || plan_version || ' ' || path, ',' ORDER BY id)), '') AS state, count(*) AS parts,
       (SELECT count(*) FROM plan_item
        WHERE kind = 'characteristic' AND uuid = ANY($2::uuid[]) AND part_id IN (SELECT id FROM part)) AS characteristics
     FROM part`,
    [[...parts.values()], [...characteristics.values()]],
    'import-plan-state',
  );
  const [state, partCount, characteristicCount] = row;
  return {
    configuration,
    state: `${configuration.version} ${configuration.catalogVersion} ${state}`,
    partCount: Number(partCount),
    characteristicCount: Number(characteristicCount),
  };
}

/** The rights of the caller are checked for each measurement. @throws PlanChanged */
function refuseMissing({ partCount, characteristicCount }: PlanState, { parts, characteristics }: PlannedImport): void {
  if (partCount < new Set(parts.values()).size) throw new PlanChanged('a part is gone');
  if (characteristicCount < new Set(characteristics.values()).size) throw new PlanChanged('a characteristic is gone');
}

/** Finds what does not fit in the measurements of a file, and stores nothing. */
export async function checkMeasurements(
  { content, planned, reading }: Pick<MeasurementImport & MeasurementStoring, 'content' | 'planned' | 'reading'>,
  attributes: ImportedAttributes,
): Promise<ImportAnswer> {
  const converter = new MeasurementConverter(planned, attributes, false);
  for await (const some of reading.measurements()) for (const measurement of some) converter.convert(measurement);
  return answerOf(content, planned, attributes, []);
}
