import { parseUuid, ROOT_PART_UUID } from '@sinebar/contracts';
import { parseList } from '@sinebar/query-language';
import { listOf, members, quoted, uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { MAX_ENTRY_KEY, parseEntryKey, rawAttributesSchema } from '../attribute-values.ts';
import { attributeKey, deletedKeys, storableText, wholeNumber } from '../configuration-schemas.ts';
import type { NamedCatalogs } from './catalogs-service.ts';
import { NEXT_FREE_KEY } from './entry-keys.ts';

const catalogUuid = uuidParameter.refine((uuid) => uuid !== ROOT_PART_UUID, `${ROOT_PART_UUID} is reserved; give the catalog another uuid`);

const catalogName = storableText.refine((name) => name.trim() !== '', 'must not be empty');

/** Parses a list of attribute keys and removes duplicates. */
const validAttributes = listOf(attributeKey, 'must be an array of attribute keys').transform((keys) => [...new Set(keys)]);

const entryBody = members({ key: wholeNumber(NEXT_FREE_KEY, MAX_ENTRY_KEY), attributes: rawAttributesSchema.optional() });

/** spec: inspection-service.md, Catalogs, POST of entries */
export const entriesBody = listOf(entryBody, 'must be an array of catalog entries');

/** spec: inspection-service.md, Catalogs, POST */
export const newCatalogsBody = listOf(
  members({ uuid: catalogUuid, name: catalogName, validAttributes, catalogEntries: entriesBody.optional() }),
  'must be an array of catalogs',
);

/** What is left out stays as it is. spec: inspection-service.md, Catalogs, rule 3; decisions.md 2.1 */
export const changedCatalogsBody = listOf(
  members({
    uuid: catalogUuid,
    name: catalogName.optional(),
    validAttributes: validAttributes.optional(),
    catalogEntries: entriesBody.optional(),
  }),
  'must be an array of catalogs',
);

export const catalogAddress = z.object({ uuid: uuidParameter });

/** Parses one uuid or a list `{a,b}`; a single uuid in braces is a list, too (spec: decisions.md 2.6, 3.4). */
export const deletedCatalogsAddress = z.object({
  uuid: z.string().transform((text, context): NamedCatalogs => {
    const uuids = new Set<string>();
    for (const item of parseList(text)) {
      const uuid = parseUuid(item);
      if (uuid === undefined) {
        context.addIssue({
          code: 'custom',
          message: `${quoted(item)} is no uuid, so nothing was deleted; write a uuid or a list such as {uuid,uuid}`,
        });
        return z.NEVER;
      }
      uuids.add(uuid);
    }
    if (uuids.size > 0) return { uuids: [...uuids], isList: uuids.size > 1 || /^\s*\{/.test(text) };
    context.addIssue({ code: 'custom', message: 'the list names no catalog, so nothing was deleted' });
    return z.NEVER;
  }),
});

export const deletedEntriesAddress = catalogAddress.extend({
  keys: deletedKeys((text) => parseEntryKey(text) !== undefined, MAX_ENTRY_KEY),
});
