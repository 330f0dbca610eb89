import { PathScope } from '@sinebar/access-control';
import { ROOT_PART_UUID, ServiceError, type ImportAnswer } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import type { FileCharacteristic } from '@sinebar/exchange';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { placed, type SentValues } from '../../measurements/codec/sent-measurement.ts';
import { wordsOfUuids } from '../../measurements/codec/uuid-words.ts';
import { CharacteristicSetCache, CharacteristicsInUse, type PartCharacteristics } from '../../measurements/sets/characteristic-sets.ts';
import { MeasuredParts } from '../../measurements/sets/measured-parts.ts';
import { MeasurementCreation } from '../../measurements/writing/measurement-creation.ts';
import { measurementTransaction } from '../../measurements/writing/measurement-transaction.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { MeasurementConverter } from './import-measurements.ts';
import type { ImportOrder } from './import-request.ts';
import type { PlannedImport } from './import-store.ts';
import { answerOf } from './import-answer.ts';
import { draftAttributes, lacksAttributes, type ImportedFileContent } from './plan/import-draft.ts';
import type { ImportedAttributes } from './plan/imported-attributes.ts';
import { StoredItems } from './plan/stored-items.ts';
import type { ThreadReader } from './reading/file-readers.ts';

/** Something that the first transaction of an import created is gone; it must be repeated. */
export class PlanChanged extends Error {}

/** Others changed the plan or the configuration while measurements were stored without the plan lock: they are to be stored again. */
export class PlanMovedOn extends Error {}

export interface MeasurementImport {
  content: ImportedFileContent;
  planned: PlannedImport;
  /** Reads the file from its beginning. */
  read: () => ThreadReader;
  order: ImportOrder;
  /** Sets of the parts of the file, from {@link prepareSets}. */
  sets: CharacteristicSetCache;
}

/**
 * Stores the measurements of a file whose plan is stored.
 * Parts and characteristics are those of the first transaction, by uuid, wherever they are now.
 * @param isLocked whether the transaction holds the plan lock; else it takes the lock at its end and finds out whether something changed
 * @throws PlanChanged @throws PlanMovedOn @throws ServiceError 400, 403 @throws CatalogsChanged
 */
export async function storeMeasurements(
  session: WriteSession,
  configurations: ConfigurationReader,
  { content, planned, read, order, sets }: MeasurementImport,
  { at, isLocked }: { at: Date; isLocked: boolean },
): Promise<ImportAnswer> {
  const stateNow = () => stateOf(session, configurations, planned);
  const before = isLocked ? undefined : await stateNow();
  await refuseMissing(session, planned);
  const draft = await draftAttributes(session, configurations, content, order);
  if (lacksAttributes(draft)) throw new PlanChanged('an attribute or an entry of a catalog is gone');
  const converter = new MeasurementConverter(planned, draft.attributes);
  const parts = new MeasuredParts();
  const transaction = measurementTransaction(session, {
    configuration: draft.configuration,
    characteristics: new CharacteristicsInUse(session, sets),
    findParts: (uuids) => parts.find(session, uuids),
    at,
    commentOf: () => null,
  });
  try {
    for await (const some of read()) {
      const batches = [some.map((measurement) => converter.convert(measurement))];
      await new MeasurementCreation(transaction, [{ batches, principal: order.principal }]).run();
    }
  } catch (error) {
    // A change of others may be the reason.
    if (before !== undefined && error instanceof ServiceError && before !== (await stateNow())) throw new PlanMovedOn();
    throw error;
  }
  if (before !== undefined) {
    await sharePlan(session);
    if (before !== (await stateNow())) throw new PlanMovedOn();
  }
  return answerOf(content, planned, draft.attributes, converter.firstMeasurements);
}

/**
 * Creates the characteristic sets of a file in a short transaction under the shared plan lock.
 * Others that write to the same parts would wait for a set until the measurements of the file are stored.
 * @returns the characteristics with their sets, valid after the commit
 * @throws PlanChanged
 */
export async function prepareSets(
  session: WriteSession,
  { content }: ImportedFileContent,
  planned: PlannedImport,
): Promise<PartCharacteristics[]> {
  await refuseMissing(session, planned);
  const parts = await new MeasuredParts().find(session, new Set(planned.parts.values()));
  const measured = await mapInTurns(content.parts, ({ index, characteristics }) => {
    const part = parts.get(planned.parts.get(index) ?? '');
    const uuids = [...indexesOf(characteristics)].map((one) => planned.characteristics.get(one) as string);
    return part && uuids.length > 0 ? [{ part, measurement: { ...NO_MEASUREMENT, partUuid: part.uuid, values: noValues(uuids) } }] : [];
  });
  const owners = measured.flatMap((own) => own.map(({ part }) => part));
  const sent = placed(
    measured.flatMap((own) => own.map(({ measurement }) => measurement)),
    0,
  );
  const characteristics = new CharacteristicsInUse(session, new CharacteristicSetCache());
  await characteristics.load(sent, owners);
  await characteristics.createMissingSets(owners, characteristics.places(sent, owners));
  return [...characteristics.all()];
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

/** Everything on which the check of measurements depends: definitions, catalogs, and the parts of the file with their characteristics. */
async function stateOf(session: WriteSession, configurations: ConfigurationReader, { parts }: PlannedImport): Promise<string> {
  const { version, catalogVersion } = await configurations.read(session);
  const [row] = await session.query<{ state: string }>(
    `SELECT coalesce(md5(string_agg(id || ' ' || plan_version || ' ' || path, ',' ORDER BY id)), '') AS state
     FROM plan_item WHERE uuid = ANY($1::uuid[])`,
    [[...parts.values()]],
  );
  return `${version} ${catalogVersion} ${row?.state ?? ''}`;
}

/** Finds what does not fit in the measurements of a file, and stores nothing. */
export async function checkMeasurements(
  { content, planned, read }: Pick<MeasurementImport, 'content' | 'planned' | 'read'>,
  attributes: ImportedAttributes,
): Promise<ImportAnswer> {
  const converter = new MeasurementConverter(planned, attributes);
  for await (const some of read()) for (const measurement of some) converter.convert(measurement);
  return answerOf(content, planned, attributes, []);
}

async function refuseMissing(session: WriteSession, { parts, characteristics }: PlannedImport): Promise<void> {
  // The caller's rights are checked for each measurement.
  const items = new StoredItems(session, PathScope.EVERYTHING);
  const partUuids = [...new Set(parts.values())];
  for (const [kind, uuids] of [['part', partUuids] as const, ['characteristic', [...characteristics.values()]] as const]) {
    if ((await items.countOf(kind, uuids, partUuids)) < new Set(uuids).size) throw new PlanChanged(`a ${kind} is gone`);
  }
}
