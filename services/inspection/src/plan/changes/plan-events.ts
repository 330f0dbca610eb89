import type { PendingChange } from '@sinebar/contracts';
import type { PlanItem } from '../plan-item.ts';

/** Characteristics of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const MAX_EVENTS_PER_MESSAGE = 1000;

interface OwnedItem {
  item: PlanItem;
  parentUuid: string;
  owner: PlanItem;
}

/**
 * Makes one event for each item, in the order given.
 * @param byId holds the parents and owning parts of the items
 * spec: inspection-service.md, Part events, Characteristic events
 */
export function createdEvents(items: readonly PlanItem[], byId: ReadonlyMap<number, PlanItem>): PendingChange[] {
  return grouped(items, byId, 'PartCreated', (owner, run) => ({
    ...about(owner),
    type: 'CharacteristicCreated',
    events: run.map(({ item, parentUuid }) => ({ CharacteristicUuid: item.uuid, ParentUuid: parentUuid })),
  }));
}

/** Makes one event for each item, in the order given; pass children before parents (spec: decisions.md 7.3). */
export function deletedEvents(items: readonly PlanItem[], byId: ReadonlyMap<number, PlanItem>): PendingChange[] {
  return grouped(items, byId, 'PartDeleted', (owner, run) => ({
    ...about(owner),
    type: 'CharacteristicDeleted',
    events: run.map(({ item }) => ({ CharacteristicUuid: item.uuid, ParentPartUuid: owner.uuid })),
  }));
}

function grouped(
  items: readonly PlanItem[],
  byId: ReadonlyMap<number, PlanItem>,
  type: 'PartCreated' | 'PartDeleted',
  ofCharacteristics: (owner: PlanItem, run: readonly OwnedItem[]) => PendingChange,
): PendingChange[] {
  const changes: PendingChange[] = [];
  let run: OwnedItem[] = [];
  const flush = () => {
    const [first] = run;
    if (first) changes.push(ofCharacteristics(first.owner, run));
    run = [];
  };
  for (const item of items) {
    const owner = byId.get(item.partId);
    const parentUuid = item.parentId === null ? undefined : byId.get(item.parentId)?.uuid;
    if (!owner || parentUuid === undefined) throw new Error(`the parent of ${item.uuid} is not known`);
    const previous = run[0];
    if (previous && (item.kind === 'part' || previous.owner.uuid !== owner.uuid || run.length === MAX_EVENTS_PER_MESSAGE)) flush();
    if (item.kind === 'part') changes.push({ ...about(item), type, events: [{ PartUuid: item.uuid, ParentPartUuid: parentUuid }] });
    else run.push({ item, parentUuid, owner });
  }
  flush();
  return changes;
}

function about({ uuid, path }: PlanItem) {
  return { subject: uuid, path, partUuid: uuid };
}
