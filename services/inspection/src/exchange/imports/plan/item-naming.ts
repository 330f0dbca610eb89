import type { PlanItemKind } from '@sinebar/query-language';
import { foldName, MAX_NAME_LENGTH } from '@sinebar/query-language';
import type { Attributes } from '../../../plan/plan-item.ts';
import { foldStart, IDENTITY_KEYS, type ItemNames } from './item-matching.ts';

/** Folded names of the siblings on the server; {@link freeName} adds its own. */
export function takenNames(stored: readonly ItemNames[]): Set<string> {
  return new Set(stored.map(({ name }) => name));
}

/** Returns the name of the file, or one with number or name in brackets when a sibling has it. */
export function freeName(kind: PlanItemKind, name: string, attributes: Attributes, taken: Set<string>): string {
  const { number, title } = IDENTITY_KEYS[kind];
  const distinct = [attributes[number], attributes[title]].find((text) => text !== undefined && foldStart(text) !== foldName(name));
  let free = name;
  for (let n = 1; taken.has(foldName(free)); n += 1) free = bracketed(name, n === 1 ? (distinct ?? '2') : String(n));
  taken.add(foldName(free));
  return free;
}

function bracketed(name: string, text: string): string {
  const suffix = ` (${text.slice(0, 40)})`;
  return [...name].slice(0, MAX_NAME_LENGTH - suffix.length).join('') + suffix;
}

/** Items that have the number of a sibling with another name. */
export class NumberClashes {
  private readonly counts: Record<PlanItemKind, { count: number; first: string }> = {
    part: { count: 0, first: '' },
    characteristic: { count: 0, first: '' },
  };

  note(kind: PlanItemKind, names: readonly ItemNames[], stored: readonly ItemNames[]): void {
    const titles = new Map<string, string>();
    const clash = this.counts[kind];
    for (const { number, title } of stored) if (number !== undefined && title !== undefined) titles.set(number, title);
    for (const { number, title } of names) {
      if (number === undefined || title === undefined) continue;
      const other = titles.get(number) ?? title;
      titles.set(number, title);
      if (other === title) continue;
      clash.count += 1;
      if (clash.first === '') clash.first = `the number ${number} stands for "${other}" and "${title}"`;
    }
  }

  warnings(): { key: string; message: string }[] {
    return (['part', 'characteristic'] as const).flatMap((kind) => {
      const { count, first } = this.counts[kind];
      if (count === 0) return [];
      const others = count === 1 ? '' : ` There are ${count} such ${kind}s.`;
      const message = `Several ${kind}s have the same number: ${first}. Each is a ${kind} of its own.${others} Give each a number of its own.`;
      return [{ key: `K${IDENTITY_KEYS[kind].number}`, message }];
    });
  }
}
