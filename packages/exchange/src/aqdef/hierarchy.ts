import { UnreadableFileError } from '../problems.ts';

const [GROUP_NUMBER, GROUP_NAME] = [5001, 5002] as const;
const [CHARACTERISTIC_BELOW, NODE_BELOW] = [5102, 5103] as const;
const [PART_NODE, CHARACTERISTIC_NODE, GROUP_NODE] = [5111, 5112, 5113] as const;
const TREE_KEYS: ReadonlySet<number> = new Set([CHARACTERISTIC_BELOW, NODE_BELOW, PART_NODE, CHARACTERISTIC_NODE, GROUP_NODE]);

/** Most groups, nodes and relations of a file. */
const MAX_ENTRIES = 400_000;

/** Something of the tree: a characteristic or a group, by its index. */
export interface TreeItem {
  kind: 'characteristic' | 'group';
  index: number;
}

export interface Group {
  number: string | undefined;
  name: string | undefined;
}

/** Key of an item in a map. */
export function itemKey({ kind, index }: TreeItem): string {
  return `${kind}/${index}`;
}

/** Collects the groups and the tree of an AQDEF file: K5xxx, or the older K2030 and K2031. */
export class HierarchyDraft {
  readonly groups = new Map<number, Group>();
  private readonly nodes = new Map<number, { kind: 'part' | TreeItem['kind']; index: number }>();
  private readonly childNodes: [parent: number, child: number][] = [];
  private readonly characteristicsBelow: [parent: number, characteristic: number][] = [];
  private readonly simpleParents = new Map<number, number>();
  private readonly simpleChildren: [characteristic: number, group: number][] = [];
  private entries = 0;

  static isTreeKey(key: number): boolean {
    return TREE_KEYS.has(key);
  }

  /** @returns whether the field names a group */
  readName(key: number, index: number, text: string): boolean {
    if (key !== GROUP_NUMBER && key !== GROUP_NAME) return false;
    this.count();
    const group = this.groups.get(index) ?? { number: undefined, name: undefined };
    if (text.length > 0) group[key === GROUP_NAME ? 'name' : 'number'] = text;
    this.groups.set(index, group);
    return true;
  }

  /** @throws UnreadableFileError the tree has too many entries */
  readTree(key: number, index: number, value: number): void {
    this.count();
    if (key === NODE_BELOW) this.childNodes.push([index, value]);
    else if (key === CHARACTERISTIC_BELOW) this.characteristicsBelow.push([index, value]);
    else
      this.nodes.set(index, { kind: key === PART_NODE ? 'part' : key === CHARACTERISTIC_NODE ? 'characteristic' : 'group', index: value });
  }

  /** @param isParent whether the characteristic is the parent of the group or belongs to it */
  readSimpleGroup(isParent: boolean, characteristic: number, group: number): void {
    this.count();
    if (isParent) this.simpleParents.set(group, characteristic);
    else this.simpleChildren.push([characteristic, group]);
  }

  private count(): void {
    this.entries += 1;
    if (this.entries <= MAX_ENTRIES) return;
    throw new UnreadableFileError({
      message: `The file has more than ${MAX_ENTRIES} entries of groups and of the tree. Divide it into several files.`,
    });
  }

  /** @returns parents by {@link itemKey}: another item, or the index of a part; items below nothing are left out */
  parents(): Map<string, TreeItem | number> {
    const parents = new Map<string, TreeItem | number>();
    const put = (child: TreeItem, parentNode: number) => {
      const parent = this.nodes.get(parentNode);
      if (!parent) return;
      parents.set(itemKey(child), parent.kind === 'part' ? parent.index : { kind: parent.kind, index: parent.index });
    };
    for (const [parent, characteristic] of this.characteristicsBelow) put({ kind: 'characteristic', index: characteristic }, parent);
    for (const [parent, childNode] of this.childNodes) {
      const child = this.nodes.get(childNode);
      if (child && child.kind !== 'part') put({ kind: child.kind, index: child.index }, parent);
    }
    for (const [characteristic, group] of this.simpleChildren) {
      const parent = this.simpleParents.get(group);
      if (parent !== undefined)
        parents.set(itemKey({ kind: 'characteristic', index: characteristic }), { kind: 'characteristic', index: parent });
    }
    return parents;
  }
}
