import type { Fields } from '../../../quality/editing/draft';
import { NAME } from '../plan-item';
import { sumOf } from './pasted-rows';

/** How a bulk change makes the new text: a text for all, a sum, or a part of the text that is replaced. */
export type BulkHow = 'set' | 'add' | 'replace';

export interface BulkCell {
  uuid: string;
  name: string;
  was: string;
  text: string;
}

/** Says which texts a bulk change would write; what stays the same is left out. */
export function changedTexts(
  rows: readonly { uuid: string; fields: Fields }[],
  { field, how, text, by }: { field: string; how: BulkHow; text: string; by: string },
): BulkCell[] {
  const after = (was: string) => {
    if (how === 'set') return text;
    if (how === 'replace') return text === '' ? was : was.replaceAll(text, by);
    // What has no number stays without one.
    return was === '' || text === '' || !Number.isFinite(Number(text)) || !Number.isFinite(Number(was)) ? was : sumOf(was, text);
  };
  return rows
    .map(({ uuid, fields }) => ({ uuid, name: fields[NAME] ?? '', was: fields[field] ?? '', text: after(fields[field] ?? '') }))
    .filter(({ was, text: next }) => was !== next);
}
