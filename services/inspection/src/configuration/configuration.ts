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

/** Keys of the measured value and the time, which are valid without a definition (spec: decisions.md 2.2). */
export const MEASURED_VALUE_KEY = 1;
export const TIME_KEY = 4;

/** Attribute definitions and catalog entry keys at one moment. */
export interface Configuration {
  /** Incremented with every change of a definition. */
  version: number;
  /** Incremented with every change of a catalog. */
  catalogVersion: number;
  definitions: ReadonlyMap<number, AttributeDefinition>;
  /** Keys of the entries of each catalog, by catalog uuid. */
  entryKeys: ReadonlyMap<string, ReadonlySet<number>>;
  /** Entity types that still have stored values of deleted definitions, which must not be shown. */
  purging: ReadonlySet<AttributeEntity>;
}

/** State of the plan, from which the validators of answers are made. */
export interface PlanRevision {
  revision: number;
  /** Time of the last change of the plan. */
  at: Date;
}

/** Key of a state of the plan. It includes the time, because a database restored from a backup repeats revisions. */
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

/** Statement for {@link ConfigurationReader.readOpened}; it has no parameters, so that it can run at the opening of a transaction. */
export const CONFIGURATION_STATE = `SELECT revision, inspection_plan_at, configuration_version, catalog_version,
  ARRAY(SELECT DISTINCT entity FROM attribute_purge ORDER BY entity) AS purging FROM server_state`;

/** The columns of {@link CONFIGURATION_STATE} as texts. */
const STATE_TEXTS = `state.revision, extract(epoch FROM state.inspection_plan_at) * 1000, state.configuration_version,
  state.catalog_version, array_to_json(state.purging)`;
const STATE_TEXT_COUNT = 5;

export interface ReadState {
  configuration: Configuration;
  plan: PlanRevision;
}

/** Reads the configuration, from memory while no replica has changed it. */
export class ConfigurationReader {
  private cached: Configuration | undefined;

  /**
   * Reads the configuration as the session sees it; under the plan lock it is valid until the transaction ends.
   * Do not call it in a transaction that has changed definitions: after a rollback another change may get the same version.
   */
  async read(session: Session): Promise<Configuration> {
    return (await this.readState(session)).configuration;
  }

  /** Reads the configuration and the state of the plan at the same moment. */
  async readState(session: Session): Promise<ReadState> {
    const [state] = await session.query<StateRow>(CONFIGURATION_STATE, [], { name: 'configuration-state' });
    if (!state) throw new Error('the row of the server state is missing');
    return this.stateOf(session, state);
  }

  /**
   * Reads configuration, state of the plan and one row at the same moment in one round trip.
   * @param query yields at most one row, whose first column is not null
   * @param name of the prepared statement
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

  /**
   * Uses the result of {@link CONFIGURATION_STATE} from the opening of the same transaction, which is a snapshot or holds the plan lock.
   */
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
      // JSON is parsed much faster than an array of 32,767 keys.
      `SELECT uuid, array_to_json(ARRAY(SELECT key::int FROM catalog_entry WHERE catalog = catalog.uuid)) AS keys FROM catalog`,
    );
    const read: Configuration = {
      version: state.configuration_version,
      catalogVersion: state.catalog_version,
      definitions: new Map(definitions.map((definition) => [definition.key, definition])),
      entryKeys: new Map(entries.map(({ uuid, keys }) => [uuid, new Set(keys)])),
      purging,
    };
    // Outside a snapshot, a change between the statements makes the result inconsistent. It is then not cached.
    const [now] = await session.query<Pick<StateRow, 'configuration_version' | 'catalog_version'>>(
      'SELECT configuration_version, catalog_version FROM server_state',
    );
    if (now?.configuration_version === read.version && now.catalog_version === read.catalogVersion) this.cached = read;
    return read;
  }
}
