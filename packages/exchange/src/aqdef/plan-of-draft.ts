import type { Attributes, FileCharacteristic, FilePart } from '../content.ts';
import { nameSiblings, type Unnamed } from '../names.ts';
import type { Problems } from '../problems.ts';
import { itemKey, type TreeItem } from './hierarchy.ts';
import type { PlanTree } from './plan-tree.ts';
import type { CharacteristicDraft, ItemDraft } from './sections.ts';

/** Levels of characteristics below a part, at most. */
const MAX_DEPTH = 50;

const NUMBER = { part: 1001, characteristic: 2001 } as const;
const DESCRIPTION = { part: 1002, characteristic: 2002 } as const;

/** Pairs of lower and upper limits. */
const LIMITS: readonly (readonly [lower: number, upper: number])[] = [
  [2110, 2111],
  [2114, 2115],
  [2130, 2131],
  [8006, 8007],
  [8012, 8013],
  [8014, 8015],
];
const [LOWER_ALLOWANCE, UPPER_ALLOWANCE] = [2112, 2113] as const;

interface TreeNode {
  item: TreeItem;
  draft: CharacteristicDraft | undefined;
  children: TreeNode[];
}

/** Builds the tree of parts and characteristics, names every item and checks its limits. */
export function planOf(
  parts: ReadonlyMap<number, ItemDraft>,
  characteristics: ReadonlyMap<number, CharacteristicDraft>,
  tree: PlanTree,
  problems: Problems,
): FilePart[] {
  for (const characteristic of characteristics.values()) checkLimits(characteristic, problems);
  const roots = treeOf(parts, characteristics, tree, problems);
  const ordered = [...parts.values()].sort((a, b) => a.index - b.index);
  warnOfEqualNumbers(ordered, problems);
  const names = nameSiblings(
    ordered.map((part) => unnamed('part', part, problems)),
    problems,
  );
  return ordered.map((part, i) => ({
    index: part.index,
    name: names[i] as string,
    attributes: attributesOf(part.attributes),
    characteristics: branchOf(roots.get(part.index) ?? [], tree, problems),
  }));
}

function warnOfEqualNumbers(parts: readonly ItemDraft[], problems: Problems): void {
  const seen = new Map<string, number>();
  for (const { attributes, index, line } of parts) {
    const number = attributes.get(NUMBER.part);
    if (number === undefined) continue;
    const other = seen.get(number);
    if (other !== undefined) {
      const message =
        `The parts ${other} and ${index} have the same number ${number}; their index is added to their names. ` +
        'Give each part a number of its own.';
      problems.warn(line, 'K1001', message);
    }
    seen.set(number, index);
  }
}

function branchOf(nodes: readonly TreeNode[], tree: PlanTree, problems: Problems): FileCharacteristic[] {
  const names = nameSiblings(
    nodes.map(({ draft, item }) => (draft ? unnamed('characteristic', draft, problems) : unnamedGroup(item.index, tree))),
    problems,
  );
  return nodes.map(({ item, draft, children }, i) => ({
    index: draft?.index,
    name: names[i] as string,
    attributes: draft ? attributesOf(draft.attributes) : groupAttributes(item.index, tree),
    children: branchOf(children, tree, problems),
  }));
}

function unnamed(kind: 'part' | 'characteristic', { attributes, written: index, line }: ItemDraft, problems: Problems): Unnamed {
  const number = attributes.get(NUMBER[kind]);
  const description = attributes.get(DESCRIPTION[kind]);
  const [first, second] = kind === 'part' ? [number, description] : [description, number];
  const title = kind === 'part' ? `Part ${index}` : `Characteristic ${index}`;
  const key = `K${first === undefined ? (kind === 'part' ? 1002 : 2001) : kind === 'part' ? 1001 : 2002}`;
  if (first === undefined && second === undefined) {
    const keys = kind === 'part' ? 'K1001 or K1002' : 'K2001 or K2002';
    problems.warn(line, key, `The ${kind} ${index} has neither number nor name and is called "${title}". Write ${keys}.`);
  }
  // The number distinguishes items of one name, unless it is the name.
  const distinct = first !== undefined && kind === 'characteristic' ? number : undefined;
  return { wanted: first ?? second ?? '', number: distinct ?? String(index), fallback: title, line, key };
}

function unnamedGroup(index: number, { groups }: PlanTree): Unnamed {
  const { name, number } = groups.get(index) ?? {};
  return { wanted: name ?? number ?? '', number: number ?? String(index), fallback: `Group ${index}`, line: undefined, key: 'K5002' };
}

function groupAttributes(index: number, { groups }: PlanTree): Attributes {
  const { name, number } = groups.get(index) ?? {};
  return { ...(number !== undefined && { 2001: number }), ...(name !== undefined && { 2002: name }) };
}

