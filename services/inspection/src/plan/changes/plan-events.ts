import type { PendingChange } from '@sinebar/contracts';
import type { PlanItem } from '../plan-item.js';

/** Characteristics of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const EVENTS_PER_MESSAGE = 1000;

interface Placed {
  item: PlanItem;
  parentUuid: string;
  owner: { uuid: string; path: string };
}

/** Makes one event for each item, in the order given. spec: inspection-service.md, Part events, Characteristic events */
export function createdEvents(items: readonly Placed[]): PendingChange[] {
  return grouped(
    items,
    ({ item, parentUuid }) => ({
      type: 'PartCreated',
      subject: item.uuid,
      path: item.path,
      partUuid: item.uuid,
      events: [{ PartUuid: item.uuid, ParentPartUuid: parentUuid }],
    }),
    (owner, ofPart) => ({
      type: 'CharacteristicCreated',
      subject: owner.uuid,
      path: owner.path,
      partUuid: owner.uuid,
      events: ofPart.map(({ item, parentUuid }) => ({ CharacteristicUuid: item.uuid, ParentUuid: parentUuid })),
    }),
  );
}

/** Makes one event for each item, in the order given; pass children before parents (spec: decisions.md 7.3). */
export function deletedEvents(items: readonly Placed[]): PendingChange[] {
  return grouped(
    items,
    ({ item, parentUuid }) => ({
      type: 'PartDeleted',
      subject: item.uuid,
      path: item.path,
      partUuid: item.uuid,
      events: [{ PartUuid: item.uuid, ParentPartUuid: parentUuid }],
    }),
    (owner, ofPart) => ({
      type: 'CharacteristicDeleted',
      subject: owner.uuid,
      path: owner.path,
      partUuid: owner.uuid,
      events: ofPart.map(({ item }) => ({ CharacteristicUuid: item.uuid, ParentPartUuid: owner.uuid })),
    }),
  );
}

function grouped(
  items: readonly Placed[],
  ofPart: (part: Placed) => PendingChange,
  ofCharacteristics: (owner: Placed['owner'], characteristics: readonly Placed[]) => PendingChange,
): PendingChange[] {
  const changes: PendingChange[] = [];
  let run: Placed[] = [];
  const flush = () => {
    const [first] = run;
    if (first) changes.push(ofCharacteristics(first.owner, run));
    run = [];
  };
  for (const placed of items) {
    const previous = run[0];
    if (previous && (placed.item.kind === 'part' || previous.owner.uuid !== placed.owner.uuid || run.length === EVENTS_PER_MESSAGE))
      flush();
    if (placed.item.kind === 'part') changes.push(ofPart(placed));
    else run.push(placed);
  }
  flush();
  return changes;
}
