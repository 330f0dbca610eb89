import type { Principal } from '@sinebar/access-control';
import { CAUSE_ATTRIBUTE, ServiceError, type FilledItem, type ImportAnswer } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';
import type { FileContent } from '@sinebar/exchange';
import { AttributePurgeStore, type AttributeKeys } from '../../../configuration/attribute-purge-store.ts';
import { readCatalogs, CatalogStore } from '../../../configuration/catalogs/catalogs-store.ts';
import { ConfigurationStore } from '../../../configuration/configuration-store.ts';
import type { Configuration } from '../../../configuration/configuration.ts';
import { configurationModified } from '../../../configuration/configuration-service.ts';
import { createPlanItems } from '../../../plan/changes/plan-creation.ts';
import { updatePlanItems } from '../../../plan/changes/plan-update.ts';
import type { ChangeContext } from '../../../plan/plan-item.ts';
import type { FileKeys } from './file-keys.ts';
import { ImportedAttributes } from './imported-attributes.ts';
import { resolveCatalogs, type ImportedCatalogs } from './imported-catalogs.ts';
import { draftChanges, type OnDifference, type PlanChanges } from './plan-changes.ts';
import { draftPlan, type PlanDraft } from './plan-draft.ts';
import { byEntity, neededDefinitions, NO_DEFINITIONS, withDefinitions, type NewDefinitions } from './standard-definitions.ts';

/** What an import does to definitions and plan. */
export interface PlanOptions {
  principal: Principal;
  /** Names of the parts below which the parts of the file stand. */
  partPath: readonly string[];
  /** Whether attributes without definition are left out: none is defined, and limits, units, types and times may be lost. */
  ignoreUndefined: boolean;
  /** Whether found items get the attributes that they lack. */
  fill: boolean;
  onDifference: OnDifference;
}

/** A file without its measurements. */
export interface ImportedFileContent {
  content: FileContent;
  keys: FileKeys;
  /** Whether texts may be keys of entries of catalogs. */
  hasEntryKeys: boolean;
}

/** Attributes and entries of catalogs for a file: those of the server, and those that an import creates. */
export interface AttributeDraft {
  /** With the definitions that are to be created. */
  configuration: Configuration;
  definitions: NewDefinitions;
  catalogs: ImportedCatalogs;
  attributes: ImportedAttributes;
  warnings: { key: string; message: string }[];
}

export interface ImportDraft extends AttributeDraft {
  plan: PlanDraft;
  changes: PlanChanges;
}

/** Items of one change of the plan: a larger one would hold the event loop. */
const BATCH = 1000;

/** An import needs another reading of its file: the server got a catalog attribute since. */
export class CatalogsChanged extends Error {}

/** Values of deleted attributes must be removed before attributes of the same keys are defined. */
export class PurgePending extends Error {
  readonly attributes: AttributeKeys;

  constructor(attributes: AttributeKeys) {
    super('values of deleted attributes are left');
    this.attributes = attributes;
  }
}

/**
 * Drafts definitions and entries of catalogs for a file; reads only.
 * @param before the configuration as the session sees it
 * @throws ServiceError 400 limits, units, types or times would be lost @throws CatalogsChanged
 */
export async function draftAttributes(
  session: Session,
  before: Configuration,
  { content, keys, hasEntryKeys }: ImportedFileContent,
  { principal, ignoreUndefined }: Pick<PlanOptions, 'principal' | 'ignoreUndefined'>,
): Promise<AttributeDraft> {
  const definitions = ignoreUndefined ? NO_DEFINITIONS : neededDefinitions(before, keys, principal);
  const configuration = withDefinitions(before, definitions);
  for (const { key, type } of configuration.definitions.values())
    if (type === 'Catalog' && !keys.texts.has(key)) throw new CatalogsChanged('a catalog attribute is new');
  const causes = keys.events.size === 0 ? undefined : await findCauseCatalog(session, definitions);
  const catalogOf = (key: number) => (key === CAUSE_ATTRIBUTE ? causes : (configuration.definitions.get(key)?.catalog ?? undefined));
  const uuids = [...keys.texts].flatMap(([key, texts]) => (texts.size === 0 ? [] : (catalogOf(key) ?? [])));
  const stored = uuids.length === 0 ? [] : await readCatalogs(session, [...new Set(uuids)]);
  const catalogs = await resolveCatalogs([...stored, ...definitions.catalogs.map((one) => ({ ...one, catalogEntries: [] }))], {
    configuration,
    catalogOf,
    texts: keys.texts,
    described: content.catalogEntries,
    mayCreate: principal.holds('catalog:write'),
    hasEntryKeys,
  });
  const warnings = [...keys.warnings(configuration, ignoreUndefined), ...eventWarnings(keys, catalogs)];
  return { configuration, definitions, catalogs, attributes: new ImportedAttributes(configuration, catalogs.keys), warnings };
}

/** Finds the catalog of causes: that of the server, else the one that is created. */
async function findCauseCatalog(session: Session, { catalogs }: NewDefinitions): Promise<string | undefined> {
  const [stored] = await session.query<{ uuid: string }>(
    'SELECT uuid FROM catalog WHERE $1 = ANY(valid_attributes) ORDER BY position LIMIT 1',
    [CAUSE_ATTRIBUTE],
  );
  return stored?.uuid ?? catalogs.find(({ validAttributes }) => validAttributes.includes(CAUSE_ATTRIBUTE))?.uuid;
}

