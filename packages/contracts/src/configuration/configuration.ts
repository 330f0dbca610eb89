import { z } from 'zod';

/** Types of attribute values (spec: inspection-service.md, AttributeDefinition). */
const attributeValueTypeSchema = z.enum(['AlphaNumeric', 'Integer', 'Float', 'DateTime']);

export type AttributeOwner = 'part' | 'characteristic' | 'measurement' | 'value' | 'catalog';

const named = { key: z.int().min(0).max(65_535).describe('Unique over all entity types'), description: z.string() };

/** spec: inspection-service.md, Configuration */
export const attributeDefinitionSchema = z
  .discriminatedUnion('definitionType', [
    z.object({
      definitionType: z.literal('AttributeDefinition'),
      ...named,
      type: attributeValueTypeSchema,
      length: z.int().optional().describe('Most characters; AlphaNumeric only'),
    }),
    z.object({
      definitionType: z.literal('CatalogAttributeDefinition'),
      ...named,
      catalog: z.string().describe('Uuid of the catalog that holds the possible values'),
    }),
  ])
  .meta({ id: 'AttributeDefinition' });
export type AnyAttributeDefinition = z.infer<typeof attributeDefinitionSchema>;

const definitions = z.array(attributeDefinitionSchema);

/** spec: inspection-service.md, Configuration; decisions.md 3.7 */
export const configurationSchema = z
  .object({
    partAttributes: definitions,
    characteristicAttributes: definitions,
    measurementAttributes: definitions,
    valueAttributes: definitions,
    catalogAttributes: definitions,
    versioningType: z
      .enum(['Off', 'On', 'Client'])
      .describe('Whether earlier states of the plan are kept; `Client`: whether, says each request'),
  })
  .meta({ id: 'Configuration' });
export type ConfigurationAnswer = z.infer<typeof configurationSchema>;

/** spec: inspection-service.md, CatalogEntry */
const catalogEntrySchema = z.object({
  key: z.int().describe('0 to 32767; -1 in a request: the next free one'),
  attributes: z.record(z.string(), z.string()).describe('By attribute key'),
});
export type CatalogEntry = z.infer<typeof catalogEntrySchema>;

/** spec: inspection-service.md, Catalog */
export const catalogSchema = z
  .object({
    uuid: z.string(),
    name: z.string(),
    validAttributes: z.array(z.int()).describe('Keys of catalog attributes'),
    catalogEntries: z.array(catalogEntrySchema),
  })
  .meta({ id: 'Catalog' });
export type Catalog = z.infer<typeof catalogSchema>;
