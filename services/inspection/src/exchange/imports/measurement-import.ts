import { PathScope } from '@sinebar/access-control';
import type { ImportAnswer } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import type { ConfigurationReader } from '../../configuration/configuration.js';
import { CharacteristicSetCache, CharacteristicsInUse } from '../../measurements/sets/characteristic-sets.js';
import { MeasuredParts } from '../../measurements/sets/measured-parts.js';
import { MeasurementCreation } from '../../measurements/writing/measurement-creation.js';
import { measurementTransaction } from '../../measurements/writing/measurement-transaction.js';
import { MeasurementConverter } from './import-measurements.js';
import type { ImportOrder } from './import-request.js';
import type { PlannedImport } from './import-store.js';
import { answerOf } from './import-answer.js';
import { draftAttributes, lacksAttributes, type ImportedFileContent } from './plan/import-draft.js';
import type { ImportedAttributes } from './plan/imported-attributes.js';
import { StoredItems } from './plan/stored-items.js';
import type { ThreadReader } from './reading/file-readers.js';

/** Something that the first transaction of an import created is gone; it must be repeated. */
export class PlanChanged extends Error {}

export interface MeasurementImport {
  content: ImportedFileContent;
  planned: PlannedImport;
  /** Reads the file from its beginning. */
  read: () => ThreadReader;
  order: ImportOrder;
}

/**
 * Stores the measurements of a file whose plan is stored, in a transaction that holds the plan lock.
 * Parts and characteristics are those of the first transaction, by uuid, wherever they are now.
 * @throws PlanChanged @throws ServiceError 400, 403 @throws CatalogsChanged
 */
export async function storeMeasurements(
  session: WriteSession,
  configurations: ConfigurationReader,
  { content, planned, read, order }: MeasurementImport,
  at: Date,
): Promise<ImportAnswer> {
  await refuseMissing(session, planned);
  const draft = await draftAttributes(session, configurations, content, order);
  if (lacksAttributes(draft)) throw new PlanChanged('an attribute or an entry of a catalog is gone');
  const converter = new MeasurementConverter(planned, draft.attributes);
  const parts = new MeasuredParts();
  const transaction = measurementTransaction(session, {
    configuration: draft.configuration,
    characteristics: new CharacteristicsInUse(session, new CharacteristicSetCache()),
    findParts: (uuids) => parts.find(session, uuids),
    at,
    commentOf: () => null,
  });
  for await (const some of read()) {
    const batches = [some.map((measurement) => converter.convert(measurement))];
    await new MeasurementCreation(transaction, [{ batches, principal: order.principal }]).run();
  }
  return answerOf(content, planned, draft.attributes, converter.firstMeasurements);
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