function eventWarnings({ events }: FileKeys, { keys }: ImportedCatalogs): { key: string; message: string }[] {
  const unknown = [...events].find((event) => keys.entryOf(CAUSE_ATTRIBUTE, event) === undefined);
  if (unknown === undefined) return [];
  const message =
    `The catalog of causes gets no entry for ${JSON.stringify(unknown.slice(0, 40))}, so that K0005 becomes a note without a cause. ` +
    `Create a catalog whose entries have the attribute ${CAUSE_ATTRIBUTE}, with this entry, to keep the cause.`;
  return [{ key: 'K0005', message }];
}

/**
 * Drafts everything that an import does before it stores measurements; reads only.
 * @param before the configuration as the session sees it
 * @param findsOnly whether missing parts and characteristics are left out
 * @throws ServiceError 400, 403, 409 @throws CatalogsChanged
 */
export async function draftImport(
  session: Session,
  before: Configuration,
  file: ImportedFileContent,
  options: PlanOptions,
  findsOnly: boolean,
): Promise<ImportDraft> {
  const draft = await draftAttributes(session, before, file, options);
  const { attributes, configuration } = draft;
  const { principal, partPath: base } = options;
  const plan = await draftPlan(session, file.content.parts, { base, attributes, principal, findsOnly });
  const typeOf = (key: number) => configuration.definitions.get(key)?.type;
  return { ...draft, plan, changes: await draftChanges(plan.found, typeOf, { ...options, writable: principal.scopeOf('plan:write') }) };
}

/** Whether an import has to create or change definitions or entries of catalogs. */
export function lacksAttributes({ definitions, catalogs }: AttributeDraft): boolean {
  return definitions.definitions.length > 0 || catalogs.created.size > 0;
}

/** Whether an import has to change anything before it stores measurements. */
export function isIncomplete(draft: ImportDraft): boolean {
  const { creations } = draft.plan;
  const { updates } = draft.changes;
  return [creations, updates].some(({ part, characteristic }) => part.length + characteristic.length > 0) || lacksAttributes(draft);
}

/** Carries out a draft that was made in the same transaction, under the exclusive plan lock. @throws PurgePending */
export async function applyDraft(session: WriteSession, draft: ImportDraft, context: ChangeContext): Promise<void> {
  await createDefinitions(session, draft.definitions, context.at);
  if (draft.catalogs.created.size > 0) {
    for (const [uuid, entries] of draft.catalogs.created)
      for (const some of inBatches(entries)) await new CatalogStore(session).insertEntries(uuid, some);
    await new ConfigurationStore(session).catalogsChanged(context.at);
  }
  for (const kind of ['part', 'characteristic'] as const) {
    // Parents stand before the items below them.
    for (const some of inBatches(draft.plan.creations[kind])) await createPlanItems(session, kind, some, context);
    for (const some of inBatches(draft.changes.updates[kind])) await updatePlanItems(session, kind, some, context);
  }
}

function* inBatches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

async function createDefinitions(session: WriteSession, { definitions, catalogs }: NewDefinitions, at: Date): Promise<void> {
  if (definitions.length === 0) return;
  const store = new ConfigurationStore(session);
  for (const [entity, own] of byEntity(definitions)) {
    const pending = await new AttributePurgeStore(session).pendingAmong({ entity, keys: own.map(({ key }) => key) });
    if (pending.length > 0) throw new PurgePending({ entity, keys: pending });
    if (own.length > 0)
      await store.put(
        entity,
        own.filter(({ catalog }) => catalog === null),
      );
  }
  if (catalogs.length > 0) {
    await new CatalogStore(session).put(catalogs);
    await store.catalogsChanged(at);
    for (const [entity, own] of byEntity(definitions.filter(({ catalog }) => catalog !== null)))
      if (own.length > 0) await store.put(entity, own);
  }
  await store.configurationChanged(at);
  session.announce([configurationModified(definitions)]);
}

/** What an import did to definitions and plan. */
export type PlanAnswer = Pick<ImportAnswer, 'attributes' | 'parts' | 'characteristics' | 'filled' | 'warnings'>;

export function planAnswerOf({ definitions, plan, changes, warnings, attributes }: ImportDraft): PlanAnswer {
  return {
    attributes: { created: definitions.definitions.map(({ key }) => key).sort((a, b) => a - b) },
    parts: plan.counts.part,
    characteristics: plan.counts.characteristic,
    filled: changes.filled satisfies FilledItem[],
    warnings: [...changes.warnings, ...plan.warnings, ...warnings, ...attributes.warnings()],
  };
}

/** The error for a plan or catalogs that change faster than a file is imported. */
export function planKeepsChanging(): ServiceError {
  const message =
    'Plan or catalogs were changed again and again while the file was imported, and no measurement was stored. Send the file again.';
  return new ServiceError('Overloaded', message, { retryAfterSeconds: 5 });
}
