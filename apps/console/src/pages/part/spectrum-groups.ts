import type { Status } from '../../design/status/glyph';

/** A run of characteristics in plan order that belong to one direct child of the part, or to the part itself. */
export interface SpectrumGroup {
  name: string;
  /** Uuid of the part below; absent for characteristics of the part itself. */
  uuid?: string;
  statuses: Status[];
}

/** A direct child with the number of characteristics in and below it. */
export interface CountedChild {
  kind: 'part' | 'characteristic';
  uuid: string;
  name: string;
  characteristics: number;
}

/**
 * Cuts statuses in plan order into the groups of the direct children.
 * @param ownName name of the group of the part's own characteristics
 * @returns one group when the counts do not fit, as when the plan changed between both answers
 */
export function spectrumGroups(statuses: readonly Status[], children: readonly CountedChild[], ownName: string): SpectrumGroup[] {
  const total = children.reduce((sum, { characteristics }) => sum + characteristics, 0);
  if (total !== statuses.length) return statuses.length === 0 ? [] : [{ name: ownName, statuses: [...statuses] }];
  const groups: SpectrumGroup[] = [];
  let from = 0;
  for (const child of children) {
    const part = statuses.slice(from, from + child.characteristics);
    from += child.characteristics;
    const last = groups.at(-1);
    if (child.kind === 'part') {
      if (part.length > 0) groups.push({ name: child.name, uuid: child.uuid, statuses: part });
    } else if (last && last.uuid === undefined) last.statuses.push(...part);
    else groups.push({ name: ownName, statuses: part });
  }
  return groups;
}
