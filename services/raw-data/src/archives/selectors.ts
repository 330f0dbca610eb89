import { RAW_DATA_ENTITIES, parseRawDataEntity, parseTargetUuid, type RawDataEntity } from '@sinebar/contracts';
import { listOf, members, quoted } from '@sinebar/http';
import { z } from 'zod';
import { MAX_KEY } from '../targets/target.ts';

/** Most files of one answer; each is a request to the store. */
const MAX_FILES = 100_000;

const entity = z.string('must be a text').transform((text, context): RawDataEntity => {
  const known = parseRawDataEntity(text);
  if (known) return known;
  context.addIssue({ code: 'custom', message: `must be one of ${RAW_DATA_ENTITIES.join(', ')}, not ${quoted(text)}` });
  return z.NEVER;
});

const target = members({ entity, uuid: z.string('must be a text') }).transform((written, context) => {
  const uuid = parseTargetUuid(written.entity, written.uuid);
  if (uuid !== undefined) return { entity: written.entity, uuid };
  const form = written.entity === 'Value' ? '<measurement uuid>|<characteristic uuid>' : 'a uuid';
  context.addIssue({ code: 'custom', message: `must be ${form}, not ${quoted(written.uuid)}`, path: ['uuid'] });
  return z.NEVER;
});

const KEY = `must be a whole number from 0 to ${MAX_KEY}`;
const key = z.int(KEY).min(0, KEY).max(MAX_KEY, KEY);
const entries = listOf(z.string('must be a text'), 'must be a list of the names of files');

/** spec: raw-data-service.md, Selector */
export const entrySelectors = members({ selectors: listOf(members({ target, key }), 'must be a list of selectors') });

export const contentSelectors = members({
  selectors: listOf(members({ target, key, entries }), 'must be a list of selectors').refine(
    (selectors) => selectors.reduce((sum, selector) => sum + selector.entries.length, 0) <= MAX_FILES,
    `names more than ${MAX_FILES} files; ask for fewer in one request`,
  ),
});
