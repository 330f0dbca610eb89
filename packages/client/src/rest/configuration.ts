import type { AnyAttributeDefinition, AttributeOwner, Catalog, CatalogEntry, ConfigurationAnswer } from '@sinebar/contracts';
import { listText, segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';
import { chosen, type WrittenAttributes } from './attributes.ts';

export interface WrittenCatalogEntry {
  /** Key of the entry; -1 for the next free one. */
  key: number;
  attributes?: WrittenAttributes;
}

export type WrittenCatalog = Omit<Catalog, 'catalogEntries'> & { catalogEntries?: readonly WrittenCatalogEntry[] };

const CONFIGURATION = '/dataServiceRest/configuration';
const CATALOGS = '/dataServiceRest/catalogs';

/** Attribute definitions. spec: inspection-service.md, Configuration */
export class Configuration {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  get(options: RequestOptions = {}): Promise<ConfigurationAnswer> {
    return this.connection.json({ method: 'GET', path: CONFIGURATION, ...options });
  }

  /** @throws SinebarError 409 when a key is taken */
  create(owner: AttributeOwner, definitions: readonly AnyAttributeDefinition[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: `${CONFIGURATION}/${owner}`, json: definitions, ...options });
  }

  update(owner: AttributeOwner, definitions: readonly AnyAttributeDefinition[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: `${CONFIGURATION}/${owner}`, json: definitions, ...options });
  }

  /** Deletes the definitions, and every value that is stored for them. */
  delete(owner: AttributeOwner, keys: readonly number[], options: RequestOptions = {}): Promise<void> {
    chosen({ keys }, ['keys'], 'Without any there is nothing to do.');
    return this.connection.done({ method: 'DELETE', path: `${CONFIGURATION}/${owner}/${segment(listText(keys))}`, ...options });
  }
}

/** spec: inspection-service.md, Catalogs */
export class Catalogs {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  list(options: RequestOptions = {}): Promise<Catalog[]> {
    return this.connection.json({ method: 'GET', path: CATALOGS, ...options });
  }

  /** @throws SinebarError 404 */
  async get(uuid: string, options: RequestOptions = {}): Promise<Catalog> {
    const [catalog] = await this.connection.json<[Catalog]>({ method: 'GET', path: `${CATALOGS}/${segment(uuid)}`, ...options });
    return catalog;
  }

  create(catalogs: readonly WrittenCatalog[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: CATALOGS, json: catalogs, ...options });
  }

  /** Replaces catalogs with all entries; entries that are left out stay as they are. */
  update(catalogs: readonly WrittenCatalog[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'PUT', path: CATALOGS, json: catalogs, ...options });
  }

  addEntries(uuid: string, entries: readonly WrittenCatalogEntry[], options: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'POST', path: `${CATALOGS}/${segment(uuid)}`, json: entries, ...options });
  }

  deleteEntries(uuid: string, keys: readonly CatalogEntry['key'][], options: RequestOptions = {}): Promise<void> {
    chosen({ keys }, ['keys'], 'Without any there is nothing to do.');
    return this.connection.done({ method: 'DELETE', path: `${CATALOGS}/${segment(uuid)}/${segment(listText(keys))}`, ...options });
  }

  delete(uuids: readonly string[], options: RequestOptions = {}): Promise<void> {
    chosen({ uuids }, ['uuids'], 'Without any there is nothing to do.');
    return this.connection.done({ method: 'DELETE', path: `${CATALOGS}/${segment(listText(uuids))}`, ...options });
  }
}
