import type { FileCharacteristic, FilePart } from '@sinebar/exchange';
import type { PlanNode } from './reading-messages.ts';

/** Characters of JSON after which a message is sent. */
const FULL_CHARACTERS = 128 * 1024;

/** Lists JSON texts of arrays, each below a limit unless one item exceeds it. */
export function* jsonChunks(items: Iterable<unknown>): Generator<string> {
  let chunk: string[] = [];
  let characters = 0;
  for (const item of items) {
    const json = JSON.stringify(item);
    chunk.push(json);
    characters += json.length;
    if (characters < FULL_CHARACTERS) continue;
    yield `[${chunk.join(',')}]`;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield `[${chunk.join(',')}]`;
}

/** Lists parts and characteristics, each parent before its children. */
export function* planNodes(parts: readonly FilePart[]): Generator<PlanNode> {
  for (const { characteristics, ...part } of parts) {
    yield { part };
    yield* nodesOf(characteristics, 0);
  }
}

function* nodesOf(characteristics: readonly FileCharacteristic[], depth: number): Generator<PlanNode> {
  for (const { children, ...characteristic } of characteristics) {
    yield { depth, characteristic };
    yield* nodesOf(children, depth + 1);
  }
}

type OpenCharacteristic = FileCharacteristic & { children: FileCharacteristic[] };

/** Builds the tree again. */
export class PlanUnpacker {
  readonly parts: FilePart[] = [];
  /** Lists to which the next characteristic of each depth belongs. */
  private lists: FileCharacteristic[][] = [];

  add(nodes: readonly PlanNode[]): void {
    for (const node of nodes) {
      if ('part' in node) {
        const characteristics: FileCharacteristic[] = [];
        this.parts.push({ ...node.part, characteristics });
        this.lists = [characteristics];
        continue;
      }
      const { index, ...others } = node.characteristic;
      const characteristic: OpenCharacteristic = { ...others, index, children: [] };
      this.lists[node.depth]?.push(characteristic);
      this.lists[node.depth + 1] = characteristic.children;
    }
  }
}
