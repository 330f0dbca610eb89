import { ROOT_PART_UUID, type ChangeEnvelope, type EventPayloads } from '@sinebar/contracts';
import { parseMarkedPath, storedPath, storedPathElement } from '@sinebar/query-language';

interface Node {
  /** `undefined` for the root; `null` below a characteristic that no event has named, because creations contain names of parts only. */
  parent: string | undefined | null;
  /** Last element of the stored path; unknown until an event contains it. */
  element: string | undefined;
}

/** The tree of the plan as derived from events alone. */
export class PlanReplay {
  private readonly nodes = new Map<string, Node>([[ROOT_PART_UUID, { parent: undefined, element: '' }]]);

  /** Applies the events in order; moves of one request together, since their paths refer to the plan after the request. */
  applyAll(envelopes: readonly ChangeEnvelope[]): void {
    let moves: ChangeEnvelope[] = [];
    for (const envelope of envelopes) {
      const isMove = envelope.type === 'PartMoved' || envelope.type === 'CharacteristicMoved';
      if (moves.length > 0 && envelope.time !== moves[0]?.time) {
        this.move(moves);
        moves = [];
      }
      if (isMove) moves.push(envelope);
      else this.apply(envelope);
    }
    if (moves.length > 0) this.move(moves);
  }

  private apply({ type, data, sinebarpath, subject }: ChangeEnvelope): void {
    for (const event of data.events) {
      const { PartUuid, ParentPartUuid, CharacteristicUuid, ParentUuid } = event as unknown as Record<string, string>;
      const [uuid = '', parent = ''] = [CharacteristicUuid ?? PartUuid, ParentUuid ?? ParentPartUuid];
      if (type === 'PartCreated') this.add(uuid, parent, lastElement(sinebarpath));
      else if (type === 'CharacteristicCreated') this.add(uuid, parent, undefined);
      else if (type === 'PartDeleted' || type === 'CharacteristicDeleted') this.remove(uuid);
      else if (type !== 'PartModified' && type !== 'CharacteristicModified') throw new Error(`${type} is no event of the plan`);
      else if (!this.nodes.has(uuid)) throw new Error(`${subject} was changed before it was created or after it was deleted`);
    }
  }

  /** Parents by uuid, without the root's. */
  parents(): Map<string, string | undefined | null> {
    return new Map([...this.nodes].map(([uuid, { parent }]) => [uuid, parent]));
  }

  /** Known stored paths by uuid. */
  paths(): Map<string, string> {
    const paths = new Map<string, string>();
    for (const uuid of this.nodes.keys()) {
      const path = this.pathOf(uuid);
      if (path !== undefined) paths.set(uuid, path);
    }
    return paths;
  }

  private add(uuid: string, parent: string, element: string | undefined): void {
    if (this.nodes.has(uuid)) throw new Error(`${uuid} was created twice`);
    if (!this.nodes.has(parent)) throw new Error(`${uuid} was created below ${parent}, which does not exist`);
    this.nodes.set(uuid, { parent, element });
  }

  private move(envelopes: readonly ChangeEnvelope[]): void {
    const paths = new Map(
      envelopes.map(({ subject, data }) => [subject, parseMarkedPath((data.events[0] as EventPayloads['PartMoved']).ToPath)]),
    );
    const finalPaths = new Map([...paths].map(([uuid, path]) => [uuid, storedPath(path)]));
    const byPath = new Map([...this.nodes.keys()].map((uuid) => [this.pathOf(uuid, finalPaths), uuid]));
    for (const [uuid, path] of paths) {
      const node = this.nodes.get(uuid);
      const element = path.at(-1);
      if (!node || !element) throw new Error(`${uuid} was moved before it was created, after it was deleted, or to the root`);
      node.element = storedPathElement(element);
      const parentPath = storedPath(path.slice(0, -1));
      if (typeof node.parent === 'string' && this.pathOf(node.parent, finalPaths) === parentPath) continue;
      const parent = byPath.get(parentPath);
      if (parent === undefined && path.at(-2)?.kind !== 'characteristic')
        throw new Error(`${uuid} was moved to ${storedPath(path)}, where there is no parent`);
      node.parent = parent ?? null;
    }
  }

  private remove(uuid: string): void {
    if (!this.nodes.delete(uuid)) throw new Error(`${uuid} was deleted twice`);
    for (const [child, { parent }] of this.nodes) {
      if (parent === uuid) throw new Error(`${uuid} was deleted before ${child}, which lies in it`);
    }
  }

  private pathOf(uuid: string, moved: ReadonlyMap<string, string> = new Map()): string | undefined {
    const { parent, element } = this.nodes.get(uuid) ?? {};
    const path = moved.get(uuid);
    if (path !== undefined || element === undefined || parent === null) return path;
    if (parent === undefined) return element;
    const above = this.pathOf(parent, moved);
    return above === undefined ? undefined : above + element;
  }
}

/** Finds the last element of a part's stored path; the names in it contain no slash. */
function lastElement(path: string): string {
  return `${path.split('/').at(-2) ?? ''}/`;
}
