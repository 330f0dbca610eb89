import { columnsOf, type WriteSession } from '@sinebar/database';
import type { AttributeDefinition, AttributeEntity } from './configuration.ts';

/** Statements on attribute definitions inside one transaction under the plan lock. */
export class ConfigurationStore {
  private readonly session: WriteSession;

  constructor(session: WriteSession) {
    this.session = session;
  }

  /** Inserts definitions, or replaces those whose key already exists. */
  async put(entity: AttributeEntity, definitions: readonly Omit<AttributeDefinition, 'entity'>[]): Promise<void> {
    await this.session.query(
      `INSERT INTO attribute_definition (key, entity, description, type, length, catalog)
       SELECT key, $1, description, type, length, catalog
       FROM unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::uuid[]) AS definition (key, description, type, length, catalog)
       ON CONFLICT (key) DO UPDATE SET entity = EXCLUDED.entity, description = EXCLUDED.description, type = EXCLUDED.type,
         length = EXCLUDED.length, catalog = EXCLUDED.catalog`,
      [entity, ...columnsOf(definitions, 'key', 'description', 'type', 'length', 'catalog')],
    );
  }

  async delete(keys: readonly number[]): Promise<void> {
    await this.session.query('DELETE FROM attribute_definition WHERE key = ANY($1)', [keys]);
  }

  /** Removes attributes from the valid attributes of all catalogs. @returns whether a catalog had one */
  async removeFromCatalogs(keys: readonly number[]): Promise<boolean> {
    const rows = await this.session.query(
      `UPDATE catalog SET valid_attributes = ARRAY(
         SELECT key FROM unnest(valid_attributes) WITH ORDINALITY AS valid (key, position) WHERE key <> ALL($1::int[]) ORDER BY position)
       WHERE valid_attributes && $1::int[] RETURNING 1`,
      [keys],
    );
    return rows.length > 0;
  }

  async configurationChanged(at: Date): Promise<void> {
    await this.session.query('UPDATE server_state SET configuration_version = configuration_version + 1, configuration_at = $1', [at]);
  }

  async catalogsChanged(at: Date): Promise<void> {
    await this.session.query('UPDATE server_state SET catalog_version = catalog_version + 1, catalog_at = $1', [at]);
  }
}
