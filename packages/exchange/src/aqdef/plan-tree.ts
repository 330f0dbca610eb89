import { itemKey, type Group, type HierarchyDraft, type TreeItem } from './hierarchy.ts';

/** Levels of groups that are followed to find the part of a group. */
const MAX_DEPTH = 50;

/** Indices of a section in the whole file. */
export interface SectionIndices {
  partOf(index: number): number;
  /** @returns `undefined` for a characteristic that the section does not describe */
  characteristicOf(index: number): { index: number; part: number } | undefined;
}

/** The groups and the tree of a file, which may have several headers. */
export class PlanTree {
  readonly groups = new Map<number, Group>();
  /** Parents by {@link itemKey}: another item, or the index of a part; items below nothing are left out. */
  readonly parents = new Map<string, TreeItem | number>();
  private readonly groupsByName = new Map<string, number>();
  private lastGroup = 0;

  /**
   * Adds the tree of a header. What the file knows already keeps its parent; groups of a part are found again by number and name.
   * @param characteristics indices of the header
   */
  add(hierarchy: HierarchyDraft, indices: SectionIndices, characteristics: Iterable<number>): void {
    const parents = hierarchy.parents();
    if (parents.size === 0 && hierarchy.groups.size === 0) return;
    const partOfGroup = new Map<number, number>();
    for (const index of characteristics) {
      const part = indices.characteristicOf(index)?.part;
      let at = parents.get(itemKey({ kind: 'characteristic', index }));
      for (let depth = 0; typeof at === 'object' && part !== undefined && depth < MAX_DEPTH; depth += 1) {
        if (at.kind === 'group' && !partOfGroup.has(at.index)) partOfGroup.set(at.index, part);
        at = parents.get(itemKey(at));
      }
    }
    const isFirst = this.groups.size === 0;
    const groupOf = new Map<number, number>();
    for (const [index, group] of hierarchy.groups) {
      const key = JSON.stringify([partOfGroup.get(index), group.number, group.name]);
      const own = isFirst ? index : (this.groupsByName.get(key) ?? this.lastGroup + 1);
      this.lastGroup = Math.max(this.lastGroup, own);
      this.groupsByName.set(key, own);
      groupOf.set(index, own);
    }
    for (const [index, group] of hierarchy.groups) {
      const own = groupOf.get(index) as number;
      if (!this.groups.has(own)) this.groups.set(own, group);
    }
    const inFile = (item: TreeItem): TreeItem | undefined => {
      const index = item.kind === 'group' ? (groupOf.get(item.index) ?? item.index) : indices.characteristicOf(item.index)?.index;
      return index === undefined ? undefined : { kind: item.kind, index };
    };
    for (const [child, parent] of parents) {
      const own = inFile(itemOf(child));
      const above = typeof parent === 'number' ? indices.partOf(parent) : inFile(parent);
      if (own !== undefined && above !== undefined && !this.parents.has(itemKey(own))) this.parents.set(itemKey(own), above);
    }
  }
}

function itemOf(key: string): TreeItem {
  const [kind, index] = key.split('/');
  return { kind: kind as TreeItem['kind'], index: Number(index) };
}