function attributesOf(attributes: ReadonlyMap<number, string>): Attributes {
  return Object.fromEntries(attributes);
}

/** @returns the topmost nodes by the index of their part */
function treeOf(
  parts: ReadonlyMap<number, ItemDraft>,
  characteristics: ReadonlyMap<number, CharacteristicDraft>,
  tree: PlanTree,
  problems: Problems,
): Map<number, TreeNode[]> {
  const { parents } = tree;
  const nodes = new Map<string, TreeNode>();
  const put = (item: TreeItem, draft: CharacteristicDraft | undefined) => nodes.set(itemKey(item), { item, draft, children: [] });
  for (const draft of [...characteristics.values()].sort((a, b) => a.index - b.index))
    put({ kind: 'characteristic', index: draft.index }, draft);
  for (const index of [...tree.groups.keys()].sort((a, b) => a - b)) put({ kind: 'group', index }, undefined);

  const partOf = partsOfNodes(nodes, parents, [...parts.keys()][0] ?? 1);
  const roots = new Map<number, TreeNode[]>();
  for (const [key, node] of nodes) {
    const parent = parents.get(key);
    const above = parent === undefined || typeof parent === 'number' ? undefined : nodes.get(itemKey(parent));
    const part = partOf.get(key) as number;
    const isUsable = above !== undefined && partOf.get(itemKey(above.item)) === part && isBelowPart(key, parents);
    if (above !== undefined && !isUsable) {
      const message =
        `The ${node.item.kind} ${node.item.index} stands below itself, below another part or more than ${MAX_DEPTH} levels ` +
        'deep; it is placed directly below its part.';
      problems.warn(node.draft?.line, 'K5103', message);
    }
    if (isUsable) above.children.push(node);
    else {
      const list = roots.get(part);
      if (list) list.push(node);
      else roots.set(part, [node]);
    }
  }
  return roots;
}

/** Finds the part of each item: of a characteristic its own, of a group that of its node above or of the first characteristic below. */
function partsOfNodes(
  nodes: ReadonlyMap<string, TreeNode>,
  parents: ReadonlyMap<string, TreeItem | number>,
  firstPart: number,
): Map<string, number> {
  const partOf = new Map<string, number>();
  for (const [key, { draft }] of nodes) if (draft) partOf.set(key, draft.part);
  for (const [key, { draft }] of nodes) {
    let at = parents.get(key);
    for (let depth = 0; draft && typeof at === 'object' && at.kind === 'group' && depth < MAX_DEPTH; depth += 1) {
      if (!partOf.has(itemKey(at))) partOf.set(itemKey(at), draft.part);
      at = parents.get(itemKey(at));
    }
  }
  for (const key of nodes.keys()) {
    let at = parents.get(key);
    for (let depth = 0; typeof at === 'object' && depth < MAX_DEPTH; depth += 1) at = partOf.get(itemKey(at)) ?? parents.get(itemKey(at));
    if (!partOf.has(key)) partOf.set(key, typeof at === 'number' ? at : firstPart);
  }
  return partOf;
}

/** Whether the way up ends, within the allowed depth. */
function isBelowPart(key: string, parents: ReadonlyMap<string, TreeItem | number>): boolean {
  let at = parents.get(key);
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    if (at === undefined || typeof at === 'number') return true;
    at = parents.get(itemKey(at));
  }
  return false;
}

function checkLimits({ attributes, written: index, line }: CharacteristicDraft, problems: Problems): void {
  for (const [lower, upper] of LIMITS) {
    const [low, high] = [numberAt(attributes, lower), numberAt(attributes, upper)];
    if (low === undefined || high === undefined || low <= high) continue;
    const message =
      `The lower limit K${lower} of the characteristic ${index} (${low}) is above the upper limit K${upper} (${high}). ` +
      'Exchange or correct them.';
    problems.warn(line, `K${lower}`, message, true);
  }
  const [low, high] = [numberAt(attributes, LOWER_ALLOWANCE), numberAt(attributes, UPPER_ALLOWANCE)];
  if (low === undefined || high === undefined || low <= 0 || low < high) return;
  const text = attributes.get(LOWER_ALLOWANCE) ?? '';
  attributes.set(LOWER_ALLOWANCE, `-${text.replace(/^\+/, '')}`);
  const message =
    `The lower allowance ${text} of the characteristic ${index} has no sign; ` +
    `it is taken as ${attributes.get(LOWER_ALLOWANCE)}. Write K2112 with its sign.`;
  problems.warn(line, `K${LOWER_ALLOWANCE}`, message, true);
}

function numberAt(attributes: ReadonlyMap<number, string>, key: number): number | undefined {
  const text = attributes.get(key);
  const number = text === undefined ? NaN : Number(text);
  return Number.isNaN(number) ? undefined : number;
}
