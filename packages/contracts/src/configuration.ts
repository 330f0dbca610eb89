/** Types of attribute values (spec: inspection-service.md, AttributeDefinition). */
export type AttributeValueType = 'AlphaNumeric' | 'Integer' | 'Float' | 'DateTime';

/** Entity types that own attributes. */
export type AttributeOwner = 'part' | 'characteristic' | 'measurement' | 'value' | 'catalog';

/** spec: inspection-service.md, Configuration */
export type AnyAttributeDefinition =
  | {
      definitionType: 'AttributeDefinition';
      /** 0 to 65535, unique over all entity types. */
      key: number;
      description: string;
      type: AttributeValueType;
      /** Most characters; AlphaNumeric only. */
      length?: number;
    }
  | {
      definitionType: 'CatalogAttributeDefinition';
      key: number;
      description: string;
      /** Uuid of the catalog that holds the possible values. */
      catalog: string;
    };

/** spec: inspection-service.md, Configuration; decisions.md 3.7 */
export interface ConfigurationAnswer {
  partAttributes: AnyAttributeDefinition[];
  characteristicAttributes: AnyAttributeDefinition[];
  measurementAttributes: AnyAttributeDefinition[];
  valueAttributes: AnyAttributeDefinition[];
  catalogAttributes: AnyAttributeDefinition[];
  /** Whether earlier states of the plan are kept; `Client`: whether, says each request. */
  versioningType: 'Off' | 'On' | 'Client';
}

/** spec: inspection-service.md, CatalogEntry */
export interface CatalogEntry {
  /** 0 to 32767; -1 in a request: the next free one. */
  key: number;
  /** By attribute key. */
  attributes: Record<string, string>;
}

/** spec: inspection-service.md, Catalog */
export interface Catalog {
  uuid: string;
  name: string;
  /** Keys of catalog attributes. */
  validAttributes: number[];
  catalogEntries: CatalogEntry[];
}
