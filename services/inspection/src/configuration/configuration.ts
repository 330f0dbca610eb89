import type { Session, TextRow } from '@sinebar/database';

/** Entity types that own attributes (spec: inspection-service.md, Configuration). */
export const ATTRIBUTE_ENTITIES = ['part', 'characteristic', 'measurement', 'value', 'catalog'] as const;
export type AttributeEntity = (typeof ATTRIBUTE_ENTITIES)[number];

export const ATTRIBUTE_TYPES = ['AlphaNumeric', 'Integer', 'Float', 'DateTime', 'Catalog'] as const;
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

export interface AttributeDefinition {
  key: number;
  entity: AttributeEntity;
  description: string;
  type: AttributeType;
  /** Most characters of an AlphaNumeric value, `null` for other types. */
  length: number | null;
  /** Uuid of the catalog of a Catalog attribute, `null` for other types. */
  catalog: string | null;
}

/** The measured value and the time are valid without a definition (spec: decisions.md 2.2). */
export const MEASURED_VALUE_KEY = 1;
export const TIME_KEY = 4;

/** Definitions and catalog entry keys at one moment. */
export interface Configuration {
  /** Grows with every change of a definition. */
  version: number;
  /** Grows with every change of a catalog. */
  catalogVersion: number;
  definitions: ReadonlyMap<number, AttributeDefinition>;
  /** Keys of the entries of each catalog, by catalog uuid. */
  entryKeys: ReadonlyMap<string, ReadonlySet<number>>;
  /** Entity types some of whose stored values belong to deleted definitions and must not be shown. */
  purging: ReadonlySet<AttributeEntity>;
}

/** What the validators of answers are made from, besides the configuration. */
export interface PlanRevision {
  revision: number;
  /** Time of the last change of the plan. */
  at: Date;
}

/** Names a state of the plan. The time, too: a database that was restored from a backup counts once more from an old revision. */
export function revisionKey({ revision, at }: PlanRevision): string {
  return `${revision} ${at.toISOString()}`;
}

interface StateRow {
  revision: number;
  inspection_plan_at: Date;
  configuration_version: number;
  catalog_version: number;
  purging: AttributeEntity[];
}

interface DefinitionRow {
  key: number;
  entity: AttributeEntity;
  description: string;
  type: AttributeType;
  length: number | null;
  catalog: string | null;
}

/** What {@link ConfigurationReader.read} needs to know; a statement without parameters, for a transaction that asks for it as it begins. */
export const CONFIGURATION_STATE = `SELECT revision, inspection_plan_at, configuration_version, catalog_version,
  ARRAY(SELECT DISTINCT entity FROM attribute_purge ORDER BY entity) AS purging FROM server_state`;

/** The columns of {@link CONFIGURATION_STATE} for a reader of texts. */
const STATE_TEXTS = `state.revision, extract(epoch FROM state.inspection_plan_at) * 1000, state.configuration_version, state.catalog_version, array_to_json(state.purging)`;
const STATE_TEXT_COUNT = 5;

/** Configuration and state of the plan at the same moment. */
export interface ReadState {
  configuration: Configuration;
  plan: PlanRevision;
}

/** Reads the configuration, from memory while no replica has changed it. */
export class ConfigurationReader {
  private cached: Configuration | undefined;

  /**
   * The configuration as the session sees it now; under the plan lock it stays so until the transaction ends. Not for a transaction that has changed
   * definitions itself: what it sees may be rolled back, and its versions be given again to another change.
   */
  async read(session: Session): Promise<Configuration> {
    return (await this.readState(session)).configuration;
  }

  /** As {@link read}, with the state of the plan at the same moment. */
  async readState(session: Session): Promise<ReadState> {
    const [state] = await session.query<StateRow>(CONFIGURATION_STATE, [], { name: 'configuration-state' });
    if (!state) throw new Error('the row of the server state is missing');
    return this.stateOf(session, state);
  }

  /**
   * As {@link readState}, with a row of the same moment in the same round trip.
   * @param query finds one row at most, whose first column is not null
   * @param name under which the connection prepares it
   */
  async readStateWith(
    session: Session,
    query: string,
    values: readonly unknown[],
    name: string,
  ): Promise<ReadState & { row: TextRow | undefined }> {
    const text = `SELECT ${STATE_TEXTS}, found.* FROM (${CONFIGURATION_STATE}) state LEFT JOIN (${query}) found ON TRUE`;
    const [read] = await session.queryTexts(text, values, { name });
    if (!read) throw new Error('the row of the server state is missing');
    const [revision, at, version, catalogVersion, purging] = read as string[];
    const state = await this.stateOf(session, {
      revision: Number(revision),
      inspection_plan_at: new Date(Number(at)),
      configuration_version: Number(version),
      catalog_version: Number(catalogVersion),
      purging: JSON.parse(purging ?? '[]') as AttributeEntity[],
    });
    return { ...state, row: read[STATE_TEXT_COUNT] == null ? undefined : read.slice(STATE_TEXT_COUNT) };
  }

  /** As {@link readState}, without asking again. @param state rows of {@link CONFIGURATION_STATE} in the same transaction: a snapshot, or under the plan lock */
  async readOpened(session: Session, [state]: readonly object[] = []): Promise<ReadState> {
    if (!state) throw new Error('the row of the server state is missing');
    return this.stateOf(session, state as StateRow);
  }

  private async stateOf(session: Session, state: StateRow): Promise<ReadState> {
    return { configuration: await this.configurationOf(session, state), plan: { revision: state.revision, at: state.inspection_plan_at } };
  }

  private async configurationOf(session: Session, state: StateRow): Promise<Configuration> {
    const { cached } = this;
    const purging = new Set(state.purging);
    if (cached && cached.version === state.configuration_version && cached.catalogVersion === state.catalog_version)
      return { ...cached, purging };
    const definitions = await session.query<DefinitionRow>(
      'SELECT key, entity, description, type, length, catalog FROM attribute_definition ORDER BY key',
    );
    const entries = await session.query<{ uuid: string; keys: number[] }>(
      `SELECT uuid, ARRAY(SELECT key::int FROM catalog_entry WHERE catalog = catalog.uuid) AS keys FROM catalog`,
    );
    const read: Configuration = {
      version: state.configuration_version,
      catalogVersion: state.catalog_version,
      definitions: new Map(definitions.map((definition) => [definition.key, definition])),
      entryKeys: new Map(entries.map(({ uuid, keys }) => [uuid, new Set(keys)])),
      purging,
    };
    // Outside a snapshot a change may have come between the statements: then what was read belongs to no version and is not kept.
    const [now] = await session.query<Pick<StateRow, 'configuration_version' | 'catalog_version'>>(
      'SELECT configuration_version, catalog_version FROM server_state',
    );
    if (now?.configuration_version === read.version && now.catalog_version === read.catalogVersion) this.cached = read;
    return read;
  }
}
